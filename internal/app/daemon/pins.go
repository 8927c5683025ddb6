package daemon

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// A pinRecorder records changes of pins that a command made.
type pinRecorder struct{ d *Daemon }

// PinsChanged implements control.Pins.
func (p pinRecorder) PinsChanged(ctx context.Context, who call.Actor, changes []call.PinChange) error {
	if err := p.d.registry.Refresh(ctx); err != nil {
		return err
	}
	return p.d.judge.PinsChanged(ctx, p.d.registry, who, changes)
}

// noteEvery returns how often weir records the state of the registry, at least once a day: one such event must always be younger
// than retention.
func (d *Daemon) noteEvery() time.Duration {
	const day = 24 * time.Hour
	if kept := d.cfg.Config.Audit.Retention; kept > 0 && kept/2 < day {
		return max(kept/2, time.Minute)
	}
	return day
}

// settleLooks is how long another weir may take from a change of the registry to its event, in multiples of PollEvery.
const settleLooks = 10

// noteRegistry records the state of the registry of MCP tools, so that weir audit verify can compare it. At the start it compares
// the state itself, and reports what was changed by something other than weir. If the record already has the whole state, it then
// records nothing.
func (d *Daemon) noteRegistry(ctx context.Context, first bool) error {
	var differ []string
	if first {
		missing := false
		for try := range 2 {
			if try > 0 {
				select {
				case <-ctx.Done():
					return ctx.Err()
				case <-time.After(settleLooks * d.cfg.PollEvery):
				}
			}
			var err error
			if differ, missing, err = d.compareRegistry(ctx); err != nil || len(differ) == 0 {
				if err != nil {
					return err
				}
				break
			}
		}
		if len(differ) == 0 && !missing {
			return nil
		}
		if len(differ) > 0 {
			d.cfg.Log.Error("the stored tools of MCP servers differ from the record: something else changed them, or weir was killed; see weir "+
				"audit verify",
				"servers", differ, "look", "weir mcp pins list")
		}
	}
	marks := d.registry.Marks()
	if len(marks) == 0 && len(differ) == 0 {
		return nil
	}
	noted := record.RegistryNoted{Differ: differ, Revision: d.registry.Revision()}
	for _, id := range slices.Sorted(maps.Keys(marks)) {
		noted.AddServer(id, marks[id].Digest)
		noted.Revision = marks[id].Revision
	}
	d.recorder.Record(record.Event{
		Time: time.Now(), Type: record.Types.RegistryNoted, Surface: call.MCP, Ruling: record.Ruling{PolicyVersion: d.policy.current().Version()},
		Detail: noted,
	}, nil)
	return nil
}

// compareRegistry returns the servers whose tools differ from the record. missing says that the record has nothing about some
// servers, or nothing recent.
func (d *Daemon) compareRegistry(ctx context.Context) (differ []string, missing bool, err error) {
	if err := d.registry.Refresh(ctx); err != nil {
		return nil, false, err
	}
	marks := d.registry.Marks()
	last, err := d.lastMarks(ctx, slices.Collect(maps.Keys(marks)))
	if err != nil {
		return nil, false, err
	}
	for id, said := range last {
		if said.Digest != marks[id].Digest {
			differ = append(differ, id)
		}
	}
	for id := range marks {
		if _, ok := last[id]; !ok {
			missing = true
		}
	}
	slices.Sort(differ)
	return differ, missing, nil
}

// markedTypes are the types of events that have the state of the tools of their server.
var markedTypes = record.Types.Where(func(t record.Type) bool { return t.Kind().Marked })

// lastMarks returns the last recorded state of the tools of these servers, and of those in the last event that names all servers.
func (d *Daemon) lastMarks(ctx context.Context, servers []string) (map[string]record.RegistryMark, error) {
	last := map[string]record.RegistryMark{}
	noted, err := d.newest(ctx, query.Filter{Type: record.Types.RegistryNoted})
	if err != nil {
		return nil, err
	}
	if all, ok := noted.Detail.(record.RegistryNoted); ok {
		for _, s := range all.Servers {
			last[s.Server] = record.RegistryMark{Revision: all.Revision, Digest: s.Digest}
			servers = append(servers, s.Server)
		}
	}
	for _, id := range servers {
		for _, typ := range markedTypes {
			e, err := d.newest(ctx, query.Filter{Type: typ, Server: id})
			if err != nil {
				return nil, err
			}
			if e.MCP.Registry.Revision > last[id].Revision {
				last[id] = e.MCP.Registry
			}
		}
	}
	return last, nil
}

// newest returns the newest event that matches; zero: there is none.
func (d *Daemon) newest(ctx context.Context, f query.Filter) (record.Event, error) {
	f.Newest = true
	entry, found, err := query.First(ctx, d.follower, f)
	if !found {
		return record.Event{}, err
	}
	return entry.Event()
}
