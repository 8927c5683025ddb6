package egress

import (
	"net/netip"
	"slices"
)

// A glimpse is what the first bytes of a client say of where it wants to go.
type glimpse struct {
	from  string   // sni, http or connect; "": they say nothing
	names []string // each once
	// doubt says that there is a name which cannot be read, or may be one: servers may read it in some way.
	doubt bool
}

// say adds a name that a client gives.
func (g *glimpse) say(name string, ok bool) {
	switch {
	case !ok:
		g.doubt = true
	case !slices.Contains(g.names, name):
		g.names = append(g.names, name)
	}
}

// A stage is how far the first bytes can be understood.
type stage int

// The stages.
const (
	nothing stage = iota // there are none
	open                 // they may be the beginning of something that has a name
	begun                // they are the beginning of something that has a name
	settled              // more of them change nothing
)

// maxHead is how many of the first bytes are read for a name. Those of an ordinary client fit several times over.
const maxHead = 32 << 10

// look reads the first bytes. At any stage the glimpse is what they say so far.
func look(head []byte) (glimpse, stage) {
	if len(head) == 0 {
		return glimpse{}, nothing
	}
	if head[0] == recordHandshake {
		return lookHello(head)
	}
	return lookHead(head)
}

// Where names are known from, as call.Connection says it.
const (
	fromDNS     = "dns"
	fromSNI     = "sni"
	fromHTTP    = "http"
	fromConnect = "connect"
)

// A place is what is known of an address before a client says anything.
type place struct {
	addr  netip.Addr
	names []string // that were looked up and led there
	// crowded says that more names led there than are kept.
	crowded bool
}

// hosts are the names that a connection to a place goes by, and what they are known from. When the client shows a name that did
// not lead there, or one that cannot be read, one of them is a lie: then all must be allowed, and the bare address as well.
func (p place) hosts(g glimpse) (hosts []string, from string) {
	switch {
	case g.from == fromConnect && !g.doubt:
		return distinct(g.names, p.plain()), fromConnect
	case g.from != "" && !g.doubt && len(g.names) == 1 && slices.Contains(p.names, g.names[0]):
		return g.names, g.from
	case g.from != "" && !g.doubt && len(g.names) == 1 && g.names[0] == p.addr.String(), g.from == "":
		// The address by itself, or nothing, says no more than where it leads.
		if len(p.names) == 0 {
			return nil, ""
		}
		return p.known(), fromDNS
	default:
		return distinct(g.names, p.names, []string{p.addr.String()}), g.from
	}
}

// known are the names that led to a place, and its address when some are forgotten.
func (p place) known() []string {
	if p.crowded {
		return append(slices.Clone(p.names), p.addr.String())
	}
	return p.names
}

// plain are the names of a place, or its address when it has none.
func (p place) plain() []string {
	if len(p.names) == 0 {
		return []string{p.addr.String()}
	}
	return p.known()
}

// distinct joins lists, each name once.
func distinct(lists ...[]string) []string {
	var all []string
	for _, list := range lists {
		for _, name := range list {
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}
