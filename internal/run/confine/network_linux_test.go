package confine

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// listenerFor finds the listener that takes connections to an address.
func listenerFor(t *testing.T, p *Process, address netip.Addr) net.Listener {
	t.Helper()
	for _, l := range p.Ways().TCP {
		if l.Addr().(*net.TCPAddr).AddrPort().Addr().Is4() == address.Unmap().Is4() {
			return l
		}
	}
	t.Fatalf("nobody takes connections to %s", address)
	return nil
}

func TestConnections(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   []string
		want string
	}{
		{"IPv4", []string{"dial", "tcp", "93.184.215.14:443"}, "93.184.215.14:443"},
		{"IPv6", []string{"dial", "tcp", "[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:443"}, "[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:443"},
		{"mapped", []string{"dial", "tcp", "[::ffff:10.1.2.3]:80"}, "10.1.2.3:80"},
		{"private", []string{"dial", "tcp", "192.168.0.1:22"}, "192.168.0.1:22"},
		{"link local", []string{"dial", "tcp", "169.254.169.254:80"}, "169.254.169.254:80"},
		{"its own", []string{"dial", "tcp", "192.0.2.1:80"}, "192.0.2.1:80"},
		{"resolver on loopback", []string{"dial", "tcp", "127.0.0.53:53"}, "127.0.0.53:53"},
		{"resolver", []string{"dial", "tcp", "8.8.8.8:53"}, "8.8.8.8:53"},
		{"child", []string{"child", "child", "dial", "tcp", "10.0.0.1:1"}, "10.0.0.1:1"},
		{"multipath", []string{"multipath", "10.0.0.3:443"}, "10.0.0.3:443"},
		{"fast open", []string{"fastopen", "10.0.0.2:443"}, "10.0.0.2:443"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := netip.MustParseAddrPort(tt.want)
			r := begin(t, Config{}, tt.do...)
			c := accept1(t, listenerFor(t, r.Process, want.Addr()))
			got, err := Destination(c)
			if err != nil || got != want {
				t.Errorf("it is routed to %v, %v, want %v", got, err, want)
			}
			if _, err := c.Write([]byte("hello")); err != nil {
				t.Error(err)
			}
			must(t, c.Close())
			is(t, "dial", r.end(), "got hello")
		})
	}
}

func TestDestinationOfTheListenerItself(t *testing.T) {
	for _, network := range []string{"tcp4", "tcp6"} {
		r := begin(t, Config{}, "wait")
		for _, l := range r.Ways().TCP {
			address := l.Addr().String()
			if strings.HasPrefix(address, "[") != (network == "tcp6") {
				continue
			}
			// The port of the outlet is the same in every namespace that mirrors no service.
			other := begin(t, Config{}, "dial", network, address)
			c := accept1(t, listenerFor(t, other.Process, netip.MustParseAddrPort(address).Addr()))
			if got, err := Destination(c); err == nil || got.IsValid() {
				t.Errorf("it is routed to %v", got)
			}
			must(t, c.Close())
			other.end()
		}
		r.end()
	}
}

func TestDestinationOfOthers(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	if got, err := Destination(a); err == nil || got.IsValid() {
		t.Errorf("a pipe leads to %v", got)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	must(t, err)
	defer c.Close()
	s := accept1(t, l)
	if got, err := Destination(s); err == nil || got.IsValid() {
		t.Errorf("an ordinary connection leads to %v", got)
	}
}

func TestClosed(t *testing.T) {
	r := begin(t, Config{}, "child", "many", "wait", ";", "dial", "tcp", "10.0.0.1:443", ";", "dial", "tcp", "[2001:db8:1::1]:443")
	must(t, r.Close())
	out := r.end()
	if strings.Count(out, "connection refused") != 2 {
		t.Errorf("the program says %q", out)
	}
}

func TestOwnLoopback(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", "[::1]:0", "127.9.9.9:0"} {
		is(t, address, run(t, Config{}, "serve", address), "got own, got own")
	}
	has(t, "a port where nobody listens", run(t, Config{}, "dial", "tcp", "127.0.0.1:4"), "connection refused")
	// The machine's loopback is another one.
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	has(t, "a port of the machine", run(t, Config{}, "dial", "tcp", l.Addr().String()), "connection refused")
}

func TestMirroredPorts(t *testing.T) {
	r := begin(t, Config{Ports: []uint16{65535, 80, 80}}, "many",
		"dial", "tcp", "127.0.0.1:80", ";", "dial", "tcp", "[::1]:80", ";", "dial", "tcp", "localhost:65535", ";", "dial", "tcp", "10.0.0.1:80")
	if len(r.Ways().Loopback) != 2 {
		t.Fatalf("they are %v", r.Ways().Loopback)
	}
	for port, all := range r.Ways().Loopback {
		if len(all) != 2 {
			t.Errorf("port %d has %v", port, all)
		}
		for _, l := range all {
			go func() {
				for {
					c, err := l.Accept()
					if err != nil {
						return
					}
					fmt.Fprintf(c, "%d", port)
					_ = c.Close()
				}
			}()
		}
	}
	c := accept1(t, listenerFor(t, r.Process, ownIPv4))
	_, _ = c.Write([]byte("other"))
	must(t, c.Close())
	is(t, "ports", r.end(), "got 80\ngot 80\ngot 65535\ngot other")
}

func TestResolvers(t *testing.T) {
	for _, tt := range []struct{ name, to string }{
		{"IPv4", "8.8.8.8:53"}, {"loopback", "127.0.0.53:53"}, {"IPv6", "[2001:4860:4860::8888]:53"}, {"loopback of IPv6", "[::1]:53"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := begin(t, Config{}, "ask", tt.to)
			for _, c := range r.Ways().DNS {
				go func() {
					b := make([]byte, 64)
					n, from, err := c.ReadFrom(b)
					if err == nil {
						_, _ = c.WriteTo(append([]byte("answer to "), b[:n]...), from)
					}
				}()
			}
			is(t, "ask", r.end(), "got answer to query")
		})
	}
}

func TestOtherDatagrams(t *testing.T) {
	for _, to := range []string{"10.1.2.3:443", "[2001:db8:1::1]:443", "[::ffff:10.1.2.4]:123", "224.0.0.251:5353", "255.255.255.255:9"} {
		t.Run(to, func(t *testing.T) {
			r := begin(t, Config{}, "udp", to)
			want := unmap(netip.MustParseAddrPort(to))
			if dropped := r.Ways().Dropped; dropped == nil {
				t.Log("this machine does not tell of datagrams")
			} else if want.Addr() != netip.MustParseAddr("255.255.255.255") {
				select {
				case d := <-dropped:
					if d.Destination != want || !d.Source.IsValid() {
						t.Errorf("it tells of %v", d)
					}
				case <-time.After(patience):
					t.Error("it tells of nothing")
				}
			}
			out := r.end()
			if !strings.HasPrefix(out, "error: ") || strings.Contains(out, "timeout") {
				t.Errorf("the program says %q", out)
			}
			must(t, r.Close())
			for range r.Ways().Dropped { // it is closed
			}
		})
	}
}

func TestSocketsOfOthers(t *testing.T) {
	dir := t.TempDir()
	var sockets []string
	listen := func(name string) string {
		l, err := net.Listen("unix", name)
		must(t, err)
		t.Cleanup(func() { _ = l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				_, _ = c.Write([]byte("outside"))
				_ = c.Close()
			}
		}()
		sockets = append(sockets, name)
		return name
	}
	own, foreign := listen(filepath.Join(dir, "own")), listen(filepath.Join(dir, "with a blank"))
	abstract := listen(fmt.Sprintf("@weir-confine-test-%d", os.Getpid()))
	linked := filepath.Join(dir, "linked")
	must(t, os.Symlink(own, linked))
	for i := range 200 {
		listen(filepath.Join(dir, fmt.Sprint(i)))
	}
	t.Chdir(dir)
	relative := listen("relative")
	cfg := Config{Sockets: []string{linked}}
	is(t, "one that is allowed", run(t, cfg, "dial", "unix", own), "got outside")
	has(t, "one that is not", run(t, cfg, "dial", "unix", foreign), "connection refused")
	has(t, "one of many", run(t, cfg, "dial", "unix", filepath.Join(dir, "42")), "connection refused")
	has(t, "one with a relative name", run(t, cfg, "dial", "unix", filepath.Join(dir, relative)), "connection refused")
	has(t, "one without a file", run(t, cfg, "dial", "unix", abstract), "connection refused")
	has(t, "taking it away", run(t, cfg, "remove", foreign), "busy")
}

// Sockets that come and go meanwhile keep nobody from starting.
func TestSocketsComeAndGo(t *testing.T) {
	dir := t.TempDir()
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
			}
			if l, err := net.Listen("unix", filepath.Join(dir, fmt.Sprint(i%3))); err == nil {
				_ = l.Close()
			}
		}
	}()
	for range 10 {
		is(t, "echo", run(t, Config{}, "echo"), "heard")
	}
	close(done)
	<-stopped
}

func TestParseSockets(t *testing.T) {
	const table = `Num       RefCount Protocol Flags    Type St Inode Path
000000008c987c69: 00000003 00000000 00000000 0001 03  1508
00000000d3c362c0: 00000002 00000000 00010000 0001 01 15090 /run/a b.sock
00000000d3c362c1: 00000002 00000000 00010000 0005 01     7 relative
00000000d3c362c2: 00000002 00000000 00010000 0001 01 15091 @abstract
00000000d3c362c3: 00000002 00000000 00000000 0002 01 15092 /run/log
00000000d3c362c4: 00000002 00000000 00010000 0001 01 15093
`
	if diff := cmp.Diff([]string{"/run/a b.sock", "relative", "/run/log"}, parseSockets([]byte(table))); diff != "" {
		t.Error(diff)
	}
}

func TestHasDefaultRoute(t *testing.T) {
	const nowhere = "00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo\n"
	const wire = "00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000001 00000000 00450003     eth0\n"
	const local = "fe800000000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth0\n"
	for table, want := range map[string]bool{"": false, nowhere: false, nowhere + local: false, local + wire + nowhere: true} {
		if got := hasDefaultRoute([]byte(table)); got != want {
			t.Errorf("of\n%s: %v", table, got)
		}
	}
}

func TestReadDatagram(t *testing.T) {
	six := append([]byte{0x60, 0, 0, 0, 0, 8, 17, 64}, make([]byte, 36)...)
	six[23], six[39], six[40], six[42] = 1, 2, 0x01, 0x02
	for _, tt := range []struct {
		name   string
		packet []byte
		want   string
	}{
		{"IPv4", []byte{0x45, 9: 17, 12: 192, 13: 0, 14: 2, 15: 1, 16: 10, 19: 1, 20: 0x12, 21: 0x34, 22: 0x01, 23: 0xbb}, "192.0.2.1:4660 10.0.0.1:443"},
		{"with options", []byte{0x46, 9: 17, 12: 192, 15: 1, 16: 10, 19: 1, 24: 0, 25: 7, 27: 9}, "192.0.0.1:7 10.0.0.1:9"},
		{"IPv6", six, "[::1]:256 [::2]:512"},
		{"not UDP", []byte{0x45, 9: 6, 23: 0}, ""},
		{"cut short", []byte{0x45, 9: 17, 21: 0}, ""},
		{"header too short", []byte{0x41, 9: 17, 23: 0}, ""},
		{"nothing", nil, ""},
	} {
		got := ""
		if d, ok := readDatagram(tt.packet); ok {
			got = d.Source.String() + " " + d.Destination.String()
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
