package approval

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ofOneCall are members of _meta that differ from call to call and change nothing: whom to tell about progress, and in which trace and for
// which call of a model it happens.
var ofOneCall = []string{"progressToken", "claudecode/toolUseId", "traceparent", "tracestate", "baggage"}

// WithoutCallIDs is what an MCP server gets beside the arguments, without what differs from call to call.
func WithoutCallIDs(beside jsontext.Value) (jsontext.Value, error) {
	if len(beside) == 0 {
		return nil, nil
	}
	members := map[string]jsontext.Value{}
	if err := json.Unmarshal(beside, &members); err != nil {
		return nil, fmt.Errorf("compare params: %w", err)
	}
	if meta := members["_meta"]; meta.Kind() == '{' {
		inner := map[string]jsontext.Value{}
		if err := json.Unmarshal(meta, &inner); err != nil {
			return nil, fmt.Errorf("compare params: %w", err)
		}
		for name := range inner {
			if slices.Contains(ofOneCall, name) {
				delete(inner, name)
			}
		}
		rest, err := json.Marshal(inner, json.Deterministic(true))
		if err != nil {
			return nil, fmt.Errorf("compare params: %w", err)
		}
		if members["_meta"] = rest; len(inner) == 0 {
			delete(members, "_meta")
		}
	}
	if len(members) == 0 {
		return nil, nil
	}
	out, err := json.Marshal(members, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("compare params: %w", err)
	}
	return out, nil
}
