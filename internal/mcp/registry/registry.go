// Package registry knows the tools of MCP servers: what they are called, how they are defined, who trusts them, and what changed.
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
	Store  Store            // stores what is known; nil: it is forgotten with the Registry
	Bounds Bounds           // how much is remembered
	Now    func() time.Time // the clock; nil: time.Now
}

// A Registry knows the tools of servers. Its methods may be called at once from any goroutine; those that only ask wait for
// nothing, since what they read is never written to: a change makes a new view, which takes the place of the old one when it is
// durable.
type Registry struct {
	store  Store
	bounds Bounds
	now    func() time.Time

	writing sync.Mutex // held by who makes the next view
	current atomic.Pointer[view]
}

// ErrUnknown says that a tool is not in the registry.
var ErrUnknown = errors.New("no such tool is known")

// ErrMoved says that a tool is no longer defined as it was when someone decided to trust it.
var ErrMoved = errors.New("the tool is defined otherwise by now")

// New returns a Registry that knows what its store has.
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

// Refresh reads again what the store has if another process has written to it since. After an error nothing has changed. It may
// be called often.
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

// Reload reads again what the store has, whoever wrote it. After an error nothing has changed.
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

// time is now, as exactly as stores have it.
func (r *Registry) time() time.Time { return r.now().UTC().Truncate(time.Microsecond) }

// Servers are the ids of all servers that are known, sorted.
func (r *Registry) Servers() []string {
	return slices.Sorted(maps.Keys(r.current.Load().servers))
}

// Tools are the known tools of a server, sorted by name, those included that it no longer offers.
func (r *Registry) Tools(server string) []Tool {
	var out []Tool
	for _, e := range r.current.Load().server(server).entries {
		out = append(out, e.tool)
	}
	slices.SortFunc(out, func(a, b Tool) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Pins are those of a server's tools, sorted by name.
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

// A Trust is someone's word for a tool.
type Trust struct {
	Identity
	Hash Hash   // of the definition that they have seen
	By   string // who it is; not ""
}

// Trust pins tools as they are defined now: all of them, or none if one is not what the person has seen. Then it fails with
// ErrMoved, or with ErrUnknown.
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

// catchUp reads what others wrote meanwhile, if they did. If that fails, the next refresh does.
func (r *Registry) catchUp(ctx context.Context) {
	if r.current.Load().behind {
		_ = r.reload(ctx)
	}
}

// pin is what someone's word for a tool comes to.
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

// nowhere stores nothing.
type nowhere struct{}

func (nowhere) Registry(context.Context) (Stored, error) { return Stored{}, nil }

func (nowhere) RegistryRevision(context.Context) (int64, error) { return 0, nil }

func (nowhere) UpdateRegistry(_ context.Context, u Update) (Written, error) {
	return Written{Standing: firstPins(u)}, nil
}

// firstPins are those of an update that nobody set.
func firstPins(u Update) []Pin {
	var out []Pin
	for _, p := range u.Pins {
		if p.By == "" {
			out = append(out, p)
		}
	}
	return out
}
