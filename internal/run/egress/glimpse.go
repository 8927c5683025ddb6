package egress

import (
	"net/netip"
	"slices"

	"github.com/weir-gate/weir/internal/call"
)

// A glimpse is what the first bytes of a client say about its destination.
type glimpse struct {
	from  string   // sni, http or connect; "": the bytes name no destination
	names []string // each once
	// doubt says that there is, or may be, a name that cannot be parsed: servers may parse it in some way.
	doubt bool
	// hidden says that the name may be a cover: another name may be encrypted in the same hello.
	hidden bool
	// end is the number of bytes that were used. The bytes after them may have another name. 0: the bytes after them are not looked
	// at.
	end int
	// then says what follows those bytes.
	then follow
}

// A follow says what comes after something that has a name.
type follow struct {
	kind    followKind
	length  int64 // of the body of a request
	chunked bool  // the body marks its own end
	// ignored says that servers may ignore the body, and read it as the next request.
	ignored bool
}

// A followKind says what bytes follow: the beginning of a connection, or something else.
type followKind int

// The kinds.
const (
	afresh     followKind = iota // at the beginning
	afterHello                   // after a hello of TLS: a server may ask for a second one
	afterHTTP                    // after a request: more may come on the same connection
	afterProxy                   // after CONNECT: the content of a tunnel begins afresh
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

// doubted is the glimpse of bytes that seem to have a name, but it cannot be parsed.
func doubted(from string) glimpse { return glimpse{from: from, doubt: true} }

// A stage says how far the first bytes are understood.
type stage int

// The stages.
const (
	nothing  stage = iota // there are no bytes
	unlikely              // they are probably not the beginning of something that has a name: weir does not wait for more
	open                  // they may be the beginning of something that has a name
	begun                 // they are the beginning of something that has a name
	settled               // more bytes change nothing
)

// maxHead is how many bytes of a request are searched for a name. Ordinary clients send much less.
const maxHead = 32 << 10

// look parses the first bytes, or the bytes that follow something. At any stage the glimpse is what the bytes say so far.
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

// The sources of names, in the words of call.Connection.
const (
	fromDNS     = "dns"
	fromSNI     = "sni"
	fromHTTP    = "http"
	fromConnect = "connect"
)

// A destination is what is known about an address before a client sends anything.
type destination struct {
	addr  netip.Addr
	names []string // that were looked up and have this address
	// crowded says that more names had this address than are remembered.
	crowded bool
}

// describe sets what is known about the destination of a connection.
func (d destination) describe(c *call.Connection, g glimpse) {
	c.Hosts, c.HostFrom = d.hosts(g)
	// If the client looked up a name here, the hello hides no other name: lookups through weir give no keys for that.
	covered := g.hidden && !slices.ContainsFunc(g.names, func(name string) bool { return slices.Contains(d.names, name) })
	c.Doubt = g.doubt || covered
	c.Unread = g.from == "" || c.Doubt
}

// hosts returns the names of a connection to a destination, and their source. If the client shows a name that was not looked up for this
// address, or one that cannot be parsed, some name is false: then all of them must be allowed, and the bare address as well.
func (d destination) hosts(g glimpse) (hosts []string, from string) {
	switch {
	case g.from == fromConnect && !g.doubt:
		return distinct(g.names, d.plain()), fromConnect
	case g.from != "" && !g.doubt && len(g.names) == 1 && slices.Contains(d.names, g.names[0]):
		return g.names, g.from
	case g.from != "" && !g.doubt && len(g.names) == 1 && d.is(g.names[0]), g.from == "":
		// The client named only the address, or nothing: the lookups say more.
		if len(d.names) == 0 {
			return nil, ""
		}
		return d.known(), fromDNS
	default:
		return distinct(g.names, d.names, []string{d.addr.String()}), g.from
	}
}

// is says that a name is only the address of the destination. The loopback has several addresses, which reach the same services.
func (d destination) is(name string) bool {
	if d.addr.IsLoopback() && isLocalhost(name) {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && (addr == d.addr || d.addr.IsLoopback() && addr.IsLoopback())
}

// known returns the names of a destination, and its address too if some names were forgotten.
func (d destination) known() []string {
	if d.crowded {
		return append(slices.Clone(d.names), d.addr.String())
	}
	return d.names
}

// plain returns the names of a destination, or its address if it has none.
func (d destination) plain() []string {
	if len(d.names) == 0 {
		return []string{d.addr.String()}
	}
	return d.known()
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
