package egress

import (
	"errors"
	"net/netip"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/call"
)

// The bounds of what is told of datagrams.
const (
	tellEvery = time.Minute
	maxTold   = 4096
)

// told are destinations of datagrams that are on record already.
type told struct {
	mu sync.Mutex
	at map[netip.AddrPort]time.Time
}

// due says that a destination is to be told of, and that it is now.
func (t *told) due(to netip.AddrPort) (due, full bool) {
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	if at, ok := t.at[to]; ok && now.Sub(at) < tellEvery {
		return false, false
	}
	if len(t.at) >= maxTold {
		for a, at := range t.at {
			if now.Sub(at) >= tellEvery {
				delete(t.at, a)
			}
		}
		if len(t.at) >= maxTold {
			return false, true
		}
	}
	if t.at == nil {
		t.at = map[netip.AddrPort]time.Time{}
	}
	t.at[to] = now
	return true, false
}

// Datagram puts a datagram on record that a program sent and that went nowhere, whatever the ruling. Those to one destination are
// told once a minute.
func (m *Monitor) Datagram(source, destination netip.AddrPort) {
	destination = netip.AddrPortFrom(destination.Addr().Unmap(), destination.Port())
	due, full := m.told.due(destination)
	if full {
		m.troubles.report("datagrams", errors.New("too many destinations of datagrams to record them all; all of them are refused"))
	}
	if !due {
		return
	}
	c := call.Connection{
		Act: call.Connect, Addr: destination.Addr(), Port: destination.Port(), Protocol: "udp",
		Loopback: m.machine.has(destination.Addr()), Process: m.cfg.Process(source, destination),
	}
	c.Hosts, c.HostFrom = m.places.at(c.Addr).hosts(glimpse{})
	m.cfg.Judge.Connect(m.ctx, c)
	m.count.connection(c, false)
}
