package kept

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recordlog"
	"github.com/weir-gate/weir/internal/record/store"
)

// movedLog is the name of the log that events of earlier versions are moved into.
const movedLog = "moved"

// moveIn moves the events that an earlier version kept in the file into a log. Each is compared with its hash and the event before it. The
// file lets go of them when the log is durable, all at once; a move that was interrupted begins anew.
func (r *Record) moveIn(ctx context.Context) error {
	has, err := r.HasEvents(ctx)
	if err != nil || !has {
		return err
	}
	folder, err := store.URL(r.config.URL).LogFolder("")
	if err != nil {
		return err
	}
	m := move{record: r, begins: map[string]int64{}, heads: map[string]record.Head{}}
	if err := m.run(ctx, folder); err != nil {
		return fmt.Errorf("move the events of an earlier version into a log: %w", err)
	}
	return nil
}

// A move is the moving of events into a log.
type move struct {
	record  *Record
	log     *recordlog.Log
	begins  map[string]int64       // where chains begin in the log
	heads   map[string]record.Head // their newest events
	done    int64
	changed int64 // events that are not as they were written
}

func (m *move) run(ctx context.Context, folder string) (err error) {
	// What an interrupted move left is of no use: the file still has the events.
	if err := os.RemoveAll(filepath.Join(folder, movedLog)); err != nil {
		return err
	}
	chains, err := m.record.Store.Chains(ctx)
	if err != nil {
		return err
	}
	all := int64(0)
	for _, c := range chains {
		all += max(0, c.Seq-c.First+1)
	}
	if m.log, err = recordlog.Create(recordlog.Config{Folder: folder, Name: movedLog}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.log.Close(false)) }()
	if err := m.copy(ctx, all); err != nil {
		return err
	}
	var moved []store.KeptChain
	for _, c := range chains {
		if c.First > c.Seq {
			continue // all of it was cut
		}
		moved = append(moved, store.KeptChain{ChainState: c, Log: movedLog, Begins: m.begins[c.Chain]})
	}
	if m.changed > 0 || m.done != all {
		m.record.config.OnError(fmt.Errorf("%d events were moved into a log; there should be %d, and %d of them are not as they were written: "+
			"run weir audit verify", m.done, all, m.changed))
	}
	return m.record.MovedOut(ctx, movedLog, moved, m.log.End())
}

// copy appends all events to the log.
func (m *move) copy(ctx context.Context, all int64) error {
	var waiting []record.Entry
	size := 0
	flush := func() error {
		if len(waiting) == 0 {
			return nil
		}
		if err := m.log.Append(ctx, waiting); err != nil {
			return err
		}
		for _, e := range waiting {
			if _, begun := m.begins[e.Chain]; !begun {
				m.begins[e.Chain] = e.Place.At
			}
		}
		m.done += int64(len(waiting))
		m.record.config.OnMoved(m.done, all)
		waiting, size = nil, 0
		return nil
	}
	for e, err := range m.record.Store.Entries(ctx, query.Filter{}) {
		if err != nil {
			return err
		}
		if err := m.follows(e); err != nil {
			return err
		}
		e.With = record.Effects{} // the file has the effects already
		if waiting, size = append(waiting, e), size+len(e.Text); len(waiting) >= atOnce || size >= bytesAtOnce {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// follows notes whether an event is as it was written. One that is not is moved as it is, so that weir audit verify finds it.
func (m *move) follows(e record.Entry) error {
	link, err := record.LinkOf(e.Text)
	if err != nil || link.Chain != e.Chain || link.Seq != e.Seq {
		return fmt.Errorf("chain %s, event %d is no event any more; run weir audit verify with the version that wrote it, and move the file "+
			"away to begin a new record", e.Chain, e.Seq)
	}
	before, _ := e.Follows()
	if last, known := m.heads[e.Chain]; !e.Intact() || known && before != last {
		m.changed++
	}
	m.heads[e.Chain] = e.Head
	return nil
}
