package confine

import (
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"testing"

	"github.com/weir-gate/weir/internal/call"
)

// ownerOf looks for an owner until it is found. A machine that is busy may need more time than a search takes.
func ownerOf(r *running, local, remote netip.AddrPort) (found call.Process) {
	for range 100 {
		if found = r.Owner(local, remote); found.PID != 0 {
			break
		}
	}
	return found
}

// shimOf says that the processes with a certain first argument stand in for a server.
func shimOf(server, first string) func(int) string {
	return func(pid int) string {
		if args := arguments(pid); len(args) > 0 && args[0] == first {
			return server
		}
		return ""
	}
}

func TestOwner(t *testing.T) {
	exe, err := os.Executable()
	must(t, err)
	everybody := func(int) string { return "all" }
	for _, tt := range []struct {
		name   string
		do     []string
		shim   func(int) string
		server string
	}{
		{"the program", []string{"identify", "10.0.0.1:443"}, nil, ""},
		{"mapped", []string{"identify", "[::ffff:10.0.0.1]:443"}, nil, ""},
		{"IPv6", []string{"identify", "[2001:db8:1::1]:443"}, nil, ""},
		{"a shim", []string{"identify", "10.0.0.1:443"}, everybody, "all"},
		{"a child of a shim", []string{"child", "identify", "10.0.0.1:443", "shim"}, shimOf("web", "shim"), "web"},
		{"a child of another", []string{"child", "identify", "10.0.0.1:443", "other"}, shimOf("web", "shim"), ""},
		{"arguments of a shim", []string{"identify", "10.0.0.1:443", "weir", "mcp", "wrap", "--id", "files", "--", "server"}, nil, ""},
		{"arguments of another shim", []string{"identify", "10.0.0.1:443", "weir", "mcp", "wrap", "--id=files"}, everybody, "all"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := begin(t, Config{Shim: tt.shim}, tt.do...)
			l := r.Ways().TCP[0]
			if tt.name == "IPv6" {
				l = r.Ways().TCP[1]
			}
			c := accept1(t, l)
			to, err := Destination(c)
			must(t, err)
			local := c.RemoteAddr().(*net.TCPAddr).AddrPort()
			got := ownerOf(r, local, to)
			if got.PID == 0 || got.Name != filepath.Base(exe) || got.Command == "" || got.Server != tt.server {
				t.Errorf("it is %+v", got)
			}
			if other := r.Owner(netip.AddrPortFrom(local.Addr(), local.Port()^1), to); other != (call.Process{}) {
				t.Errorf("another one is %+v", other)
			}
			must(t, c.Close())
			r.end()
		})
	}
}

// A process that runs another file than weir's is no shim, whoever says so.
func TestOwnerIsNotFooled(t *testing.T) {
	dir := t.TempDir()
	exe, err := os.ReadFile("/proc/self/exe")
	must(t, err)
	fake := filepath.Join(dir, "weir")
	must(t, os.WriteFile(fake, exe, 0o755))
	cfg := Config{Path: fake, Shim: func(int) string { return "files" }}
	r := begin(t, cfg, "identify", "10.0.0.1:443", "weir", "mcp", "wrap", "--id", "files")
	c := accept1(t, r.Ways().TCP[0])
	to, err := Destination(c)
	must(t, err)
	if got := ownerOf(r, c.RemoteAddr().(*net.TCPAddr).AddrPort(), to); got.PID == 0 || got.Server != "" {
		t.Errorf("it is %+v", got)
	}
	must(t, c.Close())
	r.end()
}

func TestFindSocket(t *testing.T) {
	const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 010200C0:A2C4 0100000A:01BB 01 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0000000000000000 20 4 30 10 -1
   1: 0000000000000000FFFF0000010200C0:A2C5 0000000000000000FFFF00000100000A:01BB 01 0:0 00:0 0  1000        0 4712 1
   2: B80D0120000000000000000001000000:1F90 B80D0120000000000000000002000000:0050 01 0:0 00:0 0  1000        0 4713 1
   3: 010200C0:A2C6 0100000A:01BB 06 00000000:00000000 03:00000000 00000000     0        0 0 3
   4: zz:A2C6 0100000A
`
	for _, tt := range []struct{ local, remote, want string }{
		{"192.0.2.1:41668", "10.0.0.1:443", "4711"},
		{"[::ffff:192.0.2.1]:41668", "[::ffff:10.0.0.1]:443", "4711"},
		{"192.0.2.1:41669", "10.0.0.1:443", "4712"},
		{"[2001:db8::1]:8080", "[2001:db8::2]:80", "4713"},
		{"192.0.2.1:41670", "10.0.0.1:443", ""}, // it waits for its end and is nobody's
		{"192.0.2.1:41668", "10.0.0.2:443", ""},
	} {
		if got := findSocket([]byte(table), netip.MustParseAddrPort(tt.local), netip.MustParseAddrPort(tt.remote)); got != tt.want {
			t.Errorf("of %s to %s: %q, want %q", tt.local, tt.remote, got, tt.want)
		}
	}
}
