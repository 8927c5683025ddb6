package openaitools

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A collector collects the offers of a request.
type collector struct {
	*dialect.Lookup
	offers []dialect.Offer
}

func (c *collector) add(o dialect.Offer) { c.offers = append(c.offers, o) }

// list reads the tools of a list. space is the namespace that they are in; "": none.
func (c *collector) list(tools strictjson.Value, space string) {
	if k := tools.Kind(); k != strictjson.Missing && k != strictjson.Array {
		c.Fail(dialect.ErrUnreadable)
	}
	for v := range tools.Elems() {
		if c.Object(v) {
			c.entry(v, space)
		}
	}
}

// entry reads one entry of a list.
func (c *collector) entry(v strictjson.Value, space string) {
	typ, own := c.Text(v, "type"), c.ownNames(v)
	o := dialect.Offer{Declared: dialect.WithoutSecrets(v), Cuts: []dialect.Cut{dialect.CutOf(v)}}
	switch typ {
	case typeMCP:
		c.server(v, o, own)
		return
	case "namespace":
		c.namespace(v, o, space)
		return
	case "", "function", "custom":
		if len(own) == 0 {
			c.Fail(dialect.ErrUnreadable)
			return
		}
		inNamespace(&o, space, own)
	default:
		var name string
		name, o.Spellings = nameOfType(typ)
		// Some servers ignore the type of an entry that has a function.
		o.Names = distinct(append([]string{name}, own...))
	}
	c.add(o)
}

// ownNames returns the names of an entry, in all members in which an API has them.
func (c *collector) ownNames(v strictjson.Value) []string {
	var names []string
	for _, kind := range []string{"function", "custom"} {
		if body := c.Member(v, kind); body.Kind() != strictjson.Missing && c.Object(body) {
			names = append(names, c.Text(body, "name"))
		}
	}
	return distinct(append(names, c.Text(v, "name")))
}

// distinct returns names without empty ones and repetitions.
func distinct(names []string) []string {
	var out []string
	seen := map[string]bool{"": true}
	for _, n := range names {
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}

// mcpPrefix is the prefix of the namespaces in which clients put the tools of MCP servers.
const mcpPrefix = "mcp__"

// inNamespace sets the names of a tool to those of its calls.
func inNamespace(o *dialect.Offer, space string, names []string) {
	server, ofServer := strings.CutPrefix(space, mcpPrefix)
	switch {
	case ofServer:
		o.Names, o.Server = names, server
	case space != "":
		for _, n := range names {
			o.Names = append(o.Names, space+"."+n)
		}
		n := names[0]
		o.Spellings = []string{n, space + "__" + n, space + "/" + n}
	default:
		o.Names = names
	}
}

// namespace reads tools that share a namespace. A namespace without a list may have any tools.
func (c *collector) namespace(v strictjson.Value, o dialect.Offer, outer string) {
	for _, kind := range []string{"function", "custom"} {
		if c.Member(v, kind).Kind() != strictjson.Missing {
			c.Fail(dialect.ErrTwoReadings)
		}
	}
	name := c.RequiredText(v, "name")
	if outer != "" {
		name = outer + "." + name
	}
	tools := c.List(v, "tools")
	if tools.Len() > 0 {
		c.list(tools, name)
		return
	}
	o.Names, o.Server, o.Open = []string{name}, strings.TrimPrefix(name, mcpPrefix), true
	c.add(o)
}

// typeMCP is the type of a tool that is a whole MCP server, which the provider calls.
const typeMCP = "mcp"

// server reads an MCP server that the provider calls. own are other names of the entry.
func (c *collector) server(v strictjson.Value, o dialect.Offer, own []string) {
	for _, name := range []string{"server_label", "connector_id", "tunnel_id", "server_url"} {
		id := c.Text(v, name)
		if o.Server == "" {
			o.Server = dialect.CleanURL(id)
		} else if name == "connector_id" && id != "" {
			o.Spellings = []string{id}
		}
	}
	if o.Server == "" {
		c.Fail(dialect.ErrUnreadable)
	}
	o.Names = c.allowedTools(v)
	if o.Open = len(o.Names) == 0; o.Open {
		o.Names = []string{typeMCP}
	} else {
		o.Spellings = append(o.Spellings, typeMCP)
	}
	o.Names = distinct(append(o.Names, own...))
	c.add(o)
}

// allowedTools returns the tools of a server that a request allows; none: any tool may be allowed.
func (c *collector) allowedTools(v strictjson.Value) []string {
	list := c.Member(v, "allowed_tools")
	if list.Kind() == strictjson.Object {
		// Only the server knows which tools this filter allows.
		if c.Member(list, "read_only").Kind() != strictjson.Missing {
			return nil
		}
		list = c.Member(list, "tool_names")
	}
	if list.Kind() == strictjson.Missing {
		return nil
	}
	return c.names(list)
}

// names returns the elements of a list of names.
func (c *collector) names(list strictjson.Value) (names []string) {
	if list.Kind() != strictjson.Array {
		c.Fail(dialect.ErrUnreadable)
	}
	for elem := range list.Elems() {
		name := c.Name(elem)
		if name == "" {
			c.Fail(dialect.ErrUnreadable)
		}
		names = append(names, name)
	}
	return names
}

// families are types of tools that do the same, in any version and of any provider. Their calls have the first name.
var families = [][]string{
	{"web_search", "web_search_preview", "web_search_premium"},
	{"file_search", "collections_search"},
	{"code_interpreter", "code_execution"},
	{"computer", "computer_use_preview", "computer_use"},
	{"program", "programmatic_tool_calling"},
}

// nameOfType returns the name of the calls of a provider-defined tool, and other spellings of it.
func nameOfType(typ string) (name string, spellings []string) {
	name = typ
	_, base, vendors := strings.Cut(typ, ":")
	if !vendors {
		base = typ
	}
	names := []string{base}
	if base == liveSearch {
		names = append(names, webSearch)
	}
	for _, f := range families {
		if slices.ContainsFunc(f, func(member string) bool { return isVersion(base, member) }) {
			names = append(names, f...)
			if !vendors {
				name = f[0]
			}
		}
	}
	for _, n := range distinct(names) {
		if n != name {
			spellings = append(spellings, n)
		}
	}
	return name, spellings
}

// isVersion says whether a type is the known type, or the known type with a date at its end.
func isVersion(typ, known string) bool {
	rest, ok := strings.CutPrefix(typ, known)
	return ok && strings.Trim(rest, "_0123456789") == ""
}
