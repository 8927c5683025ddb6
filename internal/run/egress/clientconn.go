package egress

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"time"
)

// How long to wait for the first bytes. Nothing is forwarded meanwhile, so a slow client can hide nothing.
const (
	// firstBytes is long enough for a client that sends first, and not too long for a client that waits for the server.
	firstBytes = 100 * time.Millisecond
	// begunBytes is the time for bytes that must follow.
	begunBytes = 15 * time.Second
)

// readSize is the size of a read while a name is searched for.
const readSize = 4 << 10

// A clientConn is a program's end of a connection, with the bytes that it sent and that are not forwarded yet.
type clientConn struct {
	net.Conn
	head []byte
}

// more waits for bytes until a time, and adds them to the head; with the zero time it waits forever.
func (c *clientConn) more(until time.Time) error {
	if err := c.SetReadDeadline(until); err != nil {
		return err
	}
	return c.read()
}

// read adds the bytes of one read to the head.
func (c *clientConn) read() error {
	c.head = slices.Grow(c.head, readSize)
	n, err := c.Conn.Read(c.head[len(c.head) : len(c.head)+readSize])
	c.head = c.head[:len(c.head)+n]
	return err
}

// forget removes forwarded bytes from the head.
func (c *clientConn) forget(n int) {
	if c.head = c.head[n:]; len(c.head) == 0 {
		c.head = nil
	}
}

// waits says how long to wait for a client.
type waits struct {
	first time.Duration // for the first byte; 0: forever
	// open is for bytes that may become a request, but may also be all that the client sends; 0: do not wait.
	open time.Duration
}

// glimpse parses what the client sends first, or after something else. Without an error, st is nothing if the client has sent
// nothing. An error ends the connection.
func (c *clientConn) glimpse(w waits, kind followKind) (g glimpse, st stage, err error) {
	defer c.SetReadDeadline(time.Time{}) // if the connection is gone, the next read fails
	var until time.Time
	if w.first > 0 {
		until = time.Now().Add(w.first)
	}
	var began time.Time
	for {
		g, st = look(c.head, kind)
		if st == settled || st == unlikely || st == open && w.open == 0 {
			return g, st, nil
		}
		if st != nothing && began.IsZero() {
			began = time.Now()
		}
		switch st {
		case open:
			until = began.Add(w.open)
		case begun:
			until = began.Add(begunBytes)
		}
		err := c.more(until)
		switch {
		case err == nil:
		case errors.Is(err, io.EOF), errors.Is(err, os.ErrDeadlineExceeded):
			g, st = look(c.head, kind) // the last read may have added bytes
			return g, st, nil
		default:
			return glimpse{}, st, err
		}
	}
}

// while calls ask with a context that ends when the client breaks off. An orderly end does not count: a client may have sent
// everything, and wait for a response.
func (c *clientConn) while(ctx context.Context, ask func(context.Context)) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := c.read()
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrDeadlineExceeded) {
			cancel()
		}
	}()
	ask(ctx)
	_ = c.SetReadDeadline(time.Unix(1, 0)) // wakes the read; if the connection is gone, the read has ended
	<-done
	_ = c.SetReadDeadline(time.Time{}) // if the connection is gone, the next read fails
}
