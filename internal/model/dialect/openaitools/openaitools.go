// Package openaitools finds and removes the tools that requests of the OpenAI APIs and of compatible APIs offer. Servers accept
// several of these APIs, and some accept the shapes of one in another, so all shapes are read everywhere.
package openaitools

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A List is a list of tools in a request.
type List struct {
	Tools strictjson.Value
	// Item is the item that holds the list and has no meaning without it: it is removed if all tools of the list are. Missing: there
	// is none.
	Item strictjson.Value
	// Required says that the list must be present, but may be empty.
	Required bool

	older bool // it is the list functions of older requests
}

// An API says where the requests of one API have tools.
type API struct {
	// Added finds the lists of tools in the conversation of a request; nil: conversations have none.
	Added func(l *dialect.Lookup, root strictjson.Value) []List
	// Stored are the members that name something that the provider stores, and that may have its own tools.
	Stored []string
}

// Offers returns the tools that a request offers.
func (a API) Offers(l *dialect.Lookup, root strictjson.Value) []dialect.Offer {
	r := collector{Lookup: l}
	for _, list := range a.lists(l, root) {
		r.list(list.Tools, "")
	}
	for _, name := range a.Stored {
		if v := l.Member(root, name); on(v) {
			r.add(dialect.Offer{Names: []string{name}, Declared: dialect.Declared(name, v), Fixed: true})
		}
	}
	r.settings(root)
	return r.offers
}

// lists returns all lists of tools of a request, its own first.
func (a API) lists(l *dialect.Lookup, root strictjson.Value) []List {
	lists := []List{{Tools: l.Member(root, "tools")}, {Tools: l.Member(root, "functions"), older: true}}
	if a.Added != nil {
		lists = append(lists, a.Added(l, root)...)
	}
	return lists
}

// on says whether a setting is present and not turned off.
func on(v strictjson.Value) bool {
	value, isBool := v.Bool()
	return v.Kind() > strictjson.Null && (!isBool || value)
}
