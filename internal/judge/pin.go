package judge

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/inert"
)

// A Pinned is a registry in which somebody changed pins.
type Pinned interface {
	// State says how a tool stands.
	State(server, name string) registry.Standing
	// Mark is the revision of what the registry knows of a server's tools.
	Mark(server string) registry.Mark
}

// ErrNotPinned says that a registry does not have the change that somebody tells of.
var ErrNotPinned = errors.New("the registry of this weir does not have that change")

// maxPinText bounds what a person says of a change, in characters.
const maxPinText = 200

// PinEvents are the events of changes of pins, which the registry has by now. What it does not have is not recorded.
func PinEvents(r Pinned, who call.Actor, changes []call.PinChange) ([]record.Event, error) {
	var out []record.Event
	for _, c := range changes {
		pin := r.State(c.Server, c.Tool).Pin
		// What was forgotten may have been seen again by now, for the first time.
		if c.Forgotten && pin != nil && pin.By != "" || !c.Forgotten && (pin == nil || string(pin.Hash) != c.Hash || pin.By != c.By) {
			return nil, ErrNotPinned
		}
		d := record.PinChanged{Action: "trust", By: inert.Text(c.By, maxPinText), Was: inert.Text(c.Was, maxPinText)}
		if c.Forgotten {
			d.Action = "reset"
		}
		e := record.Event{
			Time: time.Now(), Type: record.Types.MCPPinChanged, Actor: who, Surface: call.MCP, Server: c.Server, Tool: c.Tool,
			MCP:    record.MCP{ToolHash: c.Hash, Registry: record.RegistryMark(r.Mark(c.Server))},
			Ruling: record.Ruling{Reason: inert.Text(c.Reason, maxPinText)}, Detail: d,
		}
		e.Exchange.Trace = call.NewTrace()
		out = append(out, e)
	}
	return out, nil
}

// PinsChanged records changes of pins that another process made in the registry. When it returns without an error, they are on record.
func (j *Judge) PinsChanged(ctx context.Context, r Pinned, who call.Actor, changes []call.PinChange) error {
	events, err := PinEvents(r, who, changes)
	if err != nil || len(events) == 0 {
		return err
	}
	for i := range events {
		e := &events[i]
		p := j.policyOf(who)
		e.PolicyVersion = p.Version()
		e.MCP.ServerType, e.MCP.ServerAddr = j.serverOf(e.Server, p)
	}
	recorded := make(chan error, 1)
	j.cfg.Recorder.RecordAll(events, record.Effects{}, func(err error) { recorded <- err })
	select {
	case err := <-recorded:
		if err != nil {
			return fmt.Errorf("record the change of pins: %w", err)
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
