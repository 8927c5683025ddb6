package registry

import (
	"cmp"
	"context"
	"time"
)

// An Identity identifies a tool exactly.
type Identity struct {
	Server string `json:"server"`
	Name   string `json:"name"`
}

func compareIdentities(a, b Identity) int {
	return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Name, b.Name))
}

// A Tool is what is known about a tool.
type Tool struct {
	Definition
	Hash  Hash      `json:"hash"`
	First time.Time `json:"first"`         // when it was seen first
	Since time.Time `json:"since"`         // when its current hash was seen first after its last change
	Gone  time.Time `json:"gone,omitzero"` // when its server was seen without it; zero: it is offered
}

// Identity returns the identity of the tool.
func (t *Tool) Identity() Identity { return Identity{t.Server, t.Name} }

// A Pin says that a tool is trusted with this definition.
type Pin struct {
	Definition
	Hash Hash      `json:"hash"`
	By   string    `json:"by,omitzero"` // who trusts it; "": it was trusted when it was first seen
	Time time.Time `json:"time"`
}

// Identity returns the identity of the tool.
func (p *Pin) Identity() Identity { return Identity{p.Server, p.Name} }

// Stored is the whole contents of a store at one moment, in any order.
type Stored struct {
	Servers  []Server
	Tools    []Tool
	Pins     []Pin
	Revision int64 // what Store.RegistryRevision returned at that moment
}

// An Update is a change of the store. Nothing that it forgets is also set in it, and nothing is in it twice.
type Update struct {
	Servers []Server // each replaces the one with its id
	Tools   []Tool   // each replaces the one with its identity
	// Pins replace the pins with their identity. But a pin that no person set (By is "") does not replace an existing one.
	Pins          []Pin
	Forget        []Identity // tools and their pins, if there are any
	ForgetServers []string   // by their ids; their tools stay
}

// Empty says whether the update changes nothing.
func (u *Update) Empty() bool {
	return len(u.Servers)+len(u.Tools)+len(u.Pins)+len(u.Forget)+len(u.ForgetServers) == 0
}

// Written is the result of an Update.
type Written struct {
	// Revision is the revision after the update. If it is more than one higher than the last known one, others wrote in between. 0:
	// the update was empty.
	Revision int64
	// Standing are the stored pins of the tools for which the update has pins that no person set: another weir process may have set
	// its own meanwhile.
	Standing []Pin
}

// A Store stores the registry. Server ids and names are compared exactly: byte for byte. Times have a resolution of a
// microsecond. It may be used by several goroutines at once.
type Store interface {
	// Registry returns all that is stored.
	Registry(ctx context.Context) (Stored, error)
	// RegistryRevision returns a number that every update raises by one. The call is cheap.
	RegistryRevision(ctx context.Context) (int64, error)
	// UpdateRegistry makes a change: all of it, durable when it returns, or nothing. An empty update writes nothing.
	UpdateRegistry(ctx context.Context, u Update) (Written, error)
}
