// Package gate is the engine: it holds the calls of a response, asks the judge about them, and sends the response on in order. It
// knows no vendor, no HTTP and no SQL.
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

// A Judge rules calls. It returns no errors: if it cannot rule a call, it refuses it.
type Judge interface {
	// RefusedByName rules a call whose arguments have not arrived yet, if no arguments could change the ruling. It records nothing:
	// the gate calls Refuse right after it.
	RefusedByName(c call.Call) (call.Ruling, bool)
	// Judge decides in the order of its calls and hands the ruling to done, once, when it is final and recorded.
	// It does not wait itself. done may be called before Judge returns, and from any goroutine; it must not block.
	Judge(ctx context.Context, c call.Call, done func(call.Ruling))
	// Refuse records a call that is refused before Judge was asked, or for another reason than policy. done is called as by Judge. If
	// the arguments arrive later, the gate calls Arguments, once.
	Refuse(c call.Call, r call.Ruling, done func(call.Ruling))
	// Arguments records the arguments of a call that was refused before they arrived. fault says why they are incomplete; its Code is
	// "" if they are complete. Nobody waits for it.
	Arguments(c call.Call, fault call.Ruling)
	// Withdraw records the refusal of a call that Judge was asked about but has not ruled yet. done is called as by Judge.
	Withdraw(c call.Call, r call.Ruling, done func(call.Ruling))
	// Ended records how a response ended.
	Ended(call.Outcome)
}

// A Writer receives the bytes for the agent. Flush sends what was written.
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
	Meter     Meter         // nil: nothing is counted
	MaxHold   time.Duration // how long one call may be held; 0: 10 minutes
	KeepAlive time.Duration // silence after which a held stream shows life; 0: 5 seconds
}

// A Passage is one response on its way through the gate.
type Passage struct {
	Actor    call.Actor
	Exchange call.Exchange // Dialect filled in; Model and ResponseID are read from the response
	Dialect  dialect.Dialect
	Source   *frame.Source // In reads from it; the gate flushes before a read that may block
	In       frame.Stream
	Out      Writer
	Abort    func() // makes a blocked read of In return; nil: a read cannot be aborted
	// Patience is how long the agent waits for progress; keep-alives do not count as progress. 0: without limit.
	Patience time.Duration
	// Wait is how long a call may be held for a person's decision; 0: as long as any call may be held.
	Wait time.Duration
	// Started is when the request arrived. Waited is how long the upstream took to begin its response.
	Started time.Time
	Waited  time.Duration
	Status  int // of the response
	// Asked is the size of the request in bytes, if its response costs something; 0: it is not known, or the response costs nothing.
	Asked int64
	Menu  call.Menu // of the request; nil: it is not known
	Whole bool      // the response is not a stream
	// Account is charged for the memory that the response takes; nil: it has no limit.
	Account *budget.Account
	// Bodies is passed on in the outcome; nil: bodies are not stored.
	Bodies func(known func(call.Bodies))
}

// ErrBroken says that the upstream broke off. Held frames are dropped; the agent must see a broken response, too.
var ErrBroken = errors.New("upstream broke off")

// A Gate passes responses.
type Gate struct {
	cfg      Config
	transits transits
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

// Pass reads the response from p.In to its end and writes to p.Out what the agent may have. It returns nil if the response ended,
// also if weir ended it; an error that wraps ErrBroken if the upstream broke off; and the error of p.Out if the agent is gone.
func (g *Gate) Pass(ctx context.Context, p Passage) error {
	t := newTransit(ctx, g, p)
	g.transits.add(t)
	defer t.close()
	defer g.transits.remove(t)
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

// Missed reports an exchange whose response did not reach the gate: it was an error, or there was none. clean says that it was
// complete.
func (g *Gate) Missed(p Passage, clean bool) {
	g.cfg.Judge.Ended(call.Outcome{
		Actor: p.Actor, Exchange: p.Exchange, Started: p.Started, Status: p.Status, Bodies: p.Bodies, Clean: clean,
		Took: call.Took{Upstream: p.Waited},
	})
}

// Refuse sends a notice in place of a response that cannot be read, in the format of that response.
func (g *Gate) Refuse(ctx context.Context, p Passage, why dialect.Refused) error {
	t := newTransit(ctx, g, p)
	defer t.close()
	t.refuse(&why)
	return t.finish(nil)
}
