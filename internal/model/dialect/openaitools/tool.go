package openaitools

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A reader collects the offers of a request.
type reader struct {
	offers []dialect.Offer
}

func (r *reader) add(o dialect.Offer) { r.offers = append(r.offers, o) }

// list reads the tools of a list. space is the namespace that they are in; "": none.
func (r *reader) list(tools strictjson.Value, space string) error {
	if tools.Kind() == strictjson.Missing {
		return nil
	}
	if tools.Kind() != strictjson.Array {
		return dialect.ErrUnreadable
	}
	for v := range tools.Elems() {
		if err := r.entry(v, space); err != nil {
			return err
		}
	}
	return nil
}

// entry reads one entry of a list.
func (r *reader) entry(v strictjson.Value, space string) error {
	if v.Kind() != strictjson.Object {
		return dialect.ErrUnreadable
	}
	typ, err := dialect.OfferText(v, "type")
	if err != nil {
		return err
	}
	own, err := ownNames(v)
	if err != nil {
		return err
	}
	start, _ := v.Span()
	o := dialect.Offer{Declared: dialect.WithoutSecrets(v), Cuts: []dialect.Cut{{Start: start}}}
	switch typ {
	case typeMCP:
		return r.server(v, o, own)
	case "namespace":
		return r.namespace(v, o, space)
	case "", "function", "custom":
		if len(own) == 0 {
			return dialect.ErrUnreadable
		}
		inNamespace(&o, space, own)
	default:
		var name string
		name, o.Spellings = nameOfType(typ)
		// Some servers do not look at the type of what has a function.
		o.Names = distinct(append([]string{name}, own...))
	}
	r.add(o)
	return nil
}

// ownNames are the names that an entry gives itself, where any API has them.
func ownNames(v strictjson.Value) ([]string, error) {
	var names []string
	for _, kind := range []string{"function", "custom"} {
		body, err := dialect.OfferMember(v, kind)
		if err != nil {
			return nil, err
		}
		if body.Kind() == strictjson.Missing {
			continue
		}
		if body.Kind() != strictjson.Object {
			return nil, dialect.ErrUnreadable
		}
		name, err := dialect.OfferText(body, "name")
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	name, err := dialect.OfferText(v, "name")
	if err != nil {
		return nil, err
	}
	return distinct(append(names, name)), nil
}

// distinct is names without those that are empty or there already.
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

// mcpPrefix begins the namespaces in which clients put the tools of MCP servers.
const mcpPrefix = "mcp__"

// inNamespace names a tool as its calls are named.
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

// namespace reads tools that share a namespace. One that lists none may have any.
func (r *reader) namespace(v strictjson.Value, o dialect.Offer, outer string) error {
	for _, kind := range []string{"function", "custom"} {
		if body, err := dialect.OfferMember(v, kind); err != nil || body.Kind() != strictjson.Missing {
			return dialect.ErrTwoReadings
		}
	}
	name, err := dialect.OfferText(v, "name")
	if err != nil {
		return err
	}
	if name == "" {
		return dialect.ErrUnreadable
	}
	if outer != "" {
		name = outer + "." + name
	}
	tools, err := dialect.OfferMember(v, "tools")
	if err != nil {
		return err
	}
	if tools.Kind() != strictjson.Missing && tools.Kind() != strictjson.Array {
		return dialect.ErrUnreadable
	}
	if tools.Len() == 0 {
		o.Names, o.Server, o.Open = []string{name}, strings.TrimPrefix(name, mcpPrefix), true
		r.add(o)
		return nil
	}
	return r.list(tools, name)
}

// typeMCP is the type of a tool that is a whole MCP server, which the provider calls.
const typeMCP = "mcp"

// server reads an MCP server that the provider calls. own are names that the entry has besides.
func (r *reader) server(v strictjson.Value, o dialect.Offer, own []string) error {
	var err error
	for _, name := range []string{"server_label", "connector_id", "tunnel_id", "server_url"} {
		id, e := dialect.OfferText(v, name)
		if e != nil {
			return e
		}
		if o.Server == "" {
			o.Server = dialect.CleanURL(id)
		} else if name == "connector_id" && id != "" {
			o.Spellings = []string{id}
		}
	}
	if o.Server == "" {
		return dialect.ErrUnreadable
	}
	if o.Names, err = allowedTools(v); err != nil {
		return err
	}
	if o.Open = len(o.Names) == 0; o.Open {
		o.Names = []string{typeMCP}
	} else {
		o.Spellings = append(o.Spellings, typeMCP)
	}
	o.Names = distinct(append(o.Names, own...))
	r.add(o)
	return nil
}

// allowedTools are the tools of a server that a request allows; none: any tool may be allowed.
func allowedTools(v strictjson.Value) ([]string, error) {
	list, err := dialect.OfferMember(v, "allowed_tools")
	if err != nil {
		return nil, err
	}
	if list.Kind() == strictjson.Object {
		// What else the filter lets through is for the server to say.
		filter, err := dialect.OfferMember(list, "read_only")
		if err != nil || filter.Kind() != strictjson.Missing {
			return nil, err
		}
		if list, err = dialect.OfferMember(list, "tool_names"); err != nil {
			return nil, err
		}
	}
	if list.Kind() == strictjson.Missing {
		return nil, nil
	}
	return texts(list)
}

// texts are the elements of a list of names.
func texts(list strictjson.Value) ([]string, error) {
	if list.Kind() != strictjson.Array {
		return nil, dialect.ErrUnreadable
	}
	var names []string
	for elem := range list.Elems() {
		name, ok := elem.Text()
		if !ok || name == "" || len(name) > dialect.MaxName {
			return nil, dialect.ErrUnreadable
		}
		names = append(names, name)
	}
	return names, nil
}

// families are types of tools that do the same, by whatever version of whichever provider. Their calls have the first name.
var families = [][]string{
	{"web_search", "web_search_preview", "web_search_premium"},
	{"file_search", "collections_search"},
	{"code_interpreter", "code_execution"},
	{"computer", "computer_use_preview", "computer_use"},
	{"program", "programmatic_tool_calling"},
}

// nameOfType is the name that calls of a tool have which the provider defines, and the other ways to write it.
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

// isVersion says whether a type is one that is known, or that one with a date at its end.
func isVersion(typ, known string) bool {
	rest, ok := strings.CutPrefix(typ, known)
	return ok && strings.Trim(rest, "_0123456789") == ""
}
