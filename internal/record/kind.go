package record

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Kind is what all events of one type have in common. Code that treats types differently asks the kind, so that a new type is a
// row of a table and needs no case elsewhere.
type Kind struct {
	Type  Type
	Has   Members
	class class

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

// A class is what a policy was asked about. Events of other types have none.
type class string

// The classes: see the methods of Type.
const (
	asked      class = "asked"
	called     class = "called"
	request    class = "request"
	connection class = "connection"
	again      class = "again"
)

// Members says which of the members that filters use an event may have.
type Members struct {
	Actor   bool // on whose behalf it was
	Tool    bool // a tool and its server
	Code    bool // why it was refused
	Verdict bool // a verdict, and the rule that decided
}

// Include says whether m has one of the others.
func (m Members) Include(others Members) bool {
	return m.Actor && others.Actor || m.Tool && others.Tool || m.Code && others.Code || m.Verdict && others.Verdict
}

// ruling are the members of the ruling on something.
var ruling = Members{Actor: true, Tool: true, Code: true, Verdict: true}

// kinds are all kinds of events that are recorded.
var kinds = slices.Concat(callKinds, mcpKinds, sessionKinds, policyKinds, approvalKinds)

var byType = func() map[Type]*Kind {
	all := map[Type]*Kind{}
	for i := range kinds {
		all[kinds[i].Type] = &kinds[i]
	}
	return all
}()

// A Detail is what only events of one type have: one of the structs beside the tables of kinds. The detail of a type that this
// version does not know is not parsed.
type Detail interface{ detail() }

// unknownDetail is the unparsed detail of an event whose type this version does not know.
type unknownDetail jsontext.Value

func (unknownDetail) detail() {}

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
	return unknownDetail(raw), nil
}
