package run

import (
	"net"
	"net/netip"
	"slices"
	"strconv"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/port"
)

// The ports of the machine's own services are found, whichever address they listen at.
func TestListening(t *testing.T) {
	reserved := netip.MustParseAddrPort(port.Reserve(t)).Port()
	for _, host := range []string{"127.0.0.1", "::1", "0.0.0.0", "::", "127.0.0.9"} {
		l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(int(reserved))))
		if err != nil {
			t.Logf("%s: %v", host, err)
			continue // the machine may have no IPv6
		}
		if !slices.Contains(listening(), reserved) {
			t.Errorf("%s is not found", l.Addr())
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(listening(), reserved) {
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
