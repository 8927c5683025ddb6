package registry

import (
	"fmt"
	"maps"

	"github.com/weir-gate/weir/internal/text/inert"
)

// A view is all that is known at one time. It is not changed once others can see it.
type view struct {
	servers map[string]*server // by their tools
	met     map[string]Server  // by id; not all of them have tools
	// revision is the store's revision when the view was read, or after later writes by this process alone.
	revision int64
	// behind says that others wrote something that is not in the view: the view matches no revision.
	behind bool
}

// A server is what is known about the tools of one server.
type server struct {
	id      string
	entries map[string]entry // by exact name
	// unsaved are the hashes of known tools in a listing that could not be noted. They are only used to decide which tools count as
	// changed.
	unsaved map[string]Hash
	speller *speller
}

// An entry is what is known about one tool.
type entry struct {
	tool Tool
	body Hash
	pin  *Pin
	look look
}

// server returns what is known about a server; an empty server if nothing is.
func (v *view) server(id string) *server {
	if s, ok := v.servers[id]; ok {
		return s
	}
	return &server{id: id}
}

// with returns a view in which a server is replaced, or removed if nothing is known about it.
func (v *view) with(id string, s *server) *view {
	next := &view{servers: maps.Clone(v.servers), met: v.met, revision: v.revision, behind: v.behind}
	if next.servers == nil {
		next.servers = map[string]*server{}
	}
	if len(s.entries)+len(s.unsaved) == 0 {
		delete(next.servers, id)
	} else {
		next.servers[id] = s
	}
	return next
}

// without returns a view without the servers for which apart returns true; nil: with all servers.
func (v *view) without(apart func(server string) bool) *view {
	if apart == nil {
		return v
	}
	next := &view{servers: maps.Clone(v.servers), met: v.met, revision: v.revision, behind: v.behind}
	maps.DeleteFunc(next.servers, func(id string, _ *server) bool { return apart(id) })
	return next
}

// meeting returns a view with a server that was met.
func (v *view) meeting(s Server) *view {
	next := &view{servers: v.servers, met: maps.Clone(v.met), revision: v.revision, behind: v.behind}
	if next.met == nil {
		next.met = map[string]Server{}
	}
	next.met[s.ID] = s
	return next
}

// after sets the revision of the view after a change. If others wrote in between, the revision stays: the view does not have what
// they wrote, and is read again at the next refresh.
func (v *view) after(w Written) *view {
	if w.Revision == v.revision+1 {
		v.revision = w.Revision
	} else {
		v.behind = true
	}
	return v
}

// keepDoubts copies the unsaved hashes of the old view. So reading the store again does not make a tool trusted whose server now
// defines it differently. A hash that another process has saved meanwhile is not copied.
func (v *view) keepDoubts(old *view) {
	for id, was := range old.servers {
		is, known := v.servers[id]
		for name, hash := range was.unsaved {
			if !known || is.entries[name].tool.Hash == "" || is.entries[name].tool.Hash == hash {
				continue
			}
			if is.unsaved == nil {
				is.unsaved = map[string]Hash{}
			}
			is.unsaved[name] = hash
		}
	}
}

// with returns the server after a change.
func (s *server) with(u Update) *server {
	next := &server{id: s.id, entries: maps.Clone(s.entries), unsaved: maps.Clone(s.unsaved)}
	if next.entries == nil {
		next.entries = map[string]entry{}
	}
	for _, id := range u.Forget {
		delete(next.entries, id.Name)
		delete(next.unsaved, id.Name)
	}
	for _, t := range u.Tools {
		e, known := next.entries[t.Name]
		if !known {
			e.look = newLook(t.Name)
		}
		e.tool, e.body = t, t.body()
		next.entries[t.Name] = e
	}
	next.pin(u.Pins)
	next.speller = newSpeller(next)
	return next
}

// pin adds pins to a server that nobody else sees yet.
func (s *server) pin(pins []Pin) {
	for _, p := range pins {
		e := s.entries[p.Name]
		e.pin = &p
		s.entries[p.Name] = e
	}
}

// viewOf returns the view of a store's contents. It fails if a definition does not match its hash: then the registry did not write
// it.
func viewOf(k Stored) (*view, error) {
	updates := map[string]Update{}
	for _, t := range k.Tools {
		if t.Hash != t.Definition.Hash() {
			return nil, tampered(t.Identity())
		}
		u := updates[t.Server]
		u.Tools = append(u.Tools, t)
		updates[t.Server] = u
	}
	for _, p := range k.Pins {
		if err := p.check(); err != nil {
			return nil, err
		}
		u := updates[p.Server]
		u.Pins = append(u.Pins, p)
		updates[p.Server] = u
	}
	for id, u := range updates {
		updates[id] = withPinned(u)
	}
	v := &view{servers: make(map[string]*server, len(updates)), met: make(map[string]Server, len(k.Servers)), revision: k.Revision}
	for _, s := range k.Servers {
		v.met[s.ID] = s
	}
	for id, u := range updates {
		v.servers[id] = v.server(id).with(u)
	}
	return v, nil
}

// check fails if a pin that a store returned was changed by something else.
func (p *Pin) check() error {
	if p.Hash != p.Definition.Hash() {
		return tampered(p.Identity())
	}
	return nil
}

// withPinned adds the tools of which only a pin is left, as tools that are no longer offered.
func withPinned(u Update) Update {
	known := map[string]bool{}
	for _, t := range u.Tools {
		known[t.Name] = true
	}
	for _, p := range u.Pins {
		if !known[p.Name] {
			u.Tools = append(u.Tools, Tool{Definition: p.Definition, Hash: p.Hash, First: p.Time, Since: p.Time, Gone: p.Time})
		}
	}
	return u
}

// shownName is how much of a foreign name an error shows.
const shownName = 64

func tampered(id Identity) error {
	return fmt.Errorf("tool %s of server %s: its definition does not have its hash: something else changed the store; "+
		"forget the tool with weir mcp pins reset",
		inert.Name(id.Name, shownName), inert.Name(id.Server, shownName))
}
