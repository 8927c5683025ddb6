package registry

import (
	"cmp"
	"context"
	"time"
)

// An Identity names a tool exactly.
type Identity struct {
	Server string `json:"server"`
	Name   string `json:"name"`
}

func compareIdentities(a, b Identity) int {
	return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Name, b.Name))
}

// A Tool is what is known of a tool.
type Tool struct {
	Definition
	Hash  Hash      `json:"hash"`
	First time.Time `json:"first"`         // when it was seen first
	Since time.Time `json:"since"`         // when its hash was seen first, since it last changed
	Gone  time.Time `json:"gone,omitzero"` // when its server was seen without it; zero: it is offered
}

// Identity is the tool's.
func (t *Tool) Identity() Identity { return Identity{t.Server, t.Name} }

// A Pin says that someone trusts a tool as it was defined at a time.
type Pin struct {
	Definition
	Hash Hash      `json:"hash"`
	By   string    `json:"by,omitzero"` // who trusts it; "": it was trusted because it was seen first
	Time time.Time `json:"time"`
}

// Identity is the tool's.
func (p *Pin) Identity() Identity { return Identity{p.Server, p.Name} }

// Stored is all that a store has of the registry, in any order, as it stood at one moment.
type Stored struct {
	Servers  []Server
	Tools    []Tool
	Pins     []Pin
	Revision int64 // what Store.RegistryRevision returned at that moment
}

// An Update is a change of what is stored. What it forgets is not also in it, and it has nothing twice.
type Update struct {
	Servers []Server // each takes the place of the one with its id
	Tools   []Tool   // each takes the place of the one with its identity
	// Pins take the place of those with their identity. A pin that nobody set (By is "") does not: one that is there already
	// stays.
	Pins          []Pin
	Forget        []Identity // tools and their pins, if there are any
	ForgetServers []string   // by their ids; their tools stay
}

// Empty says that nothing would change.
func (u *Update) Empty() bool {
	return len(u.Servers)+len(u.Tools)+len(u.Pins)+len(u.Forget)+len(u.ForgetServers) == 0
}

// Written is what became of an Update.
type Written struct {
	// Revision is that of what is stored since; if it is more than one past the last that is known, others wrote in between.
	// 0: the update was empty.
	Revision int64
	// Standing are the pins that stand where the update has ones that nobody set: another weir may have set its own in the
	// meantime.
	Standing []Pin
}

// A Store stores the registry. Server ids and names are compared exactly: byte for byte. Times have a resolution of a
// microsecond. It may be used by several goroutines at once.
type Store interface {
	// Registry returns all that is stored.
	Registry(ctx context.Context) (Stored, error)
	// RegistryRevision returns a number that every update raises by one, and that costs little to ask for.
	RegistryRevision(ctx context.Context) (int64, error)
	// UpdateRegistry makes a change: all of it, durable when it returns, or none. An empty one writes nothing.
	UpdateRegistry(ctx context.Context, u Update) (Written, error)
}
