package kept

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/index"
	"github.com/weir-gate/weir/internal/record/recordlog"
)

// workEvery is how often this process looks for something to do: events of other processes to index, and segments to compress.
const workEvery = 500 * time.Millisecond

// run works in the background until ctx ends.
func (r *Record) run(ctx context.Context) {
	defer close(r.done)
	tick := time.NewTicker(workEvery)
	defer tick.Stop()
	for {
		if err := r.work(ctx); err != nil && ctx.Err() == nil {
			r.report(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// work does what is due: it indexes the logs that are behind, and compresses what nobody writes any more.
func (r *Record) work(ctx context.Context) error {
	logs, err := recordlog.Names(r.folder)
	if err != nil {
		return err
	}
	var errs []error
	for _, log := range logs {
		mine, err := r.indexLog(ctx, log)
		if err == nil && !mine {
			return errors.Join(errs...) // another process does the work
		}
		if err == nil {
			err = recordlog.Compress(ctx, filepath.Join(r.folder, log))
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("log %s: %w", log, err))
		}
	}
	return errors.Join(errs...)
}

// indexLog indexes what a log has, a portion at a time, so that the log of this process does not wait for long. It returns whether this
// process writes the index.
func (r *Record) indexLog(ctx context.Context, log string) (mine bool, err error) {
	for {
		more := false
		r.mu.Lock()
		if mine, err = r.own(ctx); err == nil && mine && !r.followed[log] {
			more, err = r.indexPortion(ctx, log)
		}
		r.mu.Unlock()
		if err != nil || !more {
			return mine, err
		}
	}
}

// indexPortion indexes the next events of a log. The lock is held.
func (r *Record) indexPortion(ctx context.Context, log string) (more bool, err error) {
	from, err := r.index.Cursor(ctx, log)
	if err != nil {
		return false, r.broken(err)
	}
	err = r.portions(ctx, log, from, math.MaxInt64, func(entries []record.Entry, after int64) error {
		err := r.indexer.Apply(ctx, log, from, after, placed(entries))
		if err != nil {
			return r.broken(err)
		}
		more = true
		return errPortion
	})
	if errors.Is(err, errPortion) {
		err = nil
	}
	return more, err
}

// errPortion ends the reading of a log after a portion.
var errPortion = errors.New("a portion is done")

// broken looks at a failure of the index. One that is damaged is deleted: it is made anew from the logs. The lock is held.
func (r *Record) broken(err error) error {
	if !errors.Is(err, index.ErrDamaged) {
		return err
	}
	if r.indexer != nil {
		r.indexer.Close() // it is damaged
		r.indexer = nil
	}
	if gone := os.RemoveAll(r.indexFolder); gone != nil {
		return errors.Join(err, gone)
	}
	return fmt.Errorf("the index of the record is made anew from the logs: %w", err)
}

// settle stores the effects of events that processes which have ended left in their logs: rulings and spent money are read from the file.
func (r *Record) settle(ctx context.Context) error {
	found, err := recordlog.Find(r.folder)
	if err != nil {
		return err
	}
	var errs []error
	for _, log := range found {
		if log.Live {
			continue
		}
		if log.Unfinished() {
			errs = append(errs, log.Remove())
			continue
		}
		errs = append(errs, r.settleLog(ctx, log))
		log.Leave()
	}
	return errors.Join(errs...)
}

func (r *Record) settleLog(ctx context.Context, log recordlog.Found) error {
	torn, err := log.Seal()
	if damage := (*recordlog.Damage)(nil); errors.As(err, &damage) {
		r.report(err) // what can be read is not lost
	} else if err != nil {
		return err
	}
	if torn > 0 {
		r.report(fmt.Errorf("log %s: %d bytes at its end were never durable, and were removed", filepath.Base(log.Folder), torn))
	}
	return r.effectUpTo(ctx, filepath.Base(log.Folder), math.MaxInt64)
}

// trim removes the segments whose events were all cut. Only the process that writes the index does it.
func (r *Record) trim(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if mine, err := r.own(ctx); err != nil || !mine {
		return err
	}
	noted, err := r.KeptChains(ctx)
	if err != nil {
		return err
	}
	needed := map[string]int64{} // the first position of a log that has an event which is kept
	for _, c := range noted {
		if c.Log == "" {
			continue
		}
		first, seen := needed[c.Log]
		if c.First > c.Seq { // all of it was cut
			if !seen {
				needed[c.Log] = math.MaxInt64
			}
		} else if !seen || c.Begins < first {
			needed[c.Log] = c.Begins
		}
	}
	var errs []error
	for log, before := range needed {
		if before == 0 {
			continue
		}
		if err := r.trimLog(ctx, log, before); err != nil {
			errs = append(errs, fmt.Errorf("log %s: %w", log, err))
		}
	}
	return errors.Join(errs...)
}

// trimLog removes the segments of a log that end before a position. The index forgets their events first.
func (r *Record) trimLog(ctx context.Context, log string, before int64) error {
	folder := filepath.Join(r.folder, log)
	if _, err := os.Stat(folder); errors.Is(err, os.ErrNotExist) {
		return r.ForgetLog(ctx, log)
	}
	if err := r.indexer.Drop(ctx, log, before); err != nil {
		return r.broken(err)
	}
	return recordlog.Trim(ctx, folder, before)
}
