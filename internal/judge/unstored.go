package judge

import (
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
)

// A tail has the rulings on released calls that are durable, but not in the store yet. Refusals need none: an agent hears of them when
// the store has them.
type tail struct {
	order []*unstored // in the order in which they came; nil: there was no room for one
	known map[rulingKey][]*unstored
	over  int // how many there was no room for
}

// maxTail bounds how many rulings the tail holds.
const maxTail = 65_536

func (t *tail) add(k *call.Remembered) {
	if len(t.order) >= maxTail {
		t.order, t.over = append(t.order, nil), t.over+1
		return
	}
	if t.known == nil {
		t.known = map[rulingKey][]*unstored{}
	}
	u := &unstored{Remembered: *k}
	key := rulingKey{by: byCall, upstream: k.Upstream, wireID: k.WireID}
	t.order, t.known[key] = append(t.order, u), append(t.known[key], u)
}

// remove removes the oldest.
func (t *tail) remove() {
	if len(t.order) == 0 {
		return
	}
	u := t.order[0]
	if t.order = t.order[1:]; u == nil {
		t.over--
		return
	}
	key := rulingKey{by: byCall, upstream: u.Upstream, wireID: u.WireID}
	if t.known[key] = t.known[key][1:]; len(t.known[key]) == 0 {
		delete(t.known, key)
	}
}

// find returns the ruling on a call. It fails if there may be one that it does not hold.
func (t *tail) find(x call.Exchange, wireID string) (call.Ruling, bool, error) {
	for _, u := range t.known[rulingKey{by: byCall, upstream: x.Provider, wireID: wireID}] {
		if u.is(x, wireID) {
			return u.Ruling, true, nil
		}
	}
	if t.over > 0 {
		return call.Ruling{}, false, errForgotten
	}
	return call.Ruling{}, false, nil
}

// Logged notes the rulings of entries that are durable. The store may not have them before Stored is called.
func (b *Rulings) Logged(entries []record.Entry) {
	b.eachReleased(entries, b.tail.add)
}

// Stored notes that the store has entries, in the order of Logged.
func (b *Rulings) Stored(entries []record.Entry) {
	b.eachReleased(entries, func(*call.Remembered) { b.tail.remove() })
}

func (b *Rulings) eachReleased(entries []record.Entry, do func(*call.Remembered)) {
	for i := range entries {
		if k := entries[i].With.Remember; k != nil && k.Ruling.Released {
			b.mu.Lock()
			do(k)
			b.mu.Unlock()
		}
	}
}
