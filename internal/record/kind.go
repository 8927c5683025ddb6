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

// A Kind is what all events of one type have in common. Code that treats types differently asks the kind, so that a new type is a
// row of a table and needs no case elsewhere.
type Kind struct {
	Type  Type
	Class Class
	Has   Members

	// Whole says that such an event is about the refusal of a whole request or response, not of something in it.
	Whole bool
	// Notable says that somebody may want to look at such an event, though nothing was refused.
	Notable bool
	// Refused names what was refused in a refusal, with %s for the tool; "": a call of the tool, or a response.
	Refused string

	// MCP says that such an event is about an MCP server if its surface is mcp. OnlyMCP says that it always is.
	MCP, OnlyMCP bool
	// Marked says that such an event has the state of its server's tools: see Event.Registry.
	Marked bool

	detail detailKind
}

// A Class is what a policy was asked about.
type Class string

// The classes. Events of other types have none: the policy was not asked about them, so it cannot be asked again.
const (
	ClassAsked      Class = "asked"      // a model asks for a call of a tool
	ClassCalled     Class = "called"     // a client calls a tool of an MCP server
	ClassRequest    Class = "request"    // another request between an MCP client and a server
	ClassConnection Class = "connection" // a connection, or a lookup
	ClassAgain      Class = "again"      // a call that was ruled before
)

// Members says which of the members that filters use an event may have.
type Members uint8

// The members.
const (
	HasActor   Members = 1 << iota // on whose behalf it was
	HasTool                        // a tool and its server
	HasCode                        // why it was refused
	HasVerdict                     // a verdict, and the rule that decided

	ruling = HasActor | HasTool | HasCode | HasVerdict
)

// kinds are all kinds of events that are recorded.
var kinds = slices.Concat(callKinds, mcpKinds, sessionKinds)

var byType = func() map[Type]*Kind {
	all := map[Type]*Kind{}
	for i := range kinds {
		all[kinds[i].Type] = &kinds[i]
	}
	return all
}()

// Kind is the kind of events of this type. It is zero if this version does not know the type.
func (t Type) Kind() Kind {
	if k := byType[t]; k != nil {
		return *k
	}
	return Kind{}
}

// Known says whether events of this type are recorded.
func (t Type) Known() bool { return byType[t] != nil }

// IsCall says whether events of this type are the first ruling on a call of a tool.
func (t Type) IsCall() bool {
	c := t.Kind().Class
	return c == ClassAsked || c == ClassCalled
}

// IsConnection says whether events of this type are the ruling on a connection, or on a lookup.
func (t Type) IsConnection() bool { return t.Kind().Class == ClassConnection }

// Types are the types for which holds is true, in the order of the tables.
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

// UnknownDetail is the unparsed detail of an event whose type this version does not know.
type UnknownDetail jsontext.Value

func (UnknownDetail) detail() {}

// A counting detail has numbers that stores write into columns.
type counting interface {
	Detail
	numbers() Numbers
}

// A detailKind describes the detail of a kind; zero: there is none.
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

// readDetail parses the detail of an event of a type; nil: there is none.
func readDetail(typ Type, raw jsontext.Value) (Detail, error) {
	if raw == nil {
		return nil, nil
	}
	if k := byType[typ]; k != nil && k.detail.read != nil {
		return k.detail.read(raw)
	}
	return UnknownDetail(raw), nil
}
