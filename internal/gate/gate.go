// Package gate is the engine: it holds the calls of a response, has them judged, and lets the response out in order.
// It knows no vendor, no HTTP and no SQL.
package gate

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/model/dialect"
)

// A Judge rules calls. Trouble is a refusal: it has no error to return.
type Judge interface {
	// RefusedByName rules a call whose arguments are not there yet, when no arguments could change the ruling.
	// Nothing is recorded: Refuse follows at once.
	RefusedByName(c call.Call) (call.Ruling, bool)
	// Judge decides in the order of its calls and hands the ruling to done, once, when it is final and recorded.
	// It does not wait itself. done may be called before Judge returns, and from any goroutine; it must not block.
	Judge(ctx context.Context, c call.Call, done func(call.Ruling))
	// Refuse records a call that is refused before Judge was asked, or for another reason than policy. done is as that of Judge. If
	// the arguments follow, Arguments does, once.
	Refuse(c call.Call, r call.Ruling, done func(call.Ruling))
	// Arguments records the arguments of a call that was refused before they were there. fault says why they are not whole; its Code
	// is "" if they are. Nobody waits for it.
	Arguments(c call.Call, fault call.Ruling)
	// Withdraw records that a call which Judge was asked about is refused before Judge has ruled. done is as that of Judge.
	Withdraw(c call.Call, r call.Ruling, done func(call.Ruling))
	// Ended records how a response ended.
	Ended(call.Outcome)
}

// A Writer takes what goes to the agent. Flush sends what was written.
type Writer interface {
	io.Writer
	Flush() error
}

// A Meter counts responses and calls.
type Meter interface {
	StreamOpened()
	StreamClosed()
	CallHeld(time.Duration)     // from its first byte to its ruling
	CallReleased(time.Duration) // from its last byte to its ruling; 0: it was ruled before
}

// Config sets up a Gate.
type Config struct {
	Judge     Judge
	Meter     Meter         // nil: nobody counts
	MaxHold   time.Duration // how long one call may be held; 0: 10 minutes
	KeepAlive time.Duration // silence after which a held stream shows life; 0: 5 seconds
}

// A Passage is one response on its way through the gate.
type Passage struct {
	Actor    call.Actor
	Exchange call.Exchange // Dialect filled in; Model and ResponseID are read from the response
	Dialect  dialect.Dialect
	Source   *frame.Source // what In reads from: the gate flushes before it blocks there
	In       frame.Stream
	Out      Writer
	Abort    func() // makes a blocked read of In return; nil: nothing can
	// Patience is how long the agent goes without progress, whatever shows life meanwhile; 0: as long as need be.
	Patience time.Duration
	// Started is when the request came, and Waited how long the upstream took until its response began.
	Started time.Time
	Waited  time.Duration
	Status  int // of the response
	// Asked is the size of the request in bytes, if its response costs something; 0: not known, or it does not.
	Asked int64
	Menu  call.Menu // of the request; nil: it is not known
	Whole bool      // the response is no stream
	// Account is charged for what the response makes weir hold; nil: that has no bound.
	Account *budget.Account
	// Bodies goes into the outcome as it is; nil: bodies are not stored.
	Bodies func(known func(call.Bodies))
}

// ErrBroken says that the upstream broke off. What was held is dropped; the agent must see a broken response too.
var ErrBroken = errors.New("upstream broke off")

// A Gate passes responses.
type Gate struct {
	cfg Config
}

// New returns a Gate.
func New(cfg Config) *Gate {
	if cfg.MaxHold == 0 {
		cfg.MaxHold = 10 * time.Minute
	}
	if cfg.KeepAlive == 0 {
		cfg.KeepAlive = 5 * time.Second
	}
	if cfg.Meter == nil {
		cfg.Meter = noMeter{}
	}
	return &Gate{cfg: cfg}
}

// noMeter counts nothing.
type noMeter struct{}

func (noMeter) StreamOpened()              {}
func (noMeter) StreamClosed()              {}
func (noMeter) CallHeld(time.Duration)     {}
func (noMeter) CallReleased(time.Duration) {}

// Pass reads the response from p.In to its end and writes to p.Out what the agent may have. It returns nil when the
// response came to its end, also if weir ended it; an error that wraps ErrBroken when the upstream broke off; and what
// p.Out said when the agent is gone.
func (g *Gate) Pass(ctx context.Context, p Passage) error {
	t := newTransit(ctx, g, p)
	defer t.close()
	p.Source.BeforeRead = t.flushBeforeRead
	for {
		f, err := p.In.Next()
		if err != nil {
			return t.readEnded(err)
		}
		if !t.take(f) {
			return t.finish(nil)
		}
	}
}

// Missed reports a response of which nothing came to the gate: an error, or none at all. clean says that it was whole.
func (g *Gate) Missed(p Passage, clean bool) {
	g.cfg.Judge.Ended(call.Outcome{
		Actor: p.Actor, Exchange: p.Exchange, Started: p.Started, Status: p.Status, Bodies: p.Bodies, Clean: clean,
		Took: call.Took{Upstream: p.Waited},
	})
}

// Refuse ends a response of which nothing can be read, in the wire's own words.
func (g *Gate) Refuse(ctx context.Context, p Passage, why dialect.Refused) error {
	t := newTransit(ctx, g, p)
	defer t.close()
	t.refuse(&why)
	return t.finish(nil)
}
