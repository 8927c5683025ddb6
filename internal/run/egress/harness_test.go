package egress

import (
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weir-gate/weir/internal/call"
)

// patience is how long a test waits for what must come: not a measure, but an end for what hangs.
const patience = 20 * time.Second

// A scriptedJudge rules by a function, and keeps what it was asked.
type scriptedJudge struct {
	rule func(context.Context, call.Connection) call.Ruling // nil: all is released

	mu    sync.Mutex
	asked []call.Connection
}

func (j *scriptedJudge) Connect(ctx context.Context, c call.Connection) call.Ruling {
	j.mu.Lock()
	j.asked = append(j.asked, c)
	j.mu.Unlock()
	if j.rule == nil {
		return call.Ruling{Released: true}
	}
	return j.rule(ctx, c)
}

// refuseHost refuses all that may be one host.
func refuseHost(host string) func(context.Context, call.Connection) call.Ruling {
	return func(_ context.Context, c call.Connection) call.Ruling {
		for _, h := range c.Hosts {
			if h == host {
				return call.Ruling{Code: call.CodeConnectionDenied, Reason: "Not there."}
			}
		}
		return call.Ruling{Released: true}
	}
}

func refuseAll(context.Context, call.Connection) call.Ruling {
	return call.Ruling{Code: call.CodeConnectionDenied, Reason: "Nowhere."}
}

func (j *scriptedJudge) expect(t *testing.T, want ...call.Connection) {
	t.Helper()
	j.mu.Lock()
	defer j.mu.Unlock()
	if diff := cmp.Diff(want, j.asked, cmp.Comparer(func(a, b netip.Addr) bool { return a == b }), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the judge was asked (-want +got):\n%s", diff)
	}
}

// A rig is a monitor whose outside is a listener of the test.
type rig struct {
	*Monitor
	judge  *scriptedJudge
	server net.Listener // what every destination leads to

	mu     sync.Mutex
	dialed []string
}

var somewhere = netip.MustParseAddrPort("192.0.2.10:443")

// newRig makes a monitor. Config may be nil.
func newRig(t testing.TB, judge *scriptedJudge, adjust func(*Config)) *rig {
	t.Helper()
	r := &rig{judge: judge, server: listen(t)}
	cfg := Config{Judge: judge, Dial: r.dial}
	if adjust != nil {
		adjust(&cfg)
	}
	r.Monitor = New(cfg)
	r.machine.route = everywhere
	r.patience = patience // a busy machine makes no client look silent
	t.Cleanup(r.Close)
	return r
}

func (r *rig) dial(ctx context.Context, network, address string) (net.Conn, error) {
	r.mu.Lock()
	r.dialed = append(r.dialed, address)
	r.mu.Unlock()
	return new(net.Dialer).DialContext(ctx, network, r.server.Addr().String())
}

func (r *rig) expectDialed(t *testing.T, want ...string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if diff := cmp.Diff(want, r.dialed, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("dialed (-want +got):\n%s", diff)
	}
}

// received is all that the server got, if it was dialed.
func (r *rig) received(t *testing.T) string {
	t.Helper()
	r.mu.Lock()
	dialed := len(r.dialed) > 0
	r.mu.Unlock()
	if !dialed {
		return ""
	}
	c, err := r.server.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	got, _ := io.ReadAll(c) // it may be reset
	return string(got)
}

func listen(t testing.TB) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// redirect watches connections as if they had been opened to a destination, and returns where to dial.
func (r *rig) redirect(t testing.TB, to netip.AddrPort) net.Addr {
	t.Helper()
	l := listen(t)
	r.background(t, func() error {
		return r.Redirected(l, func(net.Conn) (netip.AddrPort, error) { return to, nil })
	})
	return l.Addr()
}

// background runs what must end without an error when the monitor does.
func (r *rig) background(t testing.TB, run func() error) {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- run() }()
	t.Cleanup(func() {
		r.Close()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("it ended with %v", err)
			}
		case <-time.After(patience):
			t.Error("it did not end")
		}
	})
}

func dialTCP(t testing.TB, addr net.Addr) *net.TCPConn {
	t.Helper()
	conn, err := net.Dial("tcp", addr.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return conn.(*net.TCPConn)
}

// acceptOne takes the next connection of the outside.
func (r *rig) acceptOne(t testing.TB) *net.TCPConn {
	t.Helper()
	if err := r.server.(*net.TCPListener).SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	conn, err := r.server.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return conn.(*net.TCPConn)
}

func send(t testing.TB, conn net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
}

func receive(t testing.TB, conn net.Conn, want string) {
	t.Helper()
	got := make([]byte, len(want))
	if n, err := io.ReadFull(conn, got); err != nil {
		t.Fatalf("read %q: %v", got[:n], err)
	}
	if string(got) != want {
		t.Fatalf("read %q, want %q", got, want)
	}
}

// expectReset says that the connection ended with an error, and not in order.
func expectReset(t testing.TB, conn net.Conn) {
	t.Helper()
	got, err := io.ReadAll(conn)
	if len(got) > 0 || !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("read %q, %v; want a reset", got, err)
	}
}

// expectResetAt dials somewhere and says that it ends with an error, which may come as early as from the dialling.
func expectResetAt(t testing.TB, to net.Addr) {
	t.Helper()
	conn, err := net.Dial("tcp", to.String())
	if err == nil {
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(patience))
		_, err = io.ReadAll(conn)
	}
	if !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("got %v, want a reset", err)
	}
}

// everywhere has a way to all addresses, whatever the network of the test is.
func everywhere(netip.Addr) bool { return true }

func addr(text string) netip.Addr { return netip.MustParseAddr(text) }

// toSomewhere is a connection to the usual destination.
func toSomewhere(from string, hosts ...string) call.Connection {
	return call.Connection{
		Act: call.Connect, Addr: somewhere.Addr(), Port: somewhere.Port(), Protocol: "tcp", Hosts: hosts, HostFrom: from, Unread: from == "" || from == fromDNS,
	}
}

// inDoubt is a connection whose first bytes cannot be read for certain.
func inDoubt(c call.Connection) call.Connection {
	c.Doubt, c.Unread = true, true
	return c
}
