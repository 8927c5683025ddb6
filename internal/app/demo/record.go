package demo

import (
	"context"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/home"
	"github.com/weir-gate/weir/internal/record/query"
)

// A follower shows what weir records.
type follower struct {
	reader home.View
	screen *screen
	row    int64
	early  map[call.ID]record.Event // refusals whose arguments follow
}

// lookEvery is how often the record is read.
const lookEvery = 15 * time.Millisecond

// follow shows the record during a turn, until both have ended.
func (r *follower) follow(ctx context.Context, turn <-chan error) error {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for recorded := false; !recorded || turn != nil; {
		ended, err := r.look(ctx)
		if err != nil {
			return err
		}
		recorded = recorded || ended
		select {
		case err := <-turn:
			if err != nil {
				return err
			}
			turn = nil
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// look shows new events and says whether the end of the turn is recorded.
func (r *follower) look(ctx context.Context) (ended bool, err error) {
	for e, err := range r.reader.Entries(ctx, query.Filter{AfterRow: r.row}) {
		if err != nil {
			return false, err
		}
		r.row = e.Row
		ev, err := e.Event()
		if err != nil {
			return false, err
		}
		switch {
		case ev.Type.IsAsked():
			r.meet(ev)
		case ev.Type == record.Types.CallArguments:
			if called, ok := r.early[ev.CallID]; ok {
				delete(r.early, ev.CallID)
				r.show(called.Join(ev))
			}
		case ev.Type == record.Types.ResponseDone:
			ended = true
		}
	}
	return ended, nil
}

// meet shows a call as soon as its arguments are known.
func (r *follower) meet(e record.Event) {
	if !e.ArgsFollow() {
		r.show(e)
		return
	}
	if r.early == nil {
		r.early = map[call.ID]record.Event{}
	}
	r.early[e.CallID] = e
}

func (r *follower) show(e record.Event) {
	style := r.screen.style
	r.screen.show(recordColumn, style.Brief(e), func(text string) string { return style.As(e, text) })
}
