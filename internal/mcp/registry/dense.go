package registry

import (
	"strings"

	"github.com/weir-gate/weir/internal/policy/toolname"
)

// dense appends the tools whose server's id and name together are the spoken name, whatever other characters are around and between
// the letters. If nothing is between the two, it may also be a name of the agent's own.
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
