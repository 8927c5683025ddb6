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

// StdioConfig says how a server that is a process is reached.
type StdioConfig struct {
	Process child.Config
	// Noise is told of what the server writes to its standard output that is no message; nil: nobody is. It is called by one
	// goroutine, and the server waits for it.
	Noise          func(jsonrpc.Noise)
	Mask           *echo.Mask    // takes the credentials that the process was given out of what it says; nil: it was given none
	MaxMessage     int           // bytes that a message of the server may have; 0: 16 MiB
	MessageTimeout time.Duration // how long a message may take from its first byte to its last; 0: 30 s
	// Room is charged for what was read of a message that has not ended; nil: it has no bound. Where there is none, the connection ends.
	Room *budget.Share
}

// stdioConn is a connection with a process.
type stdioConn struct {
	*inbox
	process *child.Process
	writer  *jsonrpc.Writer
	turn    chan struct{} // holds one token: whose it is may write
	close   sync.Once
	pumped  chan struct{} // closed when all was read
}

// Stdio starts a process and returns the connection with it. Closing the connection stops the process, which may take
// twice its grace.
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

// Send writes a message. One that has begun to be written is written to its end, whether or not ctx ends: the stream would be
// of no use after half a message.
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

// unwritten returns why the server takes no more. It is of no use then, even if it goes on.
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

// pump hands on what the server writes, until it is gone.
func (c *stdioConn) pump(cfg StdioConfig) {
	defer close(c.pumped)
	watch := &stallWatch{
		src: cfg.Mask.Reader(c.process.Stdout, nil), limit: cmp.Or(cfg.MessageTimeout, defaultMessageTimeout),
		// The stream is of no use any more.
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
			// What was read of the message might look like others.
			d.refuse(&jsonrpc.Refused{Code: jsonrpc.CodeInvalidRequest, Reason: "it did not end in time"})
			c.end(gone{"began a message that did not end in time, and was stopped"})
			return
		case err == nil:
			// After Close the rest is read and thrown away, so that the process can end.
			_ = d.inbox.put(received{message: m})
		case errors.As(err, &refused):
			d.refuse(refused)
		default:
			// A server that says no more is of no use, even if it goes on.
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

// A stallWatch reads a stream for a reader of messages, and sees to it that a message which has begun ends in time.
//
// It rests while no message has begun. The clock starts when more of one is read, and stops when it has ended.
type stallWatch struct {
	src    io.Reader
	reader *jsonrpc.Reader
	limit  time.Duration
	stuck  func() // is called when a message did not end in time; the source ends then

	timer *time.Timer // nil: at rest
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

// rest says that what had begun has ended.
func (w *stallWatch) rest() {
	if w.timer != nil && w.timer.Stop() {
		w.timer = nil
	}
}

// isStuck reports whether a message did not end in time.
func (w *stallWatch) isStuck() bool { return w.late.Load() }
