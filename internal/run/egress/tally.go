package egress

import (
	"cmp"
	"slices"
	"sync"

	"github.com/weir-gate/weir/internal/call"
)

// A Tally counts what a session did on the network.
type Tally struct {
	Connections int // connections that were released
	Refused     int // connections that were refused, and datagrams
	// RefusedNames are the lookups that were refused.
	RefusedNames int
	// Hosts are the destinations by name, or by address if no name is known, the most frequent first.
	Hosts []HostTally
	// Others are the connections to further hosts, which are too many to be listed.
	Others int
}

// A HostTally says how often programs tried to reach a host.
type HostTally struct {
	Host        string
	Connections int
	Refused     int
}

// maxHosts is how many hosts are counted by name.
const maxHosts = 256

// count collects a Tally.
type count struct {
	mu    sync.Mutex
	total Tally
	hosts map[string]*HostTally
}

// connection counts a connection.
func (n *count) connection(c call.Connection, released bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	h := n.host(countedAs(c))
	if released {
		n.total.Connections++
		h.Connections++
		return
	}
	n.total.Refused++
	h.Refused++
}

// recalled counts a connection as refused that was counted as released before, perhaps under another name.
func (n *count) recalled(before, now call.Connection) {
	n.connection(now, false)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.total.Connections--
	if h, ok := n.hosts[countedAs(before)]; ok {
		h.Connections--
	}
}

// countedAs returns the name under which a connection is counted: its first name.
func countedAs(c call.Connection) string {
	if len(c.Hosts) > 0 {
		return c.Hosts[0]
	}
	return c.Addr.String()
}

// host returns the count of a host. If there are too many hosts, it returns a count that is discarded.
func (n *count) host(name string) *HostTally {
	if h, ok := n.hosts[name]; ok {
		return h
	}
	if len(n.hosts) >= maxHosts {
		n.total.Others++
		return &HostTally{}
	}
	if n.hosts == nil {
		n.hosts = map[string]*HostTally{}
	}
	h := &HostTally{Host: name}
	n.hosts[name] = h
	return h
}

// name counts a lookup that was refused.
func (n *count) name() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.total.RefusedNames++
}

// Tally returns what the session did so far.
func (m *Monitor) Tally() Tally {
	n := &m.count
	n.mu.Lock()
	defer n.mu.Unlock()
	t := n.total
	for _, h := range n.hosts {
		if h.Connections+h.Refused > 0 {
			t.Hosts = append(t.Hosts, *h)
		}
	}
	slices.SortFunc(t.Hosts, func(a, b HostTally) int {
		return cmp.Or(cmp.Compare(b.Connections+b.Refused, a.Connections+a.Refused), cmp.Compare(a.Host, b.Host))
	})
	return t
}
