package egress

import (
	"net/netip"
	"slices"
	"sync"
	"time"
)

// The bounds of what is remembered about addresses. Programs use an address much longer than its name server allows.
const (
	placeFor      = 12 * time.Hour
	maxPlaces     = 8192
	maxPlaceNames = 32
	forgetAtATime = maxPlaces / 8
)

// places are the addresses that lookups of the session returned, with the names that were looked up.
type places struct {
	mu    sync.Mutex
	known map[netip.Addr]*placed
}

// A placed is what is remembered about an address.
type placed struct {
	names   []string // the latest last
	at      time.Time
	crowded bool
}

// learn remembers the addresses of a name.
func (p *places) learn(name string, addrs []netip.Addr) {
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known == nil {
		p.known = map[netip.Addr]*placed{}
	}
	for _, addr := range addrs {
		e := p.known[addr]
		if e == nil {
			p.makeRoom(now)
			e = &placed{}
			p.known[addr] = e
		}
		e.at = now
		if i := slices.Index(e.names, name); i >= 0 {
			e.names = slices.Delete(e.names, i, i+1)
		}
		if len(e.names) == maxPlaceNames {
			e.names, e.crowded = slices.Delete(e.names, 0, 1), true
		}
		e.names = append(e.names, name)
	}
}

// makeRoom forgets addresses that are too old, and then the oldest. Without names, only the address is judged.
func (p *places) makeRoom(now time.Time) {
	if len(p.known) < maxPlaces {
		return
	}
	addrs := make([]netip.Addr, 0, len(p.known))
	for addr := range p.known {
		addrs = append(addrs, addr)
	}
	slices.SortFunc(addrs, func(a, b netip.Addr) int { return p.known[a].at.Compare(p.known[b].at) })
	for i, addr := range addrs {
		if i < forgetAtATime || now.Sub(p.known[addr].at) > placeFor {
			delete(p.known, addr)
		}
	}
}

// at returns what is known about an address.
func (p *places) at(addr netip.Addr) place {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.known[addr]
	if e == nil || time.Since(e.at) > placeFor {
		return place{addr: addr}
	}
	return place{addr: addr, names: slices.Clone(e.names), crowded: e.crowded}
}
