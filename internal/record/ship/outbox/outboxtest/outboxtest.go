// Package outboxtest has a real HTTP server without a network, so that tests can use their own clock, and a meter that remembers
// its counts.
package outboxtest

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
)

// Serve starts a server and returns a transport that connects to it, whatever the address. Both end with the test.
func Serve(t testing.TB, h http.Handler) *http.Transport {
	t.Helper()
	l := &listener{conns: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: h}
	var served sync.WaitGroup
	served.Go(func() { _ = server.Serve(l) })
	transport := &http.Transport{DialContext: l.dial, DisableCompression: true}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		_ = server.Close()
		served.Wait()
	})
	return transport
}

// A listener accepts the other ends of pipes.
type listener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (l *listener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	mine, theirs := net.Pipe()
	select {
	case l.conns <- theirs:
		return mine, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *listener) Addr() net.Addr { return &net.IPAddr{IP: net.IPv4(192, 0, 2, 1)} }

// A Meter remembers its counts.
type Meter struct {
	mu     sync.Mutex
	counts Counts
}

// Counts are the counts of a Meter.
type Counts struct{ Queued, Sent, Dropped, Failed int }

// Queued implements outbox.Meter.
func (m *Meter) Queued(n int) { m.note(func(c *Counts) { c.Queued = n }) }

// Sent implements outbox.Meter.
func (m *Meter) Sent(n int) { m.note(func(c *Counts) { c.Sent += n }) }

// Dropped implements outbox.Meter.
func (m *Meter) Dropped(n int) { m.note(func(c *Counts) { c.Dropped += n }) }

// Failed implements outbox.Meter.
func (m *Meter) Failed() { m.note(func(c *Counts) { c.Failed++ }) }

func (m *Meter) note(f func(*Counts)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f(&m.counts)
}

// Counts returns the counts so far.
func (m *Meter) Counts() Counts {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.counts
}
