package follower

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/weir-gate/weir/internal/record"
)

// A Store takes the entries of logs.
type Store interface {
	// Append stores the entries in order, all or none, with their effects, and returns when they are durable. After an error they may
	// be stored or not; Head shows which.
	Append(ctx context.Context, entries []record.Entry) error
	// Head returns the newest stored event of a chain; if there is none, Seq is 0 and Hash is Genesis. When it returns, nothing that was
	// sent before can still change the chain.
	Head(ctx context.Context, chain string) (record.Head, error)
}

// A feeder stores the entries of a log, each once. What the store has of each chain is where it goes on: there is no other cursor that
// could disagree with it.
type feeder struct {
	store Store
	heads map[string]record.Head // of chains, as far as they are known
}

func newFeeder(s Store) *feeder { return &feeder{store: s, heads: map[string]record.Head{}} }

// feed stores entries that the store does not have yet. unfit are those that do not continue their chain as the store has it; they are
// not stored.
func (f *feeder) feed(ctx context.Context, entries []record.Entry) (unfit []record.Entry, err error) {
	fit, all := entries, true // most often all of them are fit
	ends := map[string]record.Head{}
	for i := range entries {
		e := &entries[i]
		head, known := ends[e.Chain]
		if !known {
			if head, err = f.head(ctx, *e); err != nil {
				return nil, err
			}
		}
		before, _ := e.Follows()
		if before == head {
			if ends[e.Chain] = e.Head; !all {
				fit = append(fit, *e)
			}
			continue
		}
		if ends[e.Chain] = head; all {
			fit, all = slices.Clone(entries[:i]), false
		}
		if e.Seq > head.Seq || e.Seq == head.Seq && e.Hash != head.Hash {
			unfit = append(unfit, *e)
		}
	}
	if len(fit) > 0 {
		if err := f.store.Append(ctx, fit); err != nil {
			clear(f.heads) // it may have happened
			return nil, err
		}
	}
	for chain, head := range ends {
		f.heads[chain] = head
	}
	return unfit, nil
}

// head returns what the store has of the chain of an entry.
func (f *feeder) head(ctx context.Context, e record.Entry) (record.Head, error) {
	if h, known := f.heads[e.Chain]; known {
		return h, nil
	}
	h, err := f.store.Head(ctx, e.Chain)
	if err == nil {
		f.heads[e.Chain] = h
	}
	return h, err
}

// has says whether the store is known to have an event.
func (f *feeder) has(ctx context.Context, event record.Head) (bool, error) {
	h, err := f.head(ctx, record.Entry{Columns: record.Columns{Head: event}})
	return h.Seq >= event.Seq, err
}

// setAside writes entries that the store cannot take to a file beside the logs, durably, and returns an error that says so.
func setAside(log string, entries []record.Entry) error {
	path := filepath.Join(filepath.Dir(log), "unstored-"+filepath.Base(log)+".jsonl")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("set aside events that do not continue their chain in the store: %w", err)
	}
	var errs []error
	for _, e := range entries {
		line, err := e.JSON()
		if err == nil {
			_, err = f.Write(append(line, '\n'))
		}
		errs = append(errs, err)
	}
	if err := errors.Join(append(errs, f.Sync(), f.Close())...); err != nil {
		return fmt.Errorf("set aside events that do not continue their chain in the store: %w", err)
	}
	return &SetAside{Chain: entries[0].Chain, Events: len(entries), Path: path}
}

// SetAside is the error for events that a store cannot take: it does not have what comes before them.
type SetAside struct {
	Chain  string
	Events int
	Path   string // of the file that has them now
}

func (s *SetAside) Error() string {
	return fmt.Sprintf("audit chain %s: the store does not have the events before the next %d: it was restored, replaced or changed. They "+
		"are in %s, and not in the store; keep that file, and run weir audit verify", s.Chain, s.Events, s.Path)
}
