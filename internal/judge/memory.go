package judge

import (
	"context"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
)

// A Memory knows what was ruled on calls that a provider stores.
type Memory interface {
	// Ruled returns the strictest ruling that is remembered of a call, and whether there is one.
	Ruled(ctx context.Context, x call.Exchange, wireID string) (call.Ruling, bool, error)
	// Remember remembers a ruling that the store could not take, until the store has it. queued must be called once it waits to be stored
	// again.
	Remember(k call.Remembered) (queued func())
}

// recordAgain retries to record events that could not be recorded. Until it succeeds, the ruling is remembered, if it must be.
func (j *Judge) recordAgain(with record.Effects, events, instead []record.Event) {
	queued := func() {}
	if with.Remember != nil && j.cfg.Memory != nil {
		queued = j.cfg.Memory.Remember(*with.Remember) // first: at no time may nobody know of it
	}
	j.cfg.Recorder.RecordAgain(events, instead, with)
	queued()
}

// recallWithin bounds how long the memory may take.
const recallWithin = 5 * time.Second

// A recollection is what is known of earlier rulings on a call.
type recollection struct {
	ruling call.Ruling
	found  bool
	err    error
}

// nothing says that no earlier ruling on the call is known.
func (r recollection) nothing() bool { return !r.found && r.err == nil }

// refused says that the call was refused before.
func (r recollection) refused() bool { return r.found && !r.ruling.Released }

// recall asks the memory about a call that is read again. It goes on if the agent hangs up: that does not change what was ruled.
func (j *Judge) recall(ctx context.Context, c call.Call) recollection {
	if !c.Exchange.Reread || j.cfg.Memory == nil || j.cfg.Mode == Observe {
		return recollection{}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recallWithin)
	defer cancel()
	var r recollection
	r.ruling, r.found, r.err = j.cfg.Memory.Ruled(ctx, c.Exchange, c.WireID)
	return r
}

// toRemember is the ruling to remember; nil: none. What no provider stores is not read again. A call that broke off in silence is
// ruled when it is complete. A failing memory says nothing about the call.
func (j *Judge) toRemember(g judgement) *call.Remembered {
	c := g.call
	if c.Unit == "" || g.ruling.Silent || j.cfg.Mode == Observe || g.before.err != nil {
		return nil
	}
	if g.before.found && (g.before.refused() || g.ruling.Released) {
		return nil // it is no stricter than what is remembered
	}
	k := &call.Remembered{
		Upstream: c.Exchange.Provider, Response: c.Exchange.ResponseID, Conversation: c.Exchange.Conversation,
		WireID: c.WireID, Unit: c.Unit, Notice: c.Notice, Tool: c.Tool, Ruling: g.ruling,
	}
	if c.Ran {
		k.Unit = "" // the provider waits for no output
	}
	return k
}
