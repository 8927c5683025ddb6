// Package registry remembers the tools of MCP servers: their names, their definitions, who trusts them, and what changed.
package registry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Config is what a Registry is made of.
type Config struct {
	Store  Store            // stores what is known; nil: nothing is stored
	Bounds Bounds           // how much is remembered
	Now    func() time.Time // the clock; nil: time.Now
}

// A Registry holds the tools of servers. Its methods may be called from several goroutines at once. Methods that only read do not
// wait: a view is never changed. A change makes a new view, which replaces the old one when it is durable.
type Registry struct {
	store  Store
	bounds Bounds
	now    func() time.Time

	writing sync.Mutex // held while the next view is made
	current atomic.Pointer[view]
}

// ErrUnknown says that a tool is not in the registry.
var ErrUnknown = errors.New("no such tool is known")

// ErrMoved says that a tool's definition has changed since someone decided to trust it.
var ErrMoved = errors.New("the tool is defined otherwise by now")

// New returns a Registry with the contents of its store.
func New(ctx context.Context, c Config) (*Registry, error) {
	r := &Registry{store: c.Store, bounds: c.Bounds.orDefault(), now: c.Now}
	if r.now == nil {
		r.now = time.Now
	}
	if r.store == nil {
		r.store = nowhere{}
	}
	r.current.Store(&view{})
	if err := r.Reload(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

// Refresh reads the store again if another process has written to it. After an error nothing has changed. It may be called often.
func (r *Registry) Refresh(ctx context.Context) error {
	r.writing.Lock()
	defer r.writing.Unlock()
	revision, err := r.store.RegistryRevision(ctx)
	if err != nil {
		return fmt.Errorf("read the registry: %w", err)
	}
	if now := r.current.Load(); revision == now.revision && !now.behind {
		return nil
	}
	return r.reload(ctx)
}

// Reload reads the store again in any case. After an error nothing has changed.
func (r *Registry) Reload(ctx context.Context) error {
	r.writing.Lock()
	defer r.writing.Unlock()
	return r.reload(ctx)
}

func (r *Registry) reload(ctx context.Context) error {
	stored, err := r.store.Registry(ctx)
	if err != nil {
		return fmt.Errorf("read the registry: %w", err)
	}
	if _, volatile := r.store.(nowhere); volatile {
		return nil
	}
	next, err := viewOf(stored)
	if err != nil {
		return fmt.Errorf("read the registry: %w", err)
	}
	next.keepDoubts(r.current.Load())
	r.current.Store(next)
	return nil
}

// time returns the current time, with the resolution of stores.
func (r *Registry) time() time.Time { return r.now().UTC().Truncate(time.Microsecond) }

// Servers returns the ids of all known servers, sorted.
func (r *Registry) Servers() []string {
	return slices.Sorted(maps.Keys(r.current.Load().servers))
}

// Tools returns the known tools of a server, sorted by name, including tools that it no longer offers.
func (r *Registry) Tools(server string) []Tool {
	var out []Tool
	for _, e := range r.current.Load().server(server).entries {
		out = append(out, e.tool)
	}
	slices.SortFunc(out, func(a, b Tool) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Pins returns the pins of a server's tools, sorted by name.
func (r *Registry) Pins(server string) []Pin {
	var out []Pin
	for _, e := range r.current.Load().server(server).entries {
		if e.pin != nil {
			out = append(out, *e.pin)
		}
	}
	slices.SortFunc(out, func(a, b Pin) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// A Trust says that someone trusts a tool.
type Trust struct {
	Identity
	Hash Hash   // of the definition that this person has seen
	By   string // who trusts it; not ""
}

// Trust pins tools with their current definitions. If one of them is not as the person has seen it, it pins none, and fails with
// ErrMoved or ErrUnknown.
func (r *Registry) Trust(ctx context.Context, all ...Trust) ([]Pin, error) {
	r.writing.Lock()
	defer r.writing.Unlock()
	now := r.current.Load()
	var u Update
	for _, t := range all {
		p, err := now.pin(t, r.time())
		if err != nil {
			return nil, fmt.Errorf("trust a tool: %w", err)
		}
		u.Pins = append(u.Pins, p)
	}
	if u.Empty() {
		return nil, nil
	}
	written, err := r.store.UpdateRegistry(ctx, u)
	if err != nil {
		return nil, fmt.Errorf("trust a tool: %w", err)
	}
	pins := map[string][]Pin{}
	for _, p := range u.Pins {
		pins[p.Server] = append(pins[p.Server], p)
	}
	next := now
	for id, of := range pins {
		next = next.with(id, next.server(id).with(Update{Pins: of}))
	}
	r.current.Store(next.after(written))
	return u.Pins, nil
}

// catchUp reads the store again if others wrote to it meanwhile. If that fails, the next refresh does it.
func (r *Registry) catchUp(ctx context.Context) {
	if r.current.Load().behind {
		_ = r.reload(ctx)
	}
}

// pin returns the pin for a Trust, or why it cannot be set.
func (v *view) pin(t Trust, at time.Time) (Pin, error) {
	s := v.server(t.Server)
	e, known := s.entries[t.Name]
	_, unsaved := s.unsaved[t.Name]
	switch {
	case t.By == "":
		return Pin{}, errors.New("nobody is named who does")
	case !known:
		return Pin{}, ErrUnknown
	case e.tool.Hash != t.Hash || unsaved:
		return Pin{}, ErrMoved
	}
	return Pin{Definition: e.tool.Definition, Hash: e.tool.Hash, By: t.By, Time: at}, nil
}

// nowhere is a Store that stores nothing.
type nowhere struct{}

func (nowhere) Registry(context.Context) (Stored, error) { return Stored{}, nil }

func (nowhere) RegistryRevision(context.Context) (int64, error) { return 0, nil }

func (nowhere) UpdateRegistry(_ context.Context, u Update) (Written, error) {
	return Written{Standing: firstPins(u)}, nil
}

// firstPins returns the pins of an update that no person set.
func firstPins(u Update) []Pin {
	var out []Pin
	for _, p := range u.Pins {
		if p.By == "" {
			out = append(out, p)
		}
	}
	return out
}
