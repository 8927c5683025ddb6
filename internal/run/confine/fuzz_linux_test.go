package confine

import (
	"bytes"
	"net/netip"
	"strings"
	"testing"
)

func FuzzReadDropped(f *testing.F) {
	f.Add([]byte{})
	packet := []byte{0x45, 0, 0, 32, 0, 0, 0, 0, 64, 17, 0, 0, 192, 0, 2, 1, 10, 0, 0, 1, 0x12, 0x34, 0x01, 0xbb}
	message := append([]byte{48, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 1, 28, 0, 9, 0}, packet...)
	f.Add(message)
	f.Add(message[4:])
	f.Add(append(bytes.Clone(message), message...))
	f.Fuzz(func(t *testing.T, message []byte) {
		for _, d := range readDropped(message) {
			if !d.Source.IsValid() || !d.Destination.IsValid() || d.Destination.Addr().Is4In6() {
				t.Errorf("it reads %v", d)
			}
		}
	})
}

// The tables of the kernel hold names that others chose.
func FuzzTables(f *testing.F) {
	f.Add("00000000d3c362c0: 00000002 00000000 00010000 0001 01 15090 /run/a b.sock\n")
	f.Add(`30 25 8:1 /home/a\040b /mnt/a\011b\134c rw - ext4 /dev/sda1 rw`)
	f.Add("   0: 010200C0:A2C4 0100000A:01BB 01 00000000:00000000 00:00000000 00000000  1000        0 4711 1\n")
	f.Add("17 (a) b) S 4 17 4 0")
	f.Add("search a\noptions b\nnameserver 8.8.8.8")
	f.Fuzz(func(t *testing.T, table string) {
		for _, name := range parseSockets([]byte(table)) {
			if name == "" || name[0] == '@' || strings.ContainsRune(name, '\n') || !strings.Contains(table, name) {
				t.Errorf("a socket is %q", name)
			}
		}
		parseMounts([]byte(table))
		findSocket([]byte(table), netip.MustParseAddrPort("192.0.2.1:41668"), netip.MustParseAddrPort("10.0.0.1:443"))
		parseParent([]byte(table))
		for line := range strings.Lines(string(ownResolvers([]byte(table)))) {
			if f := strings.Fields(line); f[0] == "nameserver" && f[1] != "127.0.0.53" {
				t.Errorf("a resolver is %q", line)
			}
		}
	})
}
