package egress

import (
	"errors"
	"net/netip"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/call"
)

// The bounds of what is recorded about datagrams.
const (
	tellEvery = time.Minute
	maxTold   = 4096
)

// told are destinations of datagrams that were recorded already.
type told struct {
	mu sync.Mutex
	at map[netip.AddrPort]time.Time
}

// due says whether a datagram to a destination should be recorded now. It notes the time.
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

// Datagram records a datagram that a program sent and that was dropped, whatever the ruling. For each destination this is recorded
// once a minute.
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
	c.Hosts, c.HostFrom = m.addresses.at(c.Addr).hosts(glimpse{})
	m.cfg.Judge.Connect(m.ctx, c)
	m.count.connection(c, false)
}
