package registry

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// A Listing is a list of tools that a server sent.
type Listing struct {
	Server string
	Tools  []Definition // of that server; one page of them, or all
	// Complete says that these are all tools: a tool that the server offered before and that is not listed is gone.
	Complete bool
	// TrustFirst pins tools that are seen for the first time, unless they look like another known tool.
	TrustFirst bool
	// Apart says whether the tools of a server are left out of the search for look-alikes; nil: none are.
	Apart func(server string) bool
}

// Changes are what a listing changes, each list sorted by name.
type Changes struct {
	New     []Tool   `json:"new,omitzero"`     // seen for the first time
	Changed []Change `json:"changed,omitzero"` // with another hash
	// Noted are changes of members that are not part of the hash.
	Noted []Change `json:"noted,omitzero"`
	Gone  []Tool   `json:"gone,omitzero"` // no longer offered
	Back  []Tool   `json:"back,omitzero"` // offered again; also in Changed, if with another hash
	// Renamed are pairs of a gone and a new tool, which are also in those lists. The new name does not get the pin of the old one.
	Renamed []Rename `json:"renamed,omitzero"`
	// LookAlikes and Collisions are about tools that are new or back.
	LookAlikes []LookAlike `json:"look_alikes,omitzero"`
	Collisions []Collision `json:"collisions,omitzero"`
}

// A Change is the change of one tool. Diff describes it.
type Change struct {
	Old Tool `json:"old"`
	New Tool `json:"new"`
}

// A Rename is the same tool under another name. It is detected if exactly one gone tool and exactly one new tool differ only in
// their names.
type Rename struct {
	Old Tool `json:"old"`
	New Tool `json:"new"`
}

// ErrTwice says that a listing has two different tools of one name: clients could choose different ones.
var ErrTwice = errors.New("the server offers two different tools of one name")

// Observe notes the tools that a server offers, and returns the changes, which are then durable.
//
// If it fails, because of a bound or its store, the listing must not reach anyone. Tools that the listing defines differently from
// their pins then count as changed, until a listing was noted.
func (r *Registry) Observe(ctx context.Context, l Listing) (Changes, error) {
	r.writing.Lock()
	defer r.writing.Unlock()
	now := r.current.Load()
	s := now.server(l.Server)
	listed, err := r.checked(l, now, s)
	if err != nil {
		r.current.Store(now.with(l.Server, s.doubting(l)))
		return Changes{}, fmt.Errorf("take note of the tools of a server: %w", err)
	}
	o := observation{server: s, listing: l, time: r.time()}
	o.compare(listed)
	if o.update.Empty() && len(s.unsaved) == 0 {
		return o.changes, nil
	}
	next := s.with(o.update)
	o.alike(now.without(l.Apart), next)
	o.trust()
	written, err := r.save(ctx, o.update)
	if err != nil {
		r.current.Store(now.with(l.Server, s.doubting(l)))
		return Changes{}, fmt.Errorf("take note of the tools of a server: %w", err)
	}
	next.pin(written.Standing)
	for name := range listed {
		delete(next.unsaved, name)
	}
	if l.Complete {
		next.unsaved = nil
	}
	r.current.Store(now.with(l.Server, next).after(written))
	r.catchUp(ctx)
	return o.changes, nil
}

// save writes a change to the store, and checks the pins that the store returns.
func (r *Registry) save(ctx context.Context, u Update) (Written, error) {
	written, err := r.store.UpdateRegistry(ctx, u)
	if err != nil {
		return Written{}, err
	}
	for i := range written.Standing {
		if err := written.Standing[i].check(); err != nil {
			return Written{}, err
		}
	}
	return written, nil
}

// checked returns the tools of a listing by name, if they are within all bounds.
func (r *Registry) checked(l Listing, v *view, s *server) (map[string]Definition, error) {
	if _, known := v.servers[l.Server]; !known && len(v.servers) >= r.bounds.Servers {
		return nil, &BoundError{"servers that are known", len(v.servers) + 1, r.bounds.Servers}
	}
	if len(l.Tools) > r.bounds.Tools {
		return nil, &BoundError{"tools that a server offers", len(l.Tools), r.bounds.Tools}
	}
	listed := make(map[string]Definition, len(l.Tools))
	for _, d := range l.Tools {
		if d.Server != l.Server {
			return nil, errors.New("a tool of another server is among them")
		}
		other, twice := listed[d.Name]
		if twice && (other.Hash() != d.Hash() || !bytes.Equal(other.Meta, d.Meta) || !bytes.Equal(other.Other, d.Other)) {
			return nil, ErrTwice
		}
		listed[d.Name] = d
	}
	known, offered, size := len(listed), len(listed), 0
	for _, d := range listed {
		size += d.size()
	}
	for name, e := range s.entries {
		if e.pin != nil {
			size += e.pin.size()
		}
		if _, again := listed[name]; again {
			continue
		}
		known++
		size += e.tool.size()
		if !l.Complete && e.tool.Gone.IsZero() { // a page adds to the offered tools
			offered++
		}
	}
	for _, b := range []BoundError{
		{"tools that a server offers", offered, r.bounds.Tools},
		{"bytes of the definitions of a server that are remembered", size, r.bounds.Size},
		{"tools of a server that are remembered", known, r.bounds.Known},
	} {
		if b.Got > b.Limit {
			return nil, &b
		}
	}
	return listed, nil
}

// doubting returns the server after a listing that could not be noted.
func (s *server) doubting(l Listing) *server {
	next := &server{id: s.id, entries: s.entries, speller: s.speller, unsaved: maps.Clone(s.unsaved)}
	if next.unsaved == nil {
		next.unsaved = map[string]Hash{}
	}
	for i := range l.Tools {
		d := &l.Tools[i]
		e, known := s.entries[d.Name]
		if hash := d.Hash(); known && d.Server == l.Server && hash != e.tool.Hash {
			next.unsaved[d.Name] = hash
		}
	}
	return next
}

// An observation compares a listing with what is known about its server.
type observation struct {
	server  *server
	listing Listing
	time    time.Time
	changes Changes
	update  Update
}

func (o *observation) compare(listed map[string]Definition) {
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		d := listed[name]
		if e, known := o.server.entries[name]; known {
			o.again(e.tool, d)
		} else {
			o.first(d)
		}
	}
	if !o.listing.Complete {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(o.server.entries)) {
		t := o.server.entries[name].tool
		if _, there := listed[name]; there || !t.Gone.IsZero() {
			continue
		}
		t.Gone = o.time
		o.changes.Gone = append(o.changes.Gone, t)
		o.update.Tools = append(o.update.Tools, t)
	}
	o.renamed()
}

// first notes a tool that was never seen.
func (o *observation) first(d Definition) {
	t := Tool{Definition: d, Hash: d.Hash(), First: o.time, Since: o.time}
	o.changes.New = append(o.changes.New, t)
	o.update.Tools = append(o.update.Tools, t)
}

// trust pins the new tools, if the listing asks for it. A tool that could be taken for another waits for a person: only a person
// can say which of two look-alikes is meant, even if both are new.
func (o *observation) trust() {
	if !o.listing.TrustFirst {
		return
	}
	doubtful := map[string]bool{}
	for _, a := range o.changes.LookAlikes {
		doubtful[a.Tool.Name] = doubtful[a.Tool.Name] || a.Likeness.same()
	}
	for _, t := range o.changes.New {
		if !doubtful[t.Name] {
			o.update.Pins = append(o.update.Pins, Pin{Definition: t.Definition, Hash: t.Hash, Time: o.time})
		}
	}
}

// again notes a tool that is known.
func (o *observation) again(old Tool, d Definition) {
	t := Tool{Definition: d, Hash: d.Hash(), First: old.First, Since: old.Since}
	changed, back := t.Hash != old.Hash, !old.Gone.IsZero()
	noted := !bytes.Equal(d.Meta, old.Meta) || !bytes.Equal(d.Other, old.Other)
	switch {
	case changed:
		t.Since = o.time
		o.changes.Changed = append(o.changes.Changed, Change{old, t})
	case noted:
		o.changes.Noted = append(o.changes.Noted, Change{old, t})
	case !back:
		return
	}
	if back {
		o.changes.Back = append(o.changes.Back, t)
	}
	o.update.Tools = append(o.update.Tools, t)
}

// renamed pairs tools that are gone with new ones.
func (o *observation) renamed() {
	gone, fresh := map[Hash][]Tool{}, map[Hash][]Tool{}
	for _, t := range o.changes.Gone {
		body := o.server.entries[t.Name].body
		gone[body] = append(gone[body], t)
	}
	for _, t := range o.changes.New {
		body := t.body()
		fresh[body] = append(fresh[body], t)
	}
	for body, old := range gone {
		if len(old) == 1 && len(fresh[body]) == 1 {
			o.changes.Renamed = append(o.changes.Renamed, Rename{old[0], fresh[body][0]})
		}
	}
	slices.SortFunc(o.changes.Renamed, func(a, b Rename) int { return cmp.Compare(a.New.Name, b.New.Name) })
}

// alike looks for tools that could be taken for the new tools and those that are back.
func (o *observation) alike(v *view, next *server) {
	var names []string
	for _, t := range slices.Concat(o.changes.New, o.changes.Back) {
		names = append(names, t.Name)
	}
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	o.changes.LookAlikes, o.changes.Collisions = compareLooks(v.with(next.id, next), next.id, names)
}
