package registrytest

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/weir-gate/weir/internal/mcp/registry"
)

// Memory is a store in memory. The zero Memory is empty and ready to use.
type Memory struct {
	mu       sync.Mutex
	servers  map[string]registry.Server
	tools    map[registry.Identity]registry.Tool
	pins     map[registry.Identity]registry.Pin
	revision int64
	fail     error
}

// Fail makes every call fail from now on; nil: none.
func (m *Memory) Fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail = err
}

// Registry returns all that is stored.
func (m *Memory) Registry(ctx context.Context) (registry.Stored, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := cmp.Or(m.fail, ctx.Err()); err != nil {
		return registry.Stored{}, err
	}
	return registry.Stored{
		Servers: slices.Collect(maps.Values(m.servers)), Tools: slices.Collect(maps.Values(m.tools)),
		Pins: slices.Collect(maps.Values(m.pins)), Revision: m.revision,
	}, nil
}

// RegistryRevision returns how many updates were made.
func (m *Memory) RegistryRevision(ctx context.Context) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.revision, cmp.Or(m.fail, ctx.Err())
}

// UpdateRegistry makes a change.
func (m *Memory) UpdateRegistry(ctx context.Context, u registry.Update) (registry.Written, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := cmp.Or(m.fail, ctx.Err()); err != nil || u.Empty() {
		return registry.Written{}, err
	}
	if m.tools == nil {
		m.servers = map[string]registry.Server{}
		m.tools, m.pins = map[registry.Identity]registry.Tool{}, map[registry.Identity]registry.Pin{}
	}
	m.revision++
	for _, id := range u.ForgetServers {
		delete(m.servers, id)
	}
	for _, s := range u.Servers {
		m.servers[s.ID] = s
	}
	for _, id := range u.Forget {
		delete(m.tools, id)
		delete(m.pins, id)
	}
	for _, t := range u.Tools {
		m.tools[t.Identity()] = t
	}
	written := registry.Written{Revision: m.revision}
	for _, p := range u.Pins {
		id := p.Identity()
		if _, there := m.pins[id]; p.By != "" || !there {
			m.pins[id] = p
		}
		if p.By == "" {
			written.Standing = append(written.Standing, m.pins[id])
		}
	}
	return written, nil
}
