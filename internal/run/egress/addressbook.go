package egress

import (
	"net/netip"
	"slices"
	"sync"
	"time"
)

// The bounds of what is remembered about addresses. Programs use an address much longer than its name server allows.
const (
	rememberFor   = 12 * time.Hour
	maxAddresses  = 8192
	maxNames      = 32
	forgetAtATime = maxAddresses / 8
)

// An addressBook has the addresses that lookups of the session returned, with the names that were looked up.
type addressBook struct {
	mu    sync.Mutex
	known map[netip.Addr]*addressEntry
}

// An addressEntry is what is remembered about an address.
type addressEntry struct {
	names   []string // the latest last
	at      time.Time
	crowded bool
}

// learn remembers the addresses of a name.
func (b *addressBook) learn(name string, addrs []netip.Addr) {
	now := time.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.known == nil {
		b.known = map[netip.Addr]*addressEntry{}
	}
	for _, addr := range addrs {
		e := b.known[addr]
		if e == nil {
			b.makeRoom(now)
			e = &addressEntry{}
			b.known[addr] = e
		}
		e.at = now
		if i := slices.Index(e.names, name); i >= 0 {
			e.names = slices.Delete(e.names, i, i+1)
		}
		if len(e.names) == maxNames {
			e.names, e.crowded = slices.Delete(e.names, 0, 1), true
		}
		e.names = append(e.names, name)
	}
}

// makeRoom forgets addresses that are too old, and then the oldest. Without names, only the address is judged.
func (b *addressBook) makeRoom(now time.Time) {
	if len(b.known) < maxAddresses {
		return
	}
	addrs := make([]netip.Addr, 0, len(b.known))
	for addr := range b.known {
		addrs = append(addrs, addr)
	}
	slices.SortFunc(addrs, func(x, y netip.Addr) int { return b.known[x].at.Compare(b.known[y].at) })
	for i, addr := range addrs {
		if i < forgetAtATime || now.Sub(b.known[addr].at) > rememberFor {
			delete(b.known, addr)
		}
	}
}

// at returns what is known about an address.
func (b *addressBook) at(addr netip.Addr) destination {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.known[addr]
	if e == nil || time.Since(e.at) > rememberFor {
		return destination{addr: addr}
	}
	return destination{addr: addr, names: slices.Clone(e.names), crowded: e.crowded}
}
