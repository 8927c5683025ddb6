package registry

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
)

// annotations are the annotations of MCP that are hints, and how policies write them.
var annotations = []struct {
	member string
	hint   call.Hint
}{
	{"destructiveHint", call.HintDestructive},
	{"readOnlyHint", call.HintReadOnly},
	{"openWorldHint", call.HintOpenWorld},
	{"idempotentHint", call.HintIdempotent},
}

// Hints are what the definition says of the tool in its annotations. Only what is declared counts: a tool without annotations would be
// destructive and of an open world by the defaults of MCP, and few servers declare any. A hint of another type than true and false
// counts as not declared.
func (d *Definition) Hints() (hints []call.Hint) {
	var members map[string]jsontext.Value
	if d.Annotations == nil || json.Unmarshal(d.Annotations, &members) != nil {
		return nil
	}
	for _, a := range annotations {
		if members[a.member].Kind() == 't' {
			hints = append(hints, a.hint)
		}
	}
	return hints
}
