package openaitools

import (
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Orphans returns the parts that are removed with offers that are gone: lists and items without tools, and choices of such tools.
func (a API) Orphans(l *dialect.Lookup, root strictjson.Value, gone dialect.Gone) []dialect.Cut {
	c := choices{stripped: gone.Offers, left: gone.Left(a.Offers(l, root))}
	had, has := c.emptied(a.lists(l, root), gone)
	has.listed = has.listed || a.hasStored(root)
	for name, v := range root.Members() {
		switch {
		case name.Folds("tool_choice"):
			c.tidy(v, had.listed && !has.listed)
		case name.Folds("function_call"):
			c.tidy(v, had.functions && !has.functions)
		case name.Folds("parallel_tool_calls") && (had.listed || had.functions) && !has.listed && !has.functions:
			c.cut(v)
		}
	}
	return c.cuts
}

// tools says which kinds of tools a request has.
type tools struct{ listed, functions bool }

func (t *tools) note(l List) {
	t.functions = t.functions || l.older
	t.listed = t.listed || !l.older
}

// emptied cuts or replaces lists in which nothing is left. It returns the kinds of tools that the request had, and has now.
func (c *choices) emptied(lists []List, gone dialect.Gone) (had, has tools) {
	for _, l := range lists {
		all := l.Tools.Len() > 0
		if all {
			had.note(l)
		}
		for v := range l.Tools.Elems() {
			elemGone := c.goneNamespaces(v, gone)
			all = all && elemGone
		}
		switch {
		case l.Tools.Len() > 0 && !all:
			has.note(l)
		case !all:
		case l.Required:
			empty := dialect.CutOf(l.Tools)
			empty.With = []byte("[]")
			c.cuts = append(c.cuts, empty)
		case l.Item.Kind() != strictjson.Missing:
			c.cut(l.Item)
		}
	}
	return had, has
}

// goneNamespaces cuts the namespaces, v or inside of it, of which no tool is left. It returns true if v is gone.
func (c *choices) goneNamespaces(v strictjson.Value, gone dialect.Gone) bool {
	if gone.HasValue(v) {
		return true
	}
	if typ, _ := v.Member("type"); !typ.Is("namespace") {
		return false
	}
	tools, _ := v.Member("tools")
	all := tools.Len() > 0
	for elem := range tools.Elems() {
		elemGone := c.goneNamespaces(elem, gone)
		all = all && elemGone
	}
	if all {
		c.cut(v)
	}
	return all
}

// hasStored says whether a request names something stored that may have tools.
func (a API) hasStored(root strictjson.Value) bool {
	return slices.ContainsFunc(a.Stored, func(name string) bool {
		v, _ := root.Member(name)
		return on(v)
	})
}

// choices finds the choices of tools that no longer make sense.
type choices struct {
	stripped, left []dialect.Offer
	cuts           []dialect.Cut
}

func (c *choices) cut(v strictjson.Value) { c.cuts = append(c.cuts, dialect.CutOf(v)) }

// tidy cuts a choice that no longer makes sense. all says that no tool is left to choose.
func (c *choices) tidy(v strictjson.Value, all bool) {
	list := choiceList(v)
	if all || list.Len() == 0 {
		if all || c.gone(v) {
			c.cut(v)
		}
		return
	}
	var gone []strictjson.Value
	for elem := range list.Elems() {
		if c.gone(elem) {
			gone = append(gone, elem)
		}
	}
	if len(gone) == list.Len() {
		c.cut(v)
		return
	}
	for _, elem := range gone {
		c.cut(elem)
	}
}

// choiceList returns the list of a choice among several tools.
func choiceList(v strictjson.Value) strictjson.Value {
	if nested, _ := v.Member("allowed_tools"); nested.Kind() == strictjson.Object {
		v = nested
	}
	list, _ := v.Member("tools")
	if list.Kind() != strictjson.Array {
		return strictjson.Value{}
	}
	return list
}

// gone says whether a choice names a tool that was stripped, and no other tool of that name is left.
func (c *choices) gone(v strictjson.Value) bool {
	server, names := chosen(v)
	is := func(o dialect.Offer) bool {
		if server != "" {
			return o.Server == server
		}
		return slices.ContainsFunc(names, func(n string) bool {
			return slices.Contains(o.Names, n) || slices.Contains(o.Spellings, n)
		})
	}
	return slices.ContainsFunc(c.stripped, is) && !slices.ContainsFunc(c.left, is)
}

// chosen returns the server and the tools that a choice names.
func chosen(v strictjson.Value) (server string, names []string) {
	if v.Kind() == strictjson.String {
		return "", nil // it says how to choose, and names no tool
	}
	server = dialect.MemberText(v, "server_label")
	r := collector{Lookup: new(dialect.Lookup)}
	own := r.ownNames(v)
	if r.Err != nil || len(own) == 0 {
		return server, distinct([]string{dialect.MemberText(v, "type")})
	}
	var o dialect.Offer
	inNamespace(&o, dialect.MemberText(v, "namespace"), own)
	return server, o.Names
}
