package gate

import (
	"slices"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/call"
)

// A Held is a call that is held now: its arguments are still arriving, or its ruling is not there yet.
type Held struct {
	ID    call.ID
	Tool  string // as far as it is known
	Since time.Time
	Actor call.Actor
	Model string
}

// transits are the responses that pass now.
type transits struct {
	mu  sync.Mutex
	all map[*transit]struct{}
}

func (s *transits) add(t *transit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[*transit]struct{}{}
	}
	s.all[t] = struct{}{}
}

func (s *transits) remove(t *transit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, t)
}

// Held returns at most so many of the calls that are held now, the oldest first. It waits for no response: one that is just being read
// or written is left out.
func (g *Gate) Held(most int) []Held {
	g.transits.mu.Lock()
	defer g.transits.mu.Unlock()
	var held []Held
	for t := range g.transits.all {
		if !t.mu.TryLock() {
			continue
		}
		for _, p := range t.calls {
			if p.closed {
				continue
			}
			h := Held{ID: p.id, Since: p.since, Actor: t.p.Actor, Model: t.p.Dialect.Meta().Model}
			if len(p.slot.Names) > 0 {
				h.Tool = p.slot.Names[0]
			}
			held = append(held, h)
		}
		t.mu.Unlock()
	}
	slices.SortFunc(held, func(a, b Held) int { return a.Since.Compare(b.Since) })
	return held[:min(most, len(held))]
}
