package kept

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/follower"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recordlog"
	"github.com/weir-gate/weir/internal/record/store"
)

// movedLog is the name of the log that events of earlier versions are moved into.
const movedLog = "moved"

// movingFile is locked by the process that moves events.
const movingFile = ".moving"

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
	release, err := r.mayMove(ctx, folder)
	if err != nil || release == nil {
		return err
	}
	defer release()
	m := move{record: r, begins: map[string]int64{}, heads: map[string]record.Head{}}
	if err := m.run(ctx, folder); err != nil {
		return fmt.Errorf("move the events of an earlier version into a log: %w", err)
	}
	return nil
}

// mayMove waits until no other process moves events, and keeps others from it until release is called. If another has moved them, release
// is nil.
func (r *Record) mayMove(ctx context.Context, folder string) (release func(), err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	for {
		release, mine, err := recordlog.TryLock(filepath.Join(folder, movingFile))
		if err != nil {
			return nil, err
		}
		if mine {
			has, err := r.HasEvents(ctx)
			if err == nil && has {
				return release, nil
			}
			release()
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lookEvery):
		}
	}
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
	if err := m.drain(ctx, folder); err != nil {
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

// drain stores what the earlier version left in its own logs, which it did not keep: a chain is in one log only. Whoever has such a log
// open would go on with it.
func (m *move) drain(ctx context.Context, folder string) error {
	left, err := follower.Drain(ctx, m.record.Store, folder)
	for _, trouble := range left.Troubles {
		m.record.config.OnError(trouble)
	}
	if err == nil && len(left.Live) > 0 {
		err = errors.New("a weir of an earlier version still runs; stop it, and start again")
	}
	return err
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
	for e, err := range m.record.Store.Entries(ctx, query.Filter{Garbled: true}) {
		if err != nil {
			return err
		}
		m.follows(e)
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
func (m *move) follows(e record.Entry) {
	link, err := record.LinkOf(e.Text)
	before, _ := e.Follows()
	last, known := m.heads[e.Chain]
	if err != nil || link.Chain != e.Chain || link.Seq != e.Seq || e.Garbled != "" || !e.Intact() || known && before != last {
		m.changed++
	}
	m.heads[e.Chain] = e.Head
}
