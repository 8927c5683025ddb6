package condition

import (
	"slices"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// connectionParts are the parts of a connection that rules see: the members of its arguments.
var connectionParts = []string{hostPart, "address", "port", "protocol", "loopback", "process"}

// hostPart is the part with the names of the other side.
const hostPart = "host"

// ConnectionParts are the members that the arguments of a call on the surface egress can have.
func ConnectionParts() []string { return slices.Clone(connectionParts) }

// connectionPath turns a path into one that selects a part of a connection. A part that is a list selects each of its items: a host
// with several names is each of them. It returns false if connections have no such part.
func connectionPath(p *argument.Path) bool {
	p.Spread = true
	name, ok := p.Member()
	return p.Whole() || ok && slices.ContainsFunc(connectionParts, func(part string) bool { return strings.EqualFold(part, name) })
}

// NamesHosts says whether a condition looks at the host of a connection, or at the server that is identified by its host.
func (p Paths) NamesHosts(c *Condition, byHost bool) bool {
	switch {
	case c.block != "":
		return slices.ContainsFunc(c.of, func(of Condition) bool { return p.NamesHosts(&of, byHost) })
	case c.under != nil:
		return false
	case c.expr != nil:
		return c.expr.ReadsMember(hostPart) || byHost && c.expr.ReadsServer()
	default:
		return slices.ContainsFunc(p[c.path].paths, func(at argument.Path) bool {
			return at.Whole() || strings.EqualFold(at.Last(), hostPart)
		})
	}
}

// eachHost returns the arguments of a connection as expressions see them, once for each name of its host. Arguments of other calls
// are returned unchanged.
func (s Subject) eachHost(args any) []any {
	members, _ := args.(map[string]any)
	hosts, several := members["host"].([]any)
	if !s.Connection || !several || len(hosts) == 0 {
		return []any{args}
	}
	out := make([]any, len(hosts))
	for i, host := range hosts {
		one := make(map[string]any, len(members))
		for part, v := range members {
			one[part] = v
		}
		one["host"] = host
		out[i] = one
	}
	return out
}

// ToHost is the condition that a connection is to a host, or to a name below it.
func (c *Compiler) ToHost(host string) *Condition {
	c.OfConnections = true
	defer func() { c.OfConnections = false }()
	place, _ := c.Path(&yamlfile.Node{Kind: yamlfile.String, Text: hostPart}, false)
	holds, err := hostTest([]string{host, "*." + host})
	if err != nil {
		panic("this is no host: " + err.Error()) // it is part of the program, and tested
	}
	return &Condition{path: place, op: operatorNamed("host_in"), test: test{typed: holds}, want: strconv.Quote(host)}
}
