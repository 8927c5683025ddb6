package kept

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

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
	mine, err := r.indexLogs(ctx, logs)
	if err != nil || !mine {
		return err // another process does the work
	}
	errs := []error{r.settleNew(ctx)}
	for _, log := range logs {
		if err := recordlog.Compress(ctx, filepath.Join(r.folder, log)); err != nil {
			errs = append(errs, fmt.Errorf("log %s: %w", log, err))
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return errors.Join(errs...)
}

// errPortion ends the reading of a log after a portion.
var errPortion = errors.New("a portion is done")

// broken looks at a failure of the index. One that is damaged is deleted: it is made anew from the logs. One that was changed by somebody
// else is opened again. The lock is held.
func (r *Record) broken(err error) error {
	if _, moved := errors.AsType[*index.CursorError](err); moved {
		r.letGo()
		return err
	}
	if !errors.Is(err, index.ErrDamaged) {
		return err
	}
	r.letGo()
	if gone := r.deleteIndex(); gone != nil {
		return errors.Join(err, gone)
	}
	return fmt.Errorf("the index of the record is made anew from the logs: %w", err)
}

// deleteIndex deletes the index.
func (r *Record) deleteIndex() error { return index.Delete(r.indexFolder) }

// letGo ends the writing of the index. The lock is held.
func (r *Record) letGo() {
	if r.indexer != nil {
		r.indexer.Close() // all that was applied is in it
		r.indexer = nil
	}
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

// settleNew settles what processes left that have ended since the record was opened: the index has events of them, and the file does not.
func (r *Record) settleNew(ctx context.Context) error {
	at, err := r.index.Standing(ctx)
	if err != nil {
		return err
	}
	noted, err := r.AllEffected(ctx)
	if err != nil {
		return err
	}
	for log, upto := range at.Cursors {
		if _, mine := r.follows(log); !mine && upto > noted[log] {
			return r.settle(ctx)
		}
	}
	return nil
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
	needed, err := r.needed(ctx)
	if err != nil {
		return err
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

// needed returns the position of each log from which on it has events that are kept, or may be: whatever the file has no notes of yet.
func (r *Record) needed(ctx context.Context) (map[string]int64, error) {
	effected, err := r.AllEffected(ctx) // first: what is noted later comes later
	if err != nil {
		return nil, err
	}
	noted, err := r.KeptChains(ctx)
	if err != nil {
		return nil, err
	}
	kept, cut := map[string]int64{}, map[string]int64{}
	for _, c := range noted {
		first, seen := kept[c.Log]
		switch {
		case c.Log == "":
		case c.First > c.Seq: // all of it was cut
			cut[c.Log] = max(cut[c.Log], c.Begins)
		case !seen || c.Begins < first:
			kept[c.Log] = c.Begins
		}
	}
	for log, after := range cut {
		if _, some := kept[log]; !some {
			kept[log] = after
		}
	}
	for log := range kept {
		kept[log] = min(kept[log], effected[log])
	}
	return kept, nil
}

// trimLog removes the segments of a log that end before a position. The index forgets their events first.
func (r *Record) trimLog(ctx context.Context, log string, before int64) error {
	folder := filepath.Join(r.folder, log)
	if _, err := os.Stat(folder); errors.Is(err, os.ErrNotExist) {
		if err := r.indexer.Forget(ctx, log); err != nil {
			return r.broken(err)
		}
		return r.ForgetLog(ctx, log)
	}
	if err := r.indexer.Drop(ctx, log, before); err != nil {
		return r.broken(err)
	}
	return recordlog.Trim(ctx, folder, before)
}
