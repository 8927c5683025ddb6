package mcpcmd

import (
	"context"
	"fmt"

	"github.com/weir-gate/weir/internal/app/cli/recording"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/record/home"
)

// recordPins records changes of pins that were made. If a running weir has this store, it records them, so that only one process
// writes. Otherwise this command records them, in its own chain.
func (f *registryFlags) recordPins(ctx context.Context, s *home.Home, changes []call.PinChange) error {
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
func (f *registryFlags) recordHere(ctx context.Context, s *home.Home, changes []call.PinChange) error {
	kept, err := s.Registry(ctx)
	if err != nil {
		return err
	}
	events, err := judge.PinEvents(storedPins{kept}, call.Actor{}, changes)
	if err != nil {
		return err
	}
	return recording.Here(ctx, &f.Flags, s, events)
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
