package daemon

import (
	"cmp"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/record/store"
)

// standing says how this weir is set up, and what it does now.
func (d *Daemon) standing() control.Standing {
	c := d.cfg.Config
	location, _ := store.URL(c.Store.URL).Location() // it was opened, so it has one
	return control.Standing{
		Since: d.since, Address: d.Address(), Config: d.cfg.ConfigPath, Store: store.URL(c.Store.URL).String(),
		Location: location, Enforcement: string(c.Enforcement), Sessions: d.sessions.list(), Held: d.held(),
	}
}

// mostHeld is how many of the held calls weir tells.
const mostHeld = 50

// held are calls that are held now.
func (d *Daemon) held() (all []control.HeldCall) {
	for _, h := range d.gate.Held(mostHeld) {
		all = append(all, control.HeldCall{
			ID: h.ID, Tool: h.Tool, Since: h.Since, Who: cmp.Or(h.Actor.Employee, h.Actor.Key), Session: h.Actor.Session, Model: h.Model,
		})
	}
	return all
}

// list returns the open sessions by their ids.
func (s *sessions) list() []control.OpenSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := []control.OpenSession{}
	for _, one := range s.byID {
		if !one.ended {
			all = append(all, control.OpenSession{ID: one.id, Folder: one.folder})
		}
	}
	slices.SortFunc(all, func(a, b control.OpenSession) int { return strings.Compare(a.ID, b.ID) })
	return all
}
