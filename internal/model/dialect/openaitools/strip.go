package openaitools

import (
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Strip returns a request's body without offers that Read found in it, and without what makes no sense without them.
func (a API) Strip(body []byte, offers []dialect.Offer) []byte {
	var places []dialect.Cut
	for _, o := range offers {
		places = append(places, o.Cuts...)
	}
	root, err := dialect.ParseRequest(new(strictjson.Doc), body)
	if err != nil || len(places) == 0 {
		return body
	}
	lists, err := a.lists(root)
	if err != nil {
		return body
	}
	out := dialect.Without(body, emptied(lists, places))
	return a.tidy(out, offers, toolsOf(lists))
}

// emptied adds to places that go what must go or be replaced because nothing is left in it.
func emptied(lists []List, places []dialect.Cut) []dialect.Cut {
	gone := map[int]bool{}
	for _, p := range places {
		gone[p.Start] = true
	}
	for _, l := range lists {
		all := l.Tools.Len() > 0
		for v := range l.Tools.Elems() {
			spaces, elemGone := goneNamespaces(v, gone)
			places = append(places, spaces...)
			all = all && elemGone
		}
		if !all {
			continue
		}
		if l.Kept {
			start, _ := l.Tools.Span()
			places = append(places, dialect.Cut{Start: start, With: []byte("[]")})
		} else if l.Item.Kind() != strictjson.Missing {
			start, _ := l.Item.Span()
			places = append(places, dialect.Cut{Start: start})
		}
	}
	return places
}

// goneNamespaces are the namespaces, v or in it, whose tools all go. It says whether v goes.
func goneNamespaces(v strictjson.Value, gone map[int]bool) (places []dialect.Cut, all bool) {
	start, _ := v.Span()
	if gone[start] {
		return nil, true
	}
	if typ, _ := v.Member("type"); !typ.Is("namespace") {
		return nil, false
	}
	tools, _ := v.Member("tools")
	all = tools.Len() > 0
	for elem := range tools.Elems() {
		inner, elemGone := goneNamespaces(elem, gone)
		places = append(places, inner...)
		all = all && elemGone
	}
	if all {
		places = append(places, dialect.Cut{Start: start})
	}
	return places, all
}

// tools says which kinds of tools a request has.
type tools struct{ listed, functions bool }

func toolsOf(lists []List) (t tools) {
	for _, l := range lists {
		t.functions = t.functions || l.older && l.Tools.Len() > 0
		t.listed = t.listed || !l.older && l.Tools.Len() > 0
	}
	return t
}

// tidy takes out of a body what is about tools that were stripped from it: had is what it had before.
func (a API) tidy(body []byte, stripped []dialect.Offer, had tools) []byte {
	root, err := dialect.ParseRequest(new(strictjson.Doc), body)
	if err != nil {
		return body
	}
	left, err := a.Read(root)
	if err != nil {
		return body
	}
	lists, err := a.lists(root)
	if err != nil {
		return body
	}
	c := choices{stripped: stripped, left: left}
	has := toolsOf(lists)
	has.listed = has.listed || a.hasStored(root)
	for name, v := range root.Members() {
		switch {
		case name.Folds("tool_choice"):
			c.tidy(v, had.listed && !has.listed)
		case name.Folds("function_call"):
			c.tidy(v, had.functions && !has.functions)
		case name.Folds("parallel_tool_calls") && (had.listed || had.functions) && !has.listed && !has.functions:
			c.remove(v)
		}
	}
	return dialect.Without(body, c.places)
}

// hasStored says whether a request names something that may bring tools.
func (a API) hasStored(root strictjson.Value) bool {
	return slices.ContainsFunc(a.Stored, func(name string) bool {
		v, _ := root.Member(name)
		return on(v)
	})
}

// choices finds out which choices of a tool make no sense any more.
type choices struct {
	stripped, left []dialect.Offer
	places         []dialect.Cut
}

func (c *choices) remove(v strictjson.Value) {
	start, _ := v.Span()
	c.places = append(c.places, dialect.Cut{Start: start})
}

// tidy looks at a choice. all says that no tool is left to choose.
func (c *choices) tidy(v strictjson.Value, all bool) {
	list := choiceList(v)
	if all || list.Len() == 0 {
		if all || c.gone(v) {
			c.remove(v)
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
		c.remove(v)
		return
	}
	for _, elem := range gone {
		c.remove(elem)
	}
}

// choiceList is the list of a choice among several tools.
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

// gone says whether a choice is of a tool that was stripped, and not of one that is still there by the same name.
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

// chosen is what a choice names.
func chosen(v strictjson.Value) (server string, names []string) {
	if v.Kind() == strictjson.String {
		return "", nil // how to choose, not what
	}
	label, _ := v.Member("server_label")
	server, _ = label.Text()
	space, _ := v.Member("namespace")
	in, _ := space.Text()
	own, err := ownNames(v)
	if err != nil || len(own) == 0 {
		typ, _ := v.Member("type")
		name, _ := typ.Text()
		return server, distinct([]string{name})
	}
	var o dialect.Offer
	inNamespace(&o, in, own)
	return server, o.Names
}
