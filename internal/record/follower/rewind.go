package follower

import (
	"errors"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recordlog"
)

// rewind goes back to the event that follows what the store has of a chain, if the log still has it: a store that was restored from an
// older copy gets again what it lost. It returns whether it went back.
func (f *Follower) rewind(chain string) bool {
	head := f.feeder.heads[chain]
	at, events := recordlog.Position(-1), int64(0)
	f.mu.Lock()
	stored := f.stored
	f.mu.Unlock()
	for g, err := range recordlog.Read(f.config.Log.Folder(), 0) {
		if err != nil || g.At >= stored {
			break
		}
		if g.Kind != recordlog.Event {
			continue
		}
		if at >= 0 {
			events++
			continue
		}
		if link, err := record.LinkOf(g.Text); err != nil || link.Chain != chain || link.Seq != head.Seq+1 {
			continue
		}
		e, err := g.Entry()
		if before, _ := e.Follows(); err != nil || before != head {
			return false
		}
		at, events = g.At, 1
	}
	if at < 0 {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pending, f.held = nil, 0
	f.stored, f.kept = at, f.kept-events
	return true
}

// giveUp sets entries aside that the store cannot take. Nothing more is taken for their chains, so that the recorder begins a new one.
func (f *Follower) giveUp(unfit []record.Entry) error {
	f.mu.Lock()
	for _, e := range unfit {
		f.lost[e.Chain] = f.feeder.heads[e.Chain]
	}
	f.mu.Unlock()
	err := setAside(f.config.Log.Folder(), unfit)
	var aside *SetAside
	if !errors.As(err, &aside) {
		return err
	}
	f.answer(aside)
	f.config.OnError(aside)
	return nil
}
