package egress

import (
	"net/netip"
	"slices"

	"github.com/weir-gate/weir/internal/call"
)

// A glimpse is what the first bytes of a client say of where it wants to go.
type glimpse struct {
	from  string   // sni, http or connect; "": they say nothing
	names []string // each once
	// doubt says that there is a name which cannot be read, or may be one: servers may read it in some way.
	doubt bool
	// hidden says that the name may be a cover, with another one encrypted behind it.
	hidden bool
	// end is how many bytes say this; what follows them may bring another name. 0: nothing that follows is looked at.
	end int
	// then is what follows.
	then follow
}

// A follow is what comes after something that has a name.
type follow struct {
	kind    followKind
	length  int64 // of the body of a request
	chunked bool  // the body says itself where it ends
	// ignored says that servers may not read the body, and take it for the next request.
	ignored bool
}

// A followKind is how bytes are read: at the beginning of a connection, or after something else.
type followKind int

// The kinds.
const (
	afresh     followKind = iota // at the beginning
	afterHello                   // of TLS: a server may ask for a second one
	afterHTTP                    // a request: others may come on the same connection
	afterProxy                   // CONNECT: what is inside of a tunnel begins afresh
)

// say adds a name that a client gives.
func (g *glimpse) say(name string, ok bool) {
	switch {
	case !ok:
		g.doubt = true
	case !slices.Contains(g.names, name):
		g.names = append(g.names, name)
	}
}

// doubted is a glimpse of what looks like something that has a name, which cannot be read.
func doubted(from string) glimpse { return glimpse{from: from, doubt: true} }

// A stage is how far the first bytes can be understood.
type stage int

// The stages.
const (
	nothing  stage = iota // there are none
	unlikely              // they are hardly the beginning of something that has a name: more is looked at, and not waited for
	open                  // they may be the beginning of something that has a name
	begun                 // they are the beginning of something that has a name
	settled               // more of them change nothing
)

// maxHead is how many bytes of a request are read for a name. Those of an ordinary client fit several times over.
const maxHead = 32 << 10

// look reads the first bytes, or those that follow something. At any stage the glimpse is what they say so far.
func look(head []byte, kind followKind) (glimpse, stage) {
	switch {
	case len(head) == 0:
		return glimpse{}, nothing
	case kind == afterHello:
		return lookAgain(head)
	case looksLikeTLS(head):
		return lookHello(head)
	default:
		return lookHead(head)
	}
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

// describe says in a connection what is known of where it leads.
func (p place) describe(c *call.Connection, g glimpse) {
	c.Hosts, c.HostFrom = p.hosts(g)
	// Who looked the name up here and goes where it leads has no other one behind it that the name servers would have given.
	covered := g.hidden && !slices.ContainsFunc(g.names, func(name string) bool { return slices.Contains(p.names, name) })
	c.Doubt = g.doubt || covered
	c.Unread = g.from == "" || c.Doubt
}

// hosts are the names that a connection to a place goes by, and what they are known from. When the client shows a name that did
// not lead there, or one that cannot be read, one of them is a lie: then all must be allowed, and the bare address as well.
func (p place) hosts(g glimpse) (hosts []string, from string) {
	switch {
	case g.from == fromConnect && !g.doubt:
		return distinct(g.names, p.plain()), fromConnect
	case g.from != "" && !g.doubt && len(g.names) == 1 && slices.Contains(p.names, g.names[0]):
		return g.names, g.from
	case g.from != "" && !g.doubt && len(g.names) == 1 && p.is(g.names[0]), g.from == "":
		// The address by itself, or nothing, says no more than where it leads.
		if len(p.names) == 0 {
			return nil, ""
		}
		return p.known(), fromDNS
	default:
		return distinct(g.names, p.names, []string{p.addr.String()}), g.from
	}
}

// is says that a name is only the address of the place. The loopback has several of them, which lead to the same services.
func (p place) is(name string) bool {
	if p.addr.IsLoopback() && isLocalhost(name) {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && (addr == p.addr || p.addr.IsLoopback() && addr.IsLoopback())
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
