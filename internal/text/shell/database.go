package shell

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// An inputUse is the client of a database that a program is, and whether the input of the program matters.
type inputUse struct {
	client *program.Client
	input  bool
}

// client returns the client of a database that a program is, or nil, and whether the program's input says what it does. Texts repeat
// programs, so it is remembered.
func (r *reader) client(path string) (*program.Client, bool) {
	use, known := r.clients[path]
	if !known {
		use.client = program.LookupClient(path)
		use.input = use.client != nil || inputPrograms[programName(path)]
		r.clients[path] = use
	}
	return use.client, use.input
}

// variablesOf returns what the text sets, as NAME=value, of the variables that a client knows: of a database, or of a host.
func variablesOf(path string, c *program.Client, s *scope) (out []string) {
	names := program.HostVariables(programName(path))
	if c != nil {
		names = slices.Concat(strings.Fields(c.Variables), names)
	}
	for i, name := range names {
		v, set := s.get(name)
		if !set || slices.Contains(names[:i], name) {
			continue
		}
		for _, text := range v.text {
			out = append(out, name+"="+text)
		}
	}
	return out
}

// scriptsIn returns the files in the words of a command that the text wrote. A file may be attached to an option.
func (r *reader) scriptsIn(words []string) []Script {
	if len(r.files) == 0 {
		return nil
	}
	var out []Script
	for _, word := range words {
		names := []string{word, strings.TrimLeft(word, "@<")}
		if _, name, ok := strings.Cut(word, "="); ok {
			names = append(names, name)
		}
		if len(word) > 2 && word[0] == '-' {
			names = append(names, word[2:])
		}
		for _, name := range names {
			if texts, ok := r.file(name); ok && name != "/dev/null" {
				out = append(out, Script{name, newWords(texts)})
				break
			}
		}
	}
	return out
}
