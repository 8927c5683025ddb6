// Package egress is the door for what the programs of a session want of the network: each connection is a call.
//
// What it can know of a connection is its address, the names that led there, and the names that it shows: in its first bytes, in later
// requests of HTTP/1, and in a tunnel. A server that many names share may be asked for another of them inside of what is encrypted: the
// address is all that holds then, and it is the one that was judged. Whether first bytes that cannot be read matter is for the judge to
// say,
// who knows whether any rule names a host.
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
	// Connect rules on a connection. When it returns, the ruling is on record, unless a name is looked up and may be.
	Connect(ctx context.Context, c call.Connection) call.Ruling
}

// Config says whom a Monitor asks, and how it reaches the network.
type Config struct {
	Judge Judge
	// Dial opens the connections that are released, to the address that was judged; nil: from this machine, within ten seconds.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Names answers what the programs look up; nil: the name servers of this machine do.
	Names Names
	// Find gives the addresses of a host that a client of Proxy names; nil: as programs on this machine find them.
	Find func(ctx context.Context, host string) ([]netip.Addr, error)
	// Process knows the program that has a connection, by its own end and the one that it dialled; nil: nobody is known.
	Process func(local, remote netip.AddrPort) call.Process
	// Own is a port of 127.0.0.1 on this machine that is weir's own: connections to it are not judged; 0: none is.
	Own uint16
	// OwnAlive says whether weir is at that port. It is asked before and after each dialling, by several goroutines at once; when it
	// says no, the connection is refused. nil: weir always is.
	OwnAlive func() bool
	// OnTrouble is told what goes wrong, each kind at most once a minute; nil: nobody is.
	OnTrouble func(error)
}

// maxConnections is how many connections a session may have at a time. Agents have some dozens.
const maxConnections = 1024

// dialTimeout is how long a server may take to answer.
const dialTimeout = 10 * time.Second

// A Monitor takes the connections and lookups of one session, and has each judged before anything of it leaves.
type Monitor struct {
	cfg      Config
	ctx      context.Context // ends with the monitor
	end      context.CancelFunc
	places   places
	verdicts verdicts
	told     told
	machine  machine
	troubles troubles
	count    count
	patience time.Duration // for the first bytes of a client
	slots    chan struct{} // one for each connection
	lookups  chan struct{} // one for each lookup under way

	mu     sync.Mutex
	closed bool
	open   map[closer]struct{}
	work   sync.WaitGroup
}

// A closer is what Close ends: connections and what they are taken from.
type closer interface{ Close() error }

// New returns a monitor that has nothing to watch yet.
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

// Close ends all connections, and all that they are taken from. It returns when nothing is under way any more.
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

// hold makes Close end c, until the function that it returns is called. It says no when the monitor is closed, and then c is too.
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

// judge asks about a connection, and counts the answer.
func (m *Monitor) judge(ctx context.Context, c call.Connection) call.Ruling {
	ruling := m.cfg.Judge.Connect(ctx, c)
	m.count.connection(c, ruling.Released)
	return ruling
}

// dial opens a connection to the very address that was judged: no name is looked up a second time, so none can lead elsewhere.
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
	_ = c.Close() // nobody is left to be told
}
