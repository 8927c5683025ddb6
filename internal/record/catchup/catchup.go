// Package catchup opens a record for reading once it has what was recorded before: whoever asks must not miss what was released before the
// question. A store follows the logs of the processes that record into it; the index of kept logs does, too.
package catchup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/follower"
	"github.com/weir-gate/weir/internal/record/home"
	"github.com/weir-gate/weir/internal/record/index"
	"github.com/weir-gate/weir/internal/record/kept"
	"github.com/weir-gate/weir/internal/record/recordlog"
	"github.com/weir-gate/weir/internal/record/store"
)

// Config says what is opened.
type Config struct {
	URL      string        // of the store
	StateDir string        // the state folder; "": there is none, and logs of a store on a server are not found
	Within   time.Duration // how long to wait for a process that writes; 0: five seconds
	Say      func(string)  // is told what may be missing; nil: nothing is
}

const (
	usualWithin = 5 * time.Second
	// lookEvery is how often the store is asked whether it has an event.
	lookEvery = 10 * time.Millisecond
	// readAgain is after how many looks the log is read again.
	readAgain = 50
)

// Open opens a store for reading, with all events that were durable before: those in logs that nobody writes any more are stored now,
// and a process that writes gets the time to store its own.
func Open(ctx context.Context, c Config) (home.View, error) {
	if c.Within == 0 {
		c.Within = usualWithin
	}
	if c.Say == nil {
		c.Say = func(string) {}
	}
	r, err := home.OpenReadOnly(ctx, c.URL)
	if err != nil {
		return nil, err
	}
	if view, isKept := r.(*kept.View); isKept {
		err = c.index(ctx, view)
	} else {
		err = c.catchUp(ctx, r)
	}
	if err != nil {
		r.Close() // the first error is the one to report
		return nil, err
	}
	return r, nil
}

// index has the kept logs indexed. Lists need no index, but statistics do, and so does who follows the record.
func (c Config) index(ctx context.Context, r *kept.View) error {
	patience := time.Now().Add(c.Within)
	for tried := false; ; {
		behind, err := r.Behind(ctx)
		if errors.Is(err, index.ErrDamaged) && !tried {
			behind, err = 1, nil // at least: it is made anew
		}
		if err != nil {
			c.Say("the newest events may be missing: " + err.Error())
			return nil
		}
		if behind == 0 || ctx.Err() != nil {
			for _, d := range r.Damaged() {
				c.Say(d.Error())
			}
			return ctx.Err()
		}
		if !tried {
			tried = true
			if err := c.indexHere(ctx); err != nil {
				c.Say(fmt.Sprintf("%d events are not in statistics: %s", behind, err))
				return ctx.Err()
			}
			continue
		}
		if time.Now().After(patience) {
			c.Say(fmt.Sprintf("%d events are not in statistics yet: another weir is indexing them", behind))
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lookEvery):
		}
	}
}

// indexHere indexes the logs, unless another process does.
func (c Config) indexHere(ctx context.Context) error {
	r, err := kept.Open(ctx, kept.Config{URL: c.URL})
	if err != nil {
		return err
	}
	return errors.Join(r.IndexAll(ctx), r.Close())
}

// catchUp waits until a store on a server has what the logs have.
func (c Config) catchUp(ctx context.Context, r home.View) error {
	if c.StateDir == "" {
		return nil
	}
	folder, err := store.URL(c.URL).LogFolder(c.StateDir)
	if err != nil {
		return err
	}
	live, err := c.storeLeft(ctx, folder)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		c.Say("events that an earlier weir recorded may be missing: " + err.Error())
	}
	for _, log := range live {
		if err := c.await(ctx, r, log); err != nil {
			return err
		}
	}
	return nil
}

// storeLeft stores what processes that have ended left, and returns the logs of those that write.
func (c Config) storeLeft(ctx context.Context, folder string) (live []string, err error) {
	found, err := recordlog.Find(folder)
	if errors.Is(err, fs.ErrPermission) {
		return nil, err
	}
	left := false
	for _, f := range found {
		if f.Live {
			live = append(live, f.Folder)
		} else {
			left = true
			f.Leave()
		}
	}
	if err != nil || !left {
		return live, err
	}
	s, err := store.Open(ctx, c.URL)
	if err != nil {
		return live, err
	}
	defer s.Close() // what was stored is durable
	drained, err := follower.Drain(ctx, s, folder)
	for _, trouble := range drained.Troubles {
		c.Say(trouble.Error())
	}
	return drained.Live, err
}

// await waits until the store has what a log has now.
func (c Config) await(ctx context.Context, r home.View, log string) error {
	last, found, err := recordlog.Last(log)
	if err != nil {
		c.Say("the newest events may be missing: " + err.Error())
		return nil
	}
	patience := time.NewTimer(c.Within)
	defer patience.Stop()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for n := 1; found; n++ {
		stored, err := r.StoredHead(ctx, last.Chain)
		if err != nil {
			return err
		}
		if stored.Seq >= last.Seq || n%readAgain == 0 && gone(log, last) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-patience.C:
			c.Say(fmt.Sprintf("the newest events are missing: the running weir has recorded %d that the store does not have yet; they are in %s",
				last.Seq-stored.Seq, log))
			return nil
		case <-look.C:
		}
	}
	return nil
}

// gone says whether a log no longer has an event: it was removed with all that the store has, or the event did not become durable.
func gone(log string, event record.Head) bool {
	last, found, err := recordlog.Last(log)
	return err == nil && (!found || last.Chain == event.Chain && last.Seq < event.Seq)
}
