package outbox

import (
	"reflect"

	"github.com/weir-gate/weir/internal/record"
)

// overhead is about how many bytes an event takes beyond its texts.
const overhead = 1024

// header is how many bytes a text takes in a list beside its content.
const header = 16

// sizeOf is about how much room an event takes. All texts count: many come from the wire, and each may be long.
func sizeOf(e record.Event) int {
	x, t, a := e.Exchange, e.Exchange.Trace, e.Actor
	n := overhead + len(e.Args) + sizeOfDetail(e.Detail) + len(e.MCP.Registry.Digest)
	for _, s := range [...]string{
		e.ID, string(e.Type), string(e.CallID), string(e.Within), string(e.Surface), e.Server, e.Tool, e.WireID,
		e.MCP.ServerType, e.MCP.ServerAddr, e.MCP.ToolHash, e.MCP.RPCID, e.Verdict, e.WouldBe, e.Code, e.Reason, e.Rule, e.RuleOrigin,
		e.PolicyVersion, x.RequestID, x.ResponseID, x.Provider, x.Dialect, x.Model, x.Conversation, t.ID, t.Span, t.Parent,
		a.Org, a.Team, a.Employee, a.Key, a.Session, e.Chain, e.PrevHash, e.Hash,
	} {
		n += len(s)
	}
	return n
}

// sizeOfDetail is about how much room a detail takes. It uses reflection, so that no member is forgotten.
func sizeOfDetail(detail record.Detail) int {
	if detail == nil {
		return 0
	}
	return sizeOfValue(reflect.ValueOf(detail))
}

func sizeOfValue(v reflect.Value) (n int) {
	switch v.Kind() {
	case reflect.String:
		return header + v.Len()
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return header + v.Len()
		}
		for i := range v.Len() {
			n += sizeOfValue(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			n += sizeOfValue(v.Field(i))
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			n = sizeOfValue(v.Elem())
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			n += sizeOfValue(entries.Key()) + sizeOfValue(entries.Value())
		}
	default: // numbers and the like are part of the overhead
	}
	return n
}
