package egress

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// machineFor is how long the addresses of this machine are believed. They change when a cable is pulled or a container started.
const machineFor = 5 * time.Second

// A machine knows which addresses are its own: whoever dials one reaches a service on the machine, as by the loopback.
type machine struct {
	read  func() ([]net.Addr, error) // nil: from the system
	route func(netip.Addr) bool      // nil: as the system knows it

	mu  sync.Mutex
	at  time.Time
	own map[netip.Addr]bool
}

// leads says whether the machine has a way to an address of IPv6. Programs of a session cannot find out: each connection of theirs
// is taken first, and a program that got one does not try another address.
func (m *machine) leads(addr netip.Addr) bool {
	switch {
	case !addr.Is6():
		return true
	case m.route != nil:
		return m.route(addr)
	}
	conn, err := net.Dial("udp6", netip.AddrPortFrom(addr, portDNS).String()) // it looks for a way, and sends nothing
	if err != nil {
		return false
	}
	_ = conn.Close() // nothing was done with it
	return true
}

// has says whether an address leads to the machine itself.
func (m *machine) has(addr netip.Addr) bool {
	if addr.IsLoopback() || addr.IsUnspecified() {
		return true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if now := time.Now(); m.own == nil || now.Sub(m.at) >= machineFor {
		m.own, m.at = m.look(), now
	}
	return m.own[addr.WithZone("")]
}

// look lists the addresses. One that cannot be listed is like any other.
func (m *machine) look() map[netip.Addr]bool {
	read := m.read
	if read == nil {
		read = net.InterfaceAddrs
	}
	own := map[netip.Addr]bool{}
	addrs, err := read()
	if err != nil {
		return own
	}
	for _, a := range addrs {
		if prefix, err := netip.ParsePrefix(a.String()); err == nil {
			own[prefix.Addr().Unmap().WithZone("")] = true
		}
	}
	return own
}
