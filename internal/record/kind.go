package record

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Type says what kind of thing happened.
type Type string

// A Kind is what all events of one type have in common. What treats types differently asks the kind: a new type is a row of a
// table, and no case elsewhere.
type Kind struct {
	Type  Type
	Class Class
	Has   Members

	// Whole says that it tells of the refusal of a request or a response, not of something in it.
	Whole bool
	// Notable says that somebody may want to look at it, though nothing was refused.
	Notable bool
	// Refused is what was refused, if it was, with %s for the tool; "": a call of the tool, or a response.
	Refused string

	// MCP says that it is about an MCP server if it is on the surface mcp; OnlyMCP, that it is about nothing else.
	MCP, OnlyMCP bool
	// Marked says that it tells how the tools of its server stand: see Event.Registry.
	Marked bool

	detail detailKind
}

// A Class is what a policy was asked about.
type Class string

// The classes. Events of other types have none: nothing was asked that could be asked again.
const (
	ClassAsked      Class = "asked"      // a model asks for a call of a tool
	ClassCalled     Class = "called"     // a client calls a tool of an MCP server
	ClassRequest    Class = "request"    // another request between an MCP client and a server
	ClassConnection Class = "connection" // a connection, or a lookup
	ClassAgain      Class = "again"      // a call that was ruled before
)

// Members are which members events may have, of those that one selects by.
type Members uint8

// The members.
const (
	HasActor   Members = 1 << iota // on whose behalf it was
	HasTool                        // a tool and its server
	HasCode                        // why it was refused
	HasVerdict                     // a verdict, and the rule that decided

	ruling = HasActor | HasTool | HasCode | HasVerdict
)

// kinds are all that are recorded.
var kinds = slices.Concat(callKinds, mcpKinds, sessionKinds)

var byType = func() map[Type]*Kind {
	all := map[Type]*Kind{}
	for i := range kinds {
		all[kinds[i].Type] = &kinds[i]
	}
	return all
}()

// Kind is the kind of events of this type; its zero value: this version does not know it.
func (t Type) Kind() Kind {
	if k := byType[t]; k != nil {
		return *k
	}
	return Kind{}
}

// Known says whether events of this type are recorded.
func (t Type) Known() bool { return byType[t] != nil }

// IsCall says whether events of this type tell of the ruling on a call of a tool, when it is ruled first.
func (t Type) IsCall() bool {
	c := t.Kind().Class
	return c == ClassAsked || c == ClassCalled
}

// IsConnection says whether events of this type tell of the ruling on a connection, or on a lookup.
func (t Type) IsConnection() bool { return t.Kind().Class == ClassConnection }

// Types are the types of which something holds, in the order of the tables.
func Types(holds func(Type) bool) []Type {
	var all []Type
	for _, k := range kinds {
		if holds(k.Type) {
			all = append(all, k.Type)
		}
	}
	return all
}

// TypeNames are the types of events that are recorded.
func TypeNames() []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = string(k.Type)
	}
	return names
}

// A Detail is what only events of one type have: one of the structs beside the tables of kinds, or UnknownDetail.
type Detail interface{ detail() }

// UnknownDetail is the detail of an event whose type this version does not know, as it was read.
type UnknownDetail jsontext.Value

func (UnknownDetail) detail() {}

// A counting detail has numbers that stores keep as columns.
type counting interface {
	Detail
	numbers() Numbers
}

// A detailKind is what a kind has for a detail; zero: none.
type detailKind struct {
	of     reflect.Type
	read   func(jsontext.Value) (Detail, error)
	counts bool
}

func is[D Detail]() detailKind {
	var zero D
	_, counts := any(zero).(counting)
	return detailKind{of: reflect.TypeFor[D](), counts: counts, read: func(raw jsontext.Value) (Detail, error) {
		var d D
		if err := json.Unmarshal(raw, &d, lenient); err != nil {
			return nil, fmt.Errorf("read event: detail: %w", err)
		}
		return d, nil
	}}
}

// readDetail reads the detail of an event of a type; nil: it has none.
func readDetail(typ Type, raw jsontext.Value) (Detail, error) {
	if raw == nil {
		return nil, nil
	}
	if k := byType[typ]; k != nil && k.detail.read != nil {
		return k.detail.read(raw)
	}
	return UnknownDetail(raw), nil
}
