package gemini

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// onlySays says whether the candidates of an element have only text and do not end. Most elements are like this, and nothing of
// them is stored.
func (d *editor) onlySays(candidates strictjson.Value) bool {
	for v := range candidates.Elems() {
		if dialect.HasMember(v, "finishReason", "finishMessage") || dialect.HidesCall(v, "content") {
			return false
		}
		parts, err := partsOf(v)
		if err != nil || parts.Kind() != strictjson.Array {
			return false
		}
		for p := range parts.Elems() {
			if !isText(p) {
				return false
			}
		}
		c, err := d.candidateOf(v)
		if err != nil || c.open != nil || len(c.calls) > 0 && dialect.HasMember(v, tokens, grounding, urlContext) {
			return false
		}
		for p := range parts.Elems() {
			c.said = c.said || speaks(p)
		}
	}
	return true
}

// isText says whether a part is only text.
func isText(p strictjson.Value) bool {
	text, err := p.Member("text")
	if err != nil || text.Kind() != strictjson.String {
		return false
	}
	for name := range p.Members() {
		if !name.Is("text") && !name.Is("thought") && !name.Is("thoughtSignature") {
			return false
		}
	}
	return true
}

// speaks says whether a part has text for the user: not empty, and not a thought.
func speaks(p strictjson.Value) bool {
	text, _ := p.Member("text")
	thought, _ := p.Member("thought")
	hidden, _ := thought.Bool()
	return len(text.Raw()) > len(`""`) && !hidden
}

// optionalText returns a member that must be a string if it is present.
func optionalText(v strictjson.Value, name string) (string, error) {
	m, err := v.Member(name)
	if err != nil {
		return "", dialect.Ambiguous()
	}
	if !dialect.Present(m) {
		return "", nil
	}
	text, ok := m.Text()
	if !ok {
		return "", dialect.Malformed("a member that should be a string is none")
	}
	return text, nil
}
