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

// How long the first bytes are waited for. Nothing has been passed on meanwhile, so a slow client hides nothing.
const (
	// firstBytes is long enough for a client that speaks first, and not too long for one that waits for the server.
	firstBytes = 100 * time.Millisecond
	// begunBytes is for what goes on for certain.
	begunBytes = 15 * time.Second
)

// readSize is how many bytes are asked for at a time while a name is looked for.
const readSize = 4 << 10

// A client is a program's end of a connection, with what it sent and nobody has passed on yet.
type client struct {
	net.Conn
	head []byte
}

// more waits for bytes until a time, and keeps them; the zero time is never.
func (c *client) more(until time.Time) error {
	if err := c.SetReadDeadline(until); err != nil {
		return err
	}
	return c.read()
}

// read keeps what one read gives.
func (c *client) read() error {
	c.head = slices.Grow(c.head, readSize)
	n, err := c.Conn.Read(c.head[len(c.head) : len(c.head)+readSize])
	c.head = c.head[:len(c.head)+n]
	return err
}

// forget lets go of what was passed on.
func (c *client) forget(n int) {
	if c.head = c.head[n:]; len(c.head) == 0 {
		c.head = nil
	}
}

// waits are how long a client is waited for.
type waits struct {
	first time.Duration // for the first byte; 0: forever
	// open is for what may become a request, and may as well be all that the client has to say; 0: not at all.
	open time.Duration
}

// glimpse reads what the client says first, or after something else. Without an error, st is nothing if the client has not said anything.
// The error is one
// that ends the connection.
func (c *client) glimpse(w waits, kind followKind) (g glimpse, st stage, err error) {
	defer c.SetReadDeadline(time.Time{}) // a connection that is gone shows it in the next read
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
			g, st = look(c.head, kind) // a last read may have brought something
			return g, st, nil
		default:
			return glimpse{}, st, err
		}
	}
}

// while asks something that takes time, with a context that ends when the client breaks off. An orderly end is none: a client may
// be done with sending, and wait for an answer.
func (c *client) while(ctx context.Context, ask func(context.Context)) {
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
	_ = c.SetReadDeadline(time.Time{}) // likewise
}
