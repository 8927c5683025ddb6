package registry

import (
	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/call"
)

// Hints are what the definition says of the tool in its annotations. Only what is declared counts: a tool without annotations would be
// destructive and of an open world by the defaults of MCP, and few servers declare any.
func (d *Definition) Hints() (hints []call.Hint) {
	if d.Annotations == nil {
		return nil
	}
	for _, annotation := range []struct {
		member string
		hint   call.Hint
	}{
		{"destructiveHint", call.HintDestructive},
		{"readOnlyHint", call.HintReadOnly},
		{"openWorldHint", call.HintOpenWorld},
		{"idempotentHint", call.HintIdempotent},
	} {
		if d.annotated(annotation.member) {
			hints = append(hints, annotation.hint)
		}
	}
	return hints
}

// annotated says whether an annotation is true. One of another type counts as not declared.
func (d *Definition) annotated(member string) bool {
	var members map[string]any
	if json.Unmarshal(d.Annotations, &members) != nil {
		return false
	}
	declared, ok := members[member].(bool)
	return ok && declared
}
