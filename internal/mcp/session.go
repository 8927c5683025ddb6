package mcp

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
)

// The default bounds.
const (
	defaultMaxOpen = 1000
	defaultMaxHeld = 128 << 20
)

// Config sets up a Session.
type Config struct {
	Server call.MCPServer
	Actor  call.Actor
	Judge  Judge
	// Replays says that a server may send a message again to a client that lost its connection, such as over HTTP. Such a message is
	// judged again. Without Replays, a second response to one request is refused.
	Replays bool
	MaxOpen int // requests that each side may have open, and notifications that may wait; 0: 1,000
	MaxHeld int // bytes of messages that may wait for the judge; 0: 128 MiB
	// Account opens an account for the memory of messages that wait for the judge; nil: only MaxHeld limits them.
	Account func() *budget.Account
	Log     *slog.Logger     // nil: nothing is logged
	Now     func() time.Time // the clock; nil: time.Now
}

// A Way carries out the decision on one message. Exactly one of its functions is called, once, from any goroutine, perhaps after
// From… returned. None of them waits for a response.
type Way struct {
	Forward func(*jsonrpc.Message) // to the other side
	Respond func(*jsonrpc.Message) // back to the sender, in the other side's place; only for requests
	Drop    func()                 // nobody gets the message, and its sender gets no response
	// Trace is the trace that the sender's transport names; zero: none.
	Trace call.Trace
}

// A Session governs the messages of one client and one server. Its methods may be called by several goroutines.
//
// Messages that need not wait are passed on before From… returns, so they stay in order. A message that waits for the judge has
// its own goroutine. Notifications that wait stay in order with others of their sender, and a server's response stays behind the
// notifications that came before it. Nothing else is delayed by messages that wait.
//
// A request goes through these states: waiting (for the judge; skipped if it need not be judged), sending (it is being passed to
// the other side), sent, responding (the response waits for the judge), and closed. It leaves the table of its side when it is
// closed: it is refused, has its response, is cancelled, or is given up because a side is gone.
type Session struct {
	server  call.MCPServer
	actor   call.Actor
	judge   Judge
	replays bool
	maxHeld int
	log     *slog.Logger
	now     func() time.Time

	mu         sync.Mutex
	fromClient side
	fromServer side
	holds      map[*hold]struct{}
	held       int           // bytes of the holds
	tab        budget.Tab    // their memory
	asides     int           // holds that belong to no open request
	working    int           // goroutines
	quiet      chan struct{} // closed when working becomes 0; nil: nobody waits for that
	version    string
	tasks      recent[string, taskOrigin]
	pages      pages
}

// New returns a Session.
func New(cfg Config) *Session {
	s := &Session{
		server: cfg.Server, actor: cfg.Actor, judge: cfg.Judge, replays: cfg.Replays,
		maxHeld: cfg.MaxHeld, log: cfg.Log, now: cfg.Now, holds: map[*hold]struct{}{}, tab: budget.Tab{Open: cfg.Account},
	}
	if s.maxHeld == 0 {
		s.maxHeld = defaultMaxHeld
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.now == nil {
		s.now = time.Now
	}
	maxOpen := cfg.MaxOpen
	if maxOpen == 0 {
		maxOpen = defaultMaxOpen
	}
	s.fromClient = newSide(maxOpen, clientMethods, clientNotes)
	s.fromServer = newSide(maxOpen, serverMethods, serverNotes)
	return s
}

// FromClient decides what to do with a message of the client. ctx ends when the sender is gone; then a request that still waits is
// not passed on.
func (s *Session) FromClient(ctx context.Context, m *jsonrpc.Message, w Way) {
	switch m.Kind {
	case jsonrpc.Request:
		s.ask(ctx, &s.fromClient, m, w)
	case jsonrpc.Notification:
		s.tell(ctx, &s.fromClient, m, w)
	case jsonrpc.Response:
		s.responseFromClient(m, w)
	default:
		w.Drop()
	}
}

// FromServer decides what to do with a message of the server. ctx ends when the stream of the message is gone; then messages that
// still wait are not passed on.
func (s *Session) FromServer(ctx context.Context, m *jsonrpc.Message, w Way) {
	switch m.Kind {
	case jsonrpc.Request:
		s.ask(ctx, &s.fromServer, m, w)
	case jsonrpc.Notification:
		s.tell(ctx, &s.fromServer, m, w)
	case jsonrpc.Response:
		s.responseFromServer(ctx, m, w)
	default:
		w.Drop()
	}
}

// Version is the protocol version that client and server agreed on; "": none yet, or they use a version without such an agreement.
func (s *Session) Version() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// Wait returns when nothing waits for the judge any more, or with the error of ctx. A server that responds and then ends is gone
// while its last response is still being judged.
func (s *Session) Wait(ctx context.Context) error {
	s.mu.Lock()
	if s.working == 0 {
		s.mu.Unlock()
		return nil
	}
	if s.quiet == nil {
		s.quiet = make(chan struct{})
	}
	quiet := s.quiet
	s.mu.Unlock()
	select {
	case <-quiet:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// other is the side that receives what one side sends.
func (s *Session) other(from *side) *side {
	if from == &s.fromClient {
		return &s.fromServer
	}
	return &s.fromClient
}
