package kept

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/index"
	"github.com/weir-gate/weir/internal/record/recordlog"
)

// Rows are in the order in which events were indexed, and lists show them so. So several logs that are behind are indexed by the times of
// their events: an index that is made anew has about the order that the first one had.

const (
	// slack is by how much, in microseconds, the times of rows may be out of order.
	slack = 1_000_000
	// fewAtOnce is how many events are indexed at a time while several logs are behind.
	fewAtOnce = 500
)

// A backlog is a log that is behind.
type backlog struct {
	log  string
	upto int64 // a position: what comes after it is left to who follows the log
	next int64 // when the first event that is not indexed was recorded, in microseconds
}

// indexLogs indexes what logs have, a portion at a time, so that the log of this process does not wait for long. It returns whether this
// process writes the index.
func (r *Record) indexLogs(ctx context.Context, logs []string) (mine bool, err error) {
	if mine, err = r.mayIndex(ctx); err != nil || !mine {
		return mine, err
	}
	var behind []backlog
	var errs []error
	for _, log := range logs {
		b := backlog{log: log, upto: math.MaxInt64}
		if taken, follows := r.follows(log); follows {
			b.upto = taken
		}
		found, err := r.peek(ctx, &b)
		if err != nil {
			errs = append(errs, fmt.Errorf("log %s: %w", log, err))
		} else if found {
			behind = append(behind, b)
		}
	}
	for len(behind) > 0 {
		slices.SortFunc(behind, func(a, b backlog) int { return int(min(max(a.next-b.next, -1), 1)) })
		first, until := &behind[0], int64(math.MaxInt64)
		if len(behind) > 1 {
			until = behind[1].next + slack
		}
		mine, more, err := r.indexPortion(ctx, first, until)
		if ctx.Err() != nil || err == nil && !mine {
			return mine, ctx.Err()
		}
		if err == nil && more {
			more, err = r.peek(ctx, first)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("log %s: %w", first.log, err))
		}
		if err != nil || !more {
			behind = behind[1:]
		}
	}
	return true, errors.Join(errs...)
}

// mayIndex says whether this process writes the index. One that a reader found damaged is deleted.
func (r *Record) mayIndex(ctx context.Context) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	mine, err := r.own(ctx)
	if err != nil || !mine {
		return mine, err
	}
	if _, err := os.Stat(r.damagedMark()); err == nil {
		return false, r.broken(fmt.Errorf("a reader says so: %w", index.ErrDamaged))
	}
	return true, nil
}

// follows says whether this process follows a log, and up to where it had it indexed.
func (r *Record) follows(log string) (upto int64, follows bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	upto, follows = r.followed[log]
	return upto, follows
}

// peek finds when the first event that is not indexed was recorded, and whether there is one.
func (r *Record) peek(ctx context.Context, b *backlog) (found bool, err error) {
	from, err := r.index.Cursor(ctx, b.log)
	if err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		return false, r.broken(err)
	}
	if from >= b.upto {
		return false, nil
	}
	for g, err := range recordlog.Scan(filepath.Join(r.folder, b.log), from) {
		if damage := (*recordlog.Damage)(nil); errors.As(err, &damage) {
			continue // it is reported when it is passed
		}
		if err != nil || g.At >= b.upto {
			return false, err
		}
		if e, err := g.Entry(); err == nil {
			b.next = e.Micros
		}
		return true, nil
	}
	return false, nil
}

// indexPortion indexes the next events of a log, up to one that was recorded after a time.
func (r *Record) indexPortion(ctx context.Context, b *backlog, until int64) (mine, more bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if mine, err = r.own(ctx); err != nil || !mine {
		return mine, false, err
	}
	from, err := r.index.Cursor(ctx, b.log)
	if err != nil {
		return true, false, r.broken(err)
	}
	most := atOnce
	if until < math.MaxInt64 {
		most = fewAtOnce
	}
	err = r.portionsOf(ctx, most, b.log, from, b.upto, func(entries []record.Entry, after int64) error {
		if late := slices.IndexFunc(entries, func(e record.Entry) bool { return e.Micros > until }); late > 0 {
			entries, after = entries[:late], entries[late].Place.At
		}
		if err := r.indexer.Apply(ctx, b.log, from, after, placed(entries)); err != nil {
			return r.broken(err)
		}
		more = true
		return errPortion
	})
	if errors.Is(err, errPortion) {
		err = nil
	}
	return true, more, err
}
