package run

import (
	"net"
	"slices"
	"testing"
)

// The ports of the machine's own services are found, whichever address they listen at.
func TestListening(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", "[::1]:0", "0.0.0.0:0", "[::]:0", "127.0.0.9:0"} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Logf("%s: %v", address, err)
			continue // the machine may have no IPv6
		}
		port := uint16(l.Addr().(*net.TCPAddr).Port)
		if !slices.Contains(listening(), port) {
			t.Errorf("%s is not found", l.Addr())
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(listening(), port) {
			t.Errorf("%s is found though nobody listens there", l.Addr())
		}
	}
}

// Lines that are no listener are passed over.
func TestListener(t *testing.T) {
	for line, want := range map[string]uint16{
		"  0: 0100007F:102D 00000000:0000 0A 0:0 0:0 0 0 0 1": 0x102d,
		"  0: 0100007F:102D 00000000:0000 01 0:0 0:0 0 0 0 1": 0, // not a listener
		"  0: 0101A8C0:102D 00000000:0000 0A 0:0 0:0 0 0 0 1": 0, // of another address
		"  sl  local_address rem_address   st":                0,
		"":                                                    0, "a b c 0A": 0, "0: x:y z 0A": 0, "0: 0100007F:fffff z 0A": 0,
	} {
		if port, ok := listener(line); ok != (want != 0) || ok && port != want {
			t.Errorf("%q: %d, %v", line, port, ok)
		}
	}
}
