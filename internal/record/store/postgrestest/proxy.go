package postgrestest

import (
	"bytes"
	"net"
	"sync"
	"testing"
)

// A Proxy is between weir and a server, and can disturb connections as networks do.
type Proxy struct {
	t        testing.TB
	listener net.Listener
	target   string

	mu    sync.Mutex
	pairs []*pair
	plan  Plan
}

// A Plan says what the proxy does with the bytes. The zero value passes everything on.
type Plan struct {
	Sent     int  // cut after so many more bytes from weir; 0: never
	Answered int  // cut after so many more bytes from the server; 0: never
	Swallow  bool // pass nothing on any more, without an error
	Keep     bool // hold what weir sends, and cut weir off when it has sent a whole batch
}

// A pair is a connection from weir and its connection to the server.
type pair struct {
	client, server net.Conn
	kept           []byte        // what weir sent
	answer         []byte        // what the server sent after that
	done           chan struct{} // closed when the server has ended the connection
}

// NewProxy starts a proxy to a server. It ends with the test.
func NewProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{t: t, listener: l, target: target}
	t.Cleanup(func() {
		l.Close() // nobody connects any more
		p.Cut()
	})
	go p.accept()
	return p
}

// Address is the host and port of the proxy.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.target)
		if err != nil {
			client.Close()
			continue
		}
		c := &pair{client: client, server: server, done: make(chan struct{})}
		p.mu.Lock()
		p.pairs = append(p.pairs, c)
		p.mu.Unlock()
		go p.copy(c, server, client, func(pl *Plan) *int { return &pl.Sent }, true)
		go func() {
			defer close(c.done)
			p.copy(c, client, server, func(pl *Plan) *int { return &pl.Answered }, false)
		}()
	}
}

// Follow sets the plan from now on.
func (p *Proxy) Follow(pl Plan) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.plan = pl
}

// Done says whether a connection was cut as planned.
func (p *Proxy) Done() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.plan == Plan{}
}

// Cut closes all connections.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.pairs {
		c.client.Close()
		c.server.Close()
	}
	p.pairs = nil
}

// endOfBatch is the message after which a server commits.
var endOfBatch = []byte{'S', 0, 0, 0, 4}

func (p *Proxy) copy(c *pair, to, from net.Conn, left func(*Plan) *int, fromWeir bool) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		data := buffer[:n]
		p.mu.Lock()
		ends := false
		switch l := left(&p.plan); {
		case p.plan.Swallow:
			data = nil
		case p.plan.Keep && fromWeir:
			c.kept = append(c.kept, data...)
			data = nil
			if bytes.HasSuffix(c.kept, endOfBatch) {
				p.plan = Plan{}
				p.mu.Unlock()
				c.client.Close() // the server does not notice
				return
			}
		case *l > 0 && n >= *l:
			data, ends = data[:*l], true
			p.plan = Plan{}
		case *l > 0:
			*l -= n
		}
		kept := len(c.kept) > 0
		if kept && !fromWeir {
			c.answer = append(c.answer, data...)
		}
		p.mu.Unlock()
		if len(data) > 0 {
			to.Write(data) // a failure shows on the other side
		}
		if (err != nil || ends) && !kept {
			c.client.Close()
			c.server.Close()
		}
		if err != nil || ends {
			return
		}
	}
}

// Deliver sends the held bytes to the server, and returns its response.
func (p *Proxy) Deliver() string {
	p.mu.Lock()
	var late *pair
	for _, c := range p.pairs {
		if len(c.kept) > 0 {
			late = c
		}
	}
	p.mu.Unlock()
	if late == nil {
		p.t.Fatal("nothing was kept")
	}
	// The end of the input, so that the server ends the connection after its response.
	terminate := []byte{'X', 0, 0, 0, 4}
	if _, err := late.server.Write(append(late.kept, terminate...)); err != nil {
		p.t.Fatal(err)
	}
	<-late.done
	return string(late.answer)
}
