// Package index finds events of the record that kept logs hold. It has what questions need to find events, and sums for statistics; the
// texts stay in the logs. The index proposes, the text decides: an index may propose too many events, never too few.
//
// An index is a folder of SQLite databases, the partitions. Each has some hundred thousand events in a row. They are in blocks of some
// thousand, packed column by column, so that a question reads only the columns that it needs. Everything in an index follows from the
// logs, so it can be deleted and built again.
package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/weir-gate/weir/internal/record"
)

// ErrBusy says that another process writes the index.
var ErrBusy = errors.New("index: another process writes it")

// Texts has the texts of events.
type Texts interface {
	// Text returns the text of the event whose frame begins at a position of a log. The caller may keep it.
	Text(log string, at int64) ([]byte, error)
}

// A Placed event is one of a log.
type Placed struct {
	At, After int64 // where its frame begins and ends
	record.Entry
}

// Config sets up an index.
type Config struct {
	Folder string
	Texts  Texts
	// PartitionRows is about how many events a partition has; 0: 524,288.
	PartitionRows int

	// How many events a block has, and how many blocks a run; 0: 4,096 and 16. A partition keeps those that it began with.
	blockRows, runBlocks int
}

const (
	usualPartition = 1 << 19
	usualBlock     = 1 << 12
	usualRun       = 16
	// mostRows is how many events a partition has at most, with one Apply more than it should have.
	mostRows = maxOffset / 2
)

func (c *Config) complete() {
	if c.PartitionRows == 0 {
		c.PartitionRows = usualPartition
	}
	if c.blockRows == 0 {
		c.blockRows = usualBlock
	}
	if c.runBlocks == 0 {
		c.runBlocks = usualRun
	}
	c.PartitionRows = min(c.PartitionRows, mostRows)
}

// An Index is written by one process. It answers questions, too.
type Index struct {
	*View
	lock *os.File

	mu sync.Mutex
	w  *writing // nil: the last change failed, and what is stored has to be read again
}

// Open opens the index in a folder for writing, and creates it if there is none. It fails with ErrBusy if another process has it open.
func Open(ctx context.Context, c Config) (*Index, error) {
	c.complete()
	if err := os.MkdirAll(c.Folder, 0o700); err != nil {
		return nil, fmt.Errorf("index: %w; make it writable for weir", err)
	}
	lock, err := lockFolder(c.Folder)
	if err != nil {
		if errors.Is(err, ErrBusy) {
			return nil, fmt.Errorf("%w: %s", ErrBusy, c.Folder)
		}
		return nil, fmt.Errorf("index: %w; make it writable for weir", err)
	}
	x := &Index{View: newView(c), lock: lock}
	if x.w, err = x.startWriting(ctx); err != nil {
		x.Close() // the first error is the one to report
		return nil, err
	}
	return x, nil
}

// Close closes the index. Everything that was applied is in it with or without this.
func (x *Index) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	err := errors.Join(x.w.close(), x.View.Close(), x.lock.Close())
	x.w = nil
	return err
}

// Delete removes what is in the folder of an index that nobody writes. It fails with ErrBusy if a process does.
func Delete(folder string) error {
	lock, err := lockFolder(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("index: delete %s: %w", folder, err)
	}
	defer lock.Close() // nothing was written
	all, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	var errs []error
	for _, e := range all {
		if path := filepath.Join(folder, e.Name()); path != lock.Name() {
			errs = append(errs, os.RemoveAll(path))
		}
	}
	return errors.Join(errs...)
}

// Gone says whether somebody removed or replaced the folder, so that nobody finds what this index writes.
func (x *Index) Gone() bool {
	mine, err := x.lock.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(x.lock.Name())
	return errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(mine, now)
}

// A CursorError says that events were to be applied that do not begin where the index stands.
type CursorError struct {
	Log          string
	From, Stands int64
}

func (e *CursorError) Error() string {
	return fmt.Sprintf("index: events of the log %s from position %d on cannot be applied: the index has it up to %d", e.Log, e.From, e.Stands)
}

// Apply adds the events of a log between two positions: all or none, and each once. It fails with a *CursorError unless the index
// stands at the first position.
func (x *Index) Apply(ctx context.Context, log string, from, to int64, events []Placed) error {
	return x.change(ctx, func(w *writing) error {
		if stands := w.cursors[log].at; stands != from {
			return &CursorError{log, from, stands}
		}
		if to < from || len(events) > 0 && (events[0].At < from || events[len(events)-1].After > to) {
			return fmt.Errorf("index: the events of the log %s are not between the positions %d and %d", log, from, to)
		}
		if w.sealed || w.rows >= x.config.PartitionRows {
			if err := x.turn(ctx); err != nil {
				return err
			}
			w = x.w
		}
		return w.apply(ctx, log, to, events)
	})
}

// change does work on what is written. When it fails, all is read again before the next change.
func (x *Index) change(ctx context.Context, work func(*writing) error) (err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.w == nil {
		if x.w, err = x.startWriting(ctx); err != nil {
			return err
		}
	}
	err = work(x.w)
	if _, wrong := errors.AsType[*CursorError](err); err != nil && !wrong {
		err = errors.Join(err, x.w.close())
		x.w = nil
	}
	return err
}
