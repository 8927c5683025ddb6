package kept

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/index"
	"github.com/weir-gate/weir/internal/record/recordlog"
	"github.com/weir-gate/weir/internal/record/store"
)

const (
	// atOnce is how many events are taken in one transaction at most.
	atOnce = 5000
	// bytesAtOnce bounds their texts.
	bytesAtOnce = 8 << 20
	// indexWithin is how long Take waits for the process that writes the index.
	indexWithin = 2 * time.Second
	// lookEvery is how often it looks whether that has happened.
	lookEvery = 20 * time.Millisecond
)

// Take implements follower.Keeper: it stores the effects of entries, and has them indexed. If another process writes the index, it waits
// for that one. It only fails if the effects cannot be stored: what is not indexed is found in the logs, and indexed later.
func (r *Record) Take(ctx context.Context, entries []record.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	log := entries[0].Place.Log
	r.mu.Lock()
	if _, known := r.followed[log]; !known {
		r.followed[log] = 0 // what is not taken yet need not be read from the log
	}
	r.mu.Unlock()
	if err := r.effect(ctx, log, entries); err != nil {
		return err
	}
	err := r.awaitIndexed(ctx, log, entries)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.followed[log] = max(r.followed[log], entries[len(entries)-1].Place.After)
	if err != nil && ctx.Err() == nil {
		r.report(err)
	}
	return ctx.Err()
}

// awaitIndexed indexes entries, or waits for the process that does.
func (r *Record) awaitIndexed(ctx context.Context, log string, entries []record.Entry) error {
	patience := time.Now().Add(indexWithin)
	for {
		done, err := r.indexEntries(ctx, log, entries)
		if err != nil || done {
			return err
		}
		if time.Now().After(patience) {
			return errors.New("the process that indexes the record is behind; weir calls reads the newest events from the logs meanwhile")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lookEvery):
		}
	}
}

// effect stores the effects of entries. If the file was restored from an older copy, it first gets what it lost.
func (r *Record) effect(ctx context.Context, log string, entries []record.Entry) error {
	err := r.Effect(ctx, entries)
	if !errors.Is(err, store.ErrNotNext) {
		return err
	}
	if missed := r.effectUpTo(ctx, log, entries[0].Place.At); missed != nil {
		return errors.Join(err, missed)
	}
	return r.Effect(ctx, entries)
}

// effectUpTo stores the effects of a log's events up to a position.
func (r *Record) effectUpTo(ctx context.Context, log string, upto int64) error {
	from, err := r.Effected(ctx, log)
	if err != nil || from >= upto {
		return err
	}
	return r.portions(ctx, log, from, upto, func(entries []record.Entry, after int64) error {
		loose, err := r.EffectLeft(ctx, log, entries, after)
		for _, e := range loose {
			r.report(fmt.Errorf("log %s: event %d of chain %s does not follow the one before it; run weir audit verify", log, e.Seq, e.Chain))
		}
		return err
	})
}

// portions reads the entries of a log between two positions, some at a time. take also gets the position after what was read: what is no
// event is passed.
func (r *Record) portions(ctx context.Context, log string, from, upto int64, take func(entries []record.Entry, after int64) error) error {
	return r.portionsOf(ctx, atOnce, log, from, upto, take)
}

// portionsOf is portions with at most so many entries at a time.
func (r *Record) portionsOf(ctx context.Context, most int, log string, from, upto int64,
	take func(entries []record.Entry, after int64) error,
) error {
	var waiting []record.Entry
	size, taken, after := 0, from, from
	for g, err := range recordlog.Scan(filepath.Join(r.folder, log), from) {
		if damage := (*recordlog.Damage)(nil); errors.As(err, &damage) {
			r.report(damage) // what comes after it is not lost
			continue
		}
		if err != nil {
			return err
		}
		if g.At >= upto {
			break
		}
		after = g.After
		if g.Kind != recordlog.Event {
			continue
		}
		e, err := g.Entry()
		if err != nil {
			r.report(unreadable(log, g, err))
			continue
		}
		e.Place.Log = log
		waiting, size = append(waiting, e), size+len(e.Text)
		if len(waiting) < most && size < bytesAtOnce {
			continue
		}
		if err := errors.Join(ctx.Err(), take(waiting, after)); err != nil {
			return err
		}
		waiting, size, taken = nil, 0, after
	}
	if after <= taken {
		return nil
	}
	return take(waiting, after)
}

// unreadable is the error for what a log has in place of an event. Somebody changed it, with the checksum: weir audit verify shows it.
func unreadable(log string, g recordlog.Logged, err error) error {
	return fmt.Errorf("log %s, position %d is no event: %w; run weir audit verify", log, g.At, err)
}

// indexEntries indexes entries of one log, if this process writes the index, and returns whether they are indexed.
func (r *Record) indexEntries(ctx context.Context, log string, entries []record.Entry) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	upto := entries[len(entries)-1].Place.After
	mine, err := r.own(ctx)
	if err != nil {
		return false, err
	}
	at, err := r.index.Cursor(ctx, log)
	if !mine {
		return at >= upto, err
	}
	if err != nil {
		return false, r.broken(err)
	}
	if at < entries[0].Place.At {
		// The index was made anew, or another process wrote it meanwhile.
		if err := r.catchUp(ctx, log, at, entries[0].Place.At); err != nil {
			return false, r.broken(err)
		}
		if at, err = r.index.Cursor(ctx, log); err != nil {
			return false, r.broken(err)
		}
	}
	for len(entries) > 0 && entries[0].Place.At < at {
		entries = entries[1:]
	}
	if len(entries) > 0 {
		if err := r.indexer.Apply(ctx, log, at, upto, placed(entries)); err != nil {
			return false, r.broken(err)
		}
	}
	return true, nil
}

// catchUp indexes what a log has between two positions. The lock is held.
func (r *Record) catchUp(ctx context.Context, log string, from, upto int64) error {
	return r.portions(ctx, log, from, upto, func(entries []record.Entry, after int64) error {
		err := r.indexer.Apply(ctx, log, from, after, placed(entries))
		from = after
		return err
	})
}

// own tries to become the process that writes the index. The lock is held.
func (r *Record) own(ctx context.Context) (bool, error) {
	if r.indexer != nil && !r.indexer.Gone() {
		return true, nil
	}
	r.letGo()
	x, err := index.Open(ctx, index.Config{Folder: r.indexFolder, Texts: r.logs})
	if errors.Is(err, index.ErrBusy) {
		return false, nil
	}
	if err != nil {
		return false, r.broken(err)
	}
	r.indexer = x
	return true, nil
}

func placed(entries []record.Entry) []index.Placed {
	all := make([]index.Placed, len(entries))
	for i, e := range entries {
		all[i] = index.Placed{At: e.Place.At, After: e.Place.After, Entry: e}
	}
	return all
}
