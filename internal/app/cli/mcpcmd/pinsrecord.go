package mcpcmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/custodian"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/store"
)

// recordPins records changes of pins that were made. If a running weir has this store, it records them, so that only one process
// writes. Otherwise this command records them, in its own chain.
func (f *registryFlags) recordPins(ctx context.Context, s *store.Store, changes []call.PinChange) error {
	if len(changes) == 0 || askToRecord(ctx, changes) == nil {
		return nil
	}
	if err := f.recordHere(ctx, s, changes); err != nil {
		return fmt.Errorf("the change was made, but is not on record: %w; start weir serve, which records it", err)
	}
	return nil
}

// askToRecord asks the running weir of this state folder to record changes.
func askToRecord(ctx context.Context, changes []call.PinChange) error {
	c, err := running.Client()
	if err != nil {
		return err
	}
	defer c.Close()
	return c.PinsChanged(ctx, changes)
}

// recordHere records changes without a running weir.
func (f *registryFlags) recordHere(ctx context.Context, s *store.Store, changes []call.PinChange) (err error) {
	kept, err := s.Registry(ctx)
	if err != nil {
		return err
	}
	events, err := judge.PinEvents(storedPins{kept}, call.Actor{}, changes)
	if err != nil {
		return err
	}
	cfg, err := inuse.Config(f.Config)
	if err != nil {
		return err
	}
	url, err := f.URL()
	if err != nil {
		return err
	}
	place, err := store.URL(url).Location()
	if err != nil {
		return err
	}
	key, err := checkpoint.OpenKey(cfg.Audit.Key)
	if err != nil {
		return fmt.Errorf("open audit.key: %w", err)
	}
	var rec *recorder.Recorder
	keep := custodian.New(custodian.Config{
		Store: s, Key: key, Witness: checkpoint.Witness{KeyPath: cfg.Audit.Key, Location: place}, Chain: func() string { return rec.Chain() },
		OnError: func(error) {}, // weir serve reports it when it starts; the event is recorded either way
	})
	rec = recorder.New(recorder.Config{Store: s, Sinks: []recorder.Sink{keep}})
	defer func() { err = errors.Join(err, rec.Close(ctx), keep.Close(ctx)) }()
	if err := keep.Begin(ctx); err != nil {
		return err
	}
	recorded := make(chan error, 1)
	rec.RecordAll(events, record.Effects{}, func(err error) { recorded <- err })
	return <-recorded
}

// storedPins are the pins in a store. They can be read even if other rows are invalid, so that there is no registry.
type storedPins struct{ stored registry.Stored }

// State implements judge.Pinned.
func (k storedPins) State(server, name string) (st registry.Standing) {
	for i := range k.stored.Pins {
		if p := &k.stored.Pins[i]; p.Server == server && p.Name == name {
			st.Pin = p
		}
	}
	return st
}

// Mark implements judge.Pinned.
func (k storedPins) Mark(server string) registry.Mark {
	marks, _ := k.stored.Marks()
	if m, ok := marks[server]; ok {
		return m
	}
	return registry.Mark{Revision: k.stored.Revision}
}
