// Package openaitools reads the tools that requests of the OpenAI APIs, and of the many that look like them, offer, and takes
// them out. Servers read more than one of these APIs, and some read the shapes of one in the other, so all shapes are read
// everywhere.
package openaitools

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A List is a list of tools in a request.
type List struct {
	Tools strictjson.Value
	// Item is what holds the list and has no meaning without it: it goes when all tools of the list go. Missing: it stays.
	Item strictjson.Value
	// Kept says that the list must be there, though it may be empty.
	Kept bool

	older bool // it is the list that older requests have instead of tools
}

// An API says where the requests of one API have tools.
type API struct {
	// Added finds the lists of tools in the conversation of a request; nil: conversations have none. It fails if they can be
	// read in more than one way.
	Added func(root strictjson.Value) ([]List, error)
	// Stored are the members that name something that the provider keeps, and that may bring tools of its own.
	Stored []string
}

// Read finds the tools that a request offers. It fails if readers could disagree on them, with words for the client.
func (a API) Read(root strictjson.Value) ([]dialect.Offer, error) {
	lists, err := a.lists(root)
	if err != nil {
		return nil, err
	}
	var r reader
	for _, l := range lists {
		if err := r.list(l.Tools, ""); err != nil {
			return nil, err
		}
	}
	for _, name := range a.Stored {
		v, err := dialect.OfferMember(root, name)
		if err != nil {
			return nil, err
		}
		if on(v) {
			r.add(dialect.Offer{Names: []string{name}, Declared: dialect.Declared(name, v), Fixed: true})
		}
	}
	if err := r.settings(root); err != nil {
		return nil, err
	}
	return r.offers, nil
}

// lists are all lists of tools of a request, its own first.
func (a API) lists(root strictjson.Value) ([]List, error) {
	tools, err := dialect.OfferMember(root, "tools")
	if err != nil {
		return nil, err
	}
	functions, err := dialect.OfferMember(root, "functions")
	if err != nil {
		return nil, err
	}
	lists := []List{{Tools: tools}, {Tools: functions, older: true}}
	if a.Added == nil {
		return lists, nil
	}
	added, err := a.Added(root)
	if err != nil {
		return nil, err
	}
	return append(lists, added...), nil
}

// on says whether a setting is there and is not turned off.
func on(v strictjson.Value) bool {
	value, isBool := v.Bool()
	return v.Kind() > strictjson.Null && (!isBool || value)
}
