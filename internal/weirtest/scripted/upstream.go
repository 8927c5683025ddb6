// Package scripted is an upstream on loopback that plays written answers and keeps what it was asked.
package scripted

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
)

// Config sets up an Upstream.
type Config struct {
	// Answer returns what a request is answered with. It is called from many goroutines. nil: Queue().
	Answer func(Request) Answer
	// Addr is where to listen; "": a free port of 127.0.0.1.
	Addr string
}

// A Request is what a client sent, as it was sent.
type Request struct {
	Method   string
	Host     string
	Path     string // as on the wire, escapes kept
	RawQuery string
	Header   http.Header
	Body     []byte
}

// An Upstream is a running HTTP server.
type Upstream struct {
	answer func(Request) Answer
	server *http.Server
	addr   string
	served chan struct{}  // closed when the server no longer accepts
	open   sync.WaitGroup // answers under way

	mu       sync.Mutex
	closed   bool // nothing is added to open any more
	requests []Request
}

// New starts an Upstream. Close stops it.
func New(cfg Config) (*Upstream, error) {
	if cfg.Addr == "" {
		cfg.Addr = "127.0.0.1:0"
	}
	if cfg.Answer == nil {
		cfg.Answer = Queue()
	}
	listener, err := net.Listen("tcp", cfg.Addr)
	if err != nil {
		return nil, fmt.Errorf("start scripted upstream: %w", err)
	}
	u := &Upstream{answer: cfg.Answer, addr: listener.Addr().String(), served: make(chan struct{})}
	u.server = &http.Server{Handler: http.HandlerFunc(u.serve)}
	go func() {
		defer close(u.served)
		// It ends when Close is called; whatever else ends it shows at the client, which cannot connect.
		_ = u.server.Serve(listener)
	}()
	return u, nil
}

// URL is the address of the upstream, without a path.
func (u *Upstream) URL() string { return "http://" + u.addr }

// Requests returns the requests that came so far, in the order in which their bodies were complete.
func (u *Upstream) Requests() []Request {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.requests)
}

// Close breaks off all answers under way and returns when none is left.
func (u *Upstream) Close() error {
	u.mu.Lock()
	u.closed = true
	u.mu.Unlock()
	err := u.server.Close()
	<-u.served
	u.open.Wait()
	if err != nil {
		return fmt.Errorf("close scripted upstream: %w", err)
	}
	return nil
}

// begin counts an answer as under way, unless the upstream is closed.
func (u *Upstream) begin() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.closed {
		u.open.Add(1)
	}
	return !u.closed
}

// serve records a request and plays its answer.
func (u *Upstream) serve(w http.ResponseWriter, r *http.Request) {
	if !u.begin() {
		panic(http.ErrAbortHandler)
	}
	defer u.open.Done()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler) // the client is gone
	}
	request := Request{
		Method: r.Method, Host: r.Host, Path: r.URL.EscapedPath(), RawQuery: r.URL.RawQuery,
		Header: r.Header.Clone(), Body: body,
	}
	u.mu.Lock()
	u.requests = append(u.requests, request)
	u.mu.Unlock()
	if err := u.answer(request).play(r.Context(), w); err != nil {
		panic(http.ErrAbortHandler) // how net/http is told to drop the connection
	}
}
