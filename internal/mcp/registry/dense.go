package registry

import (
	"strings"

	"github.com/weir-gate/weir/internal/policy/toolname"
)

// dense appends the tools of which a name is the server's id and the tool's name, whatever stands around and between their letters. Without
// anything between the two it may be a word of the agent's own.
func (sp *speller) dense(out []Candidate, said utterance, named bool) []Candidate {
	for _, rest := range said.rests {
		for _, self := range sp.self {
			id := toolname.Letters(self.plain)
			if self.folded != "" {
				id = toolname.Letters(self.folded)
			}
			tool, ok := strings.CutPrefix(rest.Letters, id)
			if id == "" || !ok {
				continue
			}
			for _, name := range sp.letters[tool] {
				out = append(out, Candidate{Identity: Identity{sp.id, name}, Bare: named && !rest.Divides(len(id)), Loose: true})
			}
		}
	}
	return out
}
