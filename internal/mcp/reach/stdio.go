package reach

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/mcp/child"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/text/echo"
)

// StdioConfig says how a server process is reached.
type StdioConfig struct {
	Process child.Config
	// Noise is called for text on the server's standard output that is not a message; nil: it is not called. One goroutine calls it,
	// and the server waits for it.
	Noise          func(jsonrpc.Noise)
	Mask           *echo.Mask    // removes the credentials that the process got from its output; nil: it got none
	MaxMessage     int           // bytes that a message of the server may have; 0: 16 MiB
	MessageTimeout time.Duration // how long a message may take from its first byte to its last; 0: 30 s
	// Room is charged for the bytes of an incomplete message; nil: without limit. If there is no room, the connection ends.
	Room *budget.Share
}

// stdioConn is a connection with a process.
type stdioConn struct {
	*inbox
	process *child.Process
	writer  *jsonrpc.Writer
	turn    chan struct{} // holds one token; its owner may write
	close   sync.Once
	pumped  chan struct{} // closed when all was read
}

// Stdio starts a process and returns the connection with it. Closing the connection stops the process, which may take twice its
// grace period.
func Stdio(cfg StdioConfig) (Conn, error) {
	c, err := startStdio(cfg)
	if err != nil {
		return nil, err
	}
	return c, nil
}

func startStdio(cfg StdioConfig) (*stdioConn, error) {
	process, err := child.Start(cfg.Process)
	if err != nil {
		return nil, err
	}
	c := &stdioConn{
		inbox: newInbox(), process: process, writer: jsonrpc.NewWriter(process.Stdin),
		turn: make(chan struct{}, 1), pumped: make(chan struct{}),
	}
	c.turn <- struct{}{}
	go c.pump(cfg)
	return c, nil
}

// Send writes a message. Once writing has begun, the whole message is written, even if ctx ends: after half a message the stream
// would be useless.
func (c *stdioConn) Send(ctx context.Context, m *jsonrpc.Message) error {
	select {
	case <-c.turn:
	case <-c.closed:
		return fmt.Errorf("send message: %w", ErrClosed)
	case <-ctx.Done():
		return fmt.Errorf("send message: %w", ctx.Err())
	}
	written := make(chan error, 1)
	go func() {
		written <- c.writer.Write(m)
		c.turn <- struct{}{}
	}()
	select {
	case err := <-written:
		if err != nil {
			return fmt.Errorf("send message: %w", c.unwritten(ctx))
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("send message: %w", ctx.Err())
	}
}

// unwritten stops a server that accepts no more input, and returns why. Such a server is useless, even if it still runs.
func (c *stdioConn) unwritten(ctx context.Context) error {
	select {
	case <-c.closed:
		return ErrClosed
	default:
		return gone{c.process.Stop(ctx).String()}
	}
}

// Close stops the process.
func (c *stdioConn) Close() error {
	c.close.Do(func() { close(c.closed) })
	c.process.Stop(context.Background())
	<-c.pumped
	return nil
}

// pump delivers the messages of the server, until it is gone.
func (c *stdioConn) pump(cfg StdioConfig) {
	defer close(c.pumped)
	watch := &stallWatch{
		src: cfg.Mask.Reader(c.process.Stdout, nil), limit: cmp.Or(cfg.MessageTimeout, defaultMessageTimeout),
		// The stream is useless after that.
		stuck: c.kill,
	}
	watch.reader = jsonrpc.NewReader(jsonrpc.ReaderConfig{
		Source: watch, MaxMessage: cmp.Or(cfg.MaxMessage, defaultMaxMessage), Room: cfg.Room,
		Noise: func(n jsonrpc.Noise) {
			watch.rest()
			if cfg.Noise != nil {
				cfg.Noise(n)
			}
		},
	})
	d := delivery{inbox: c.inbox}
	for {
		m, err := watch.reader.Next()
		watch.rest()
		var refused *jsonrpc.Refused
		switch {
		case watch.isStuck():
			// Parts of the unfinished message might look like other messages.
			d.refuse(&jsonrpc.Refused{Code: jsonrpc.CodeInvalidRequest, Reason: "it did not end in time"})
			c.end(gone{"began a message that did not end in time, and was stopped"})
			return
		case err == nil:
			// After Close the rest is read and dropped, so that the process can end.
			_ = d.inbox.put(received{message: m})
		case errors.As(err, &refused):
			d.refuse(refused)
		default:
			// A server without output is useless, even if it still runs.
			c.end(gone{c.process.Stop(context.Background()).String()})
			return
		}
	}
}

// kill ends the process at once.
func (c *stdioConn) kill() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c.process.Stop(ctx)
}

// A stallWatch reads a stream for a jsonrpc.Reader, and checks that every message that has begun ends in time.
//
// Its timer starts when more of a message is read, and stops when the message has ended.
type stallWatch struct {
	src    io.Reader
	reader *jsonrpc.Reader
	limit  time.Duration
	stuck  func() // is called when a message did not end in time; it must end the source

	timer *time.Timer // nil: not running
	late  atomic.Bool
}

// Read reads from the stream.
func (w *stallWatch) Read(p []byte) (int, error) {
	switch {
	case !w.reader.Begun():
		w.rest()
	case w.timer == nil:
		w.timer = time.AfterFunc(w.limit, func() {
			w.late.Store(true)
			w.stuck()
		})
	}
	return w.src.Read(p)
}

// rest stops the timer.
func (w *stallWatch) rest() {
	if w.timer != nil && w.timer.Stop() {
		w.timer = nil
	}
}

// isStuck reports whether a message did not end in time.
func (w *stallWatch) isStuck() bool { return w.late.Load() }
