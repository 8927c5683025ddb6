package egress

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// machineFor is how long the list of this machine's addresses is used. They change, for example, when a container is started.
const machineFor = 5 * time.Second

// A machine knows which addresses are its own: they reach services on the machine, like the loopback.
type machine struct {
	read  func() ([]net.Addr, error) // nil: from the system
	route func(netip.Addr) bool      // nil: the system's routes

	mu  sync.Mutex
	at  time.Time
	own map[netip.Addr]bool
}

// leads says whether the machine has a route to an IPv6 address. Programs of a session cannot find out: weir accepts each
// connection first, and a program with an open connection does not try another address.
func (m *machine) leads(addr netip.Addr) bool {
	switch {
	case !addr.Is6():
		return true
	case m.route != nil:
		return m.route(addr)
	}
	conn, err := net.Dial("udp6", netip.AddrPortFrom(addr, portDNS).String()) // it finds a route, and sends nothing
	if err != nil {
		return false
	}
	_ = conn.Close() // nothing was sent
	return true
}

// has says whether an address is one of the machine itself.
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

// look lists the machine's addresses. If they cannot be listed, none counts as its own.
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
