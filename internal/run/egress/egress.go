// Package egress is the door for network connections of the programs of a session: each connection is a call.
//
// It knows three things about a connection: its address, the names that were looked up and have this address, and the names that
// the connection shows in its first bytes, in later requests of HTTP/1, and in a tunnel. If many names share a server, a client may
// ask for another of them in encrypted data. Then only the address is certain, and the address was judged. The judge decides
// whether first bytes that cannot be parsed matter: it knows whether any rule names a host.
package egress

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/call"
)

// A Judge rules on connections.
type Judge interface {
	// Connect rules on a connection. When it returns, the ruling is recorded, except for a lookup that is allowed.
	Connect(ctx context.Context, c call.Connection) call.Ruling
}

// Config sets up a Monitor.
type Config struct {
	Judge Judge
	// Dial opens released connections, to the address that was judged; nil: from this machine, within ten seconds.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Names answers the lookups of the programs; nil: the name servers of this machine do.
	Names Names
	// Find returns the addresses of a host that a client of Proxy names; nil: the resolver of this machine finds them.
	Find func(ctx context.Context, host string) ([]netip.Addr, error)
	// Process finds the program of a connection by the local address and the address that it dialled; nil: programs are not known.
	Process func(local, remote netip.AddrPort) call.Process
	// Own is weir's own port on 127.0.0.1 of this machine: connections to it are not judged; 0: there is none.
	Own uint16
	// OwnAlive says whether weir listens on that port. Several goroutines may call it at once, before and after each dialling. If it
	// says no, the connection is refused. nil: weir always listens.
	OwnAlive func() bool
	// OnTrouble is called with what goes wrong, for each kind at most once a minute; nil: nothing is called.
	OnTrouble func(error)
}

// maxConnections is how many connections a session may have at a time. Agents have some dozens.
const maxConnections = 1024

// dialTimeout is how long a server may take to accept a connection.
const dialTimeout = 10 * time.Second

// A Monitor takes the connections and lookups of one session. The judge rules on each before anything of it is sent.
type Monitor struct {
	cfg       Config
	ctx       context.Context // ends with the monitor
	end       context.CancelFunc
	addresses addressBook
	verdicts  verdicts
	told      told
	machine   machine
	troubles  troubles
	count     count
	patience  time.Duration // for the first bytes of a client
	slots     chan struct{} // one for each connection
	lookups   chan struct{} // one for each lookup under way

	mu     sync.Mutex
	closed bool
	open   map[closer]struct{}
	work   sync.WaitGroup
}

// A closer is a thing that Close ends: a connection or a listener.
type closer interface{ Close() error }

// New returns a monitor that watches nothing yet.
func New(cfg Config) *Monitor {
	if cfg.Dial == nil {
		cfg.Dial = (&net.Dialer{Timeout: dialTimeout}).DialContext
	}
	if cfg.Names == nil {
		cfg.Names = systemNames{file: "/etc/resolv.conf", port: "53"}
	}
	if cfg.Find == nil {
		cfg.Find = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	if cfg.Process == nil {
		cfg.Process = func(_, _ netip.AddrPort) call.Process { return call.Process{} }
	}
	if cfg.OwnAlive == nil {
		cfg.OwnAlive = func() bool { return true }
	}
	m := &Monitor{
		cfg: cfg, patience: firstBytes, slots: make(chan struct{}, maxConnections), lookups: make(chan struct{},
			maxLookups), open: map[closer]struct{}{},
	}
	m.ctx, m.end = context.WithCancel(context.Background())
	m.troubles.tell = cfg.OnTrouble
	return m
}

// Close ends all connections and listeners. It returns when all work is done.
func (m *Monitor) Close() {
	m.end()
	m.mu.Lock()
	m.closed = true
	for c := range m.open {
		abort(c)
	}
	m.mu.Unlock()
	m.work.Wait()
}

// hold makes Close end c, until release is called. If the monitor is closed already, it closes c and returns false.
func (m *Monitor) hold(c closer) (release func(), ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		abort(c)
		return nil, false
	}
	m.open[c] = struct{}{}
	m.work.Add(1)
	return func() {
		m.mu.Lock()
		delete(m.open, c)
		m.mu.Unlock()
		m.work.Done()
	}, true
}

// judge asks the judge about a connection, and counts the ruling.
func (m *Monitor) judge(ctx context.Context, c call.Connection) call.Ruling {
	ruling := m.cfg.Judge.Connect(ctx, c)
	m.count.connection(c, ruling.Released)
	return ruling
}

// dial connects to exactly the address that was judged. No name is looked up a second time, so none can give another address.
func (m *Monitor) dial(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
	conn, err := m.cfg.Dial(ctx, "tcp", to.String())
	if err != nil {
		return nil, fmt.Errorf("dial %v: %w", to, err)
	}
	return conn, nil
}

// abort closes a connection so that the other end sees an error at once, and not an orderly end.
func abort(c closer) {
	if tcp, ok := c.(interface{ SetLinger(seconds int) error }); ok {
		_ = tcp.SetLinger(0) // if it fails, the end is orderly
	}
	_ = c.Close() // there is nobody left to report it to
}
