package shell

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// A familiar is what is looked up of a program by its path. Texts repeat programs, so a reader remembers it.
type familiar struct {
	path   string
	name   string // without folder, case, suffix and version
	holes  bool   // the name has a hole
	entry  *program.Entry
	called string          // the name in the entry
	client *program.Client // the client of a database that it is; nil: none
	input  bool            // its input says what it does
	names  []string        // the variables by which it knows a database or a host
	// modules says that -m names what it runs, as with python.
	modules bool
}

// familiar returns what is known of the program at a path.
func (r *reader) familiar(path string) *familiar {
	if r.last != nil && r.last.path == path {
		return r.last
	}
	f := r.familiars[path]
	if f == nil {
		f = newFamiliar(path)
		r.familiars[path] = f
	}
	r.last = f
	return f
}

func newFamiliar(path string) *familiar {
	f := &familiar{path: path, name: programName(path), client: program.LookupClient(path)}
	f.holes = hasHole(f.name)
	f.entry, f.called = program.Lookup(f.name)
	f.modules = f.entry.Is("python")
	f.input = f.client != nil || inputPrograms[f.name]
	names := program.HostVariables(f.name)
	if f.client != nil {
		names = slices.Concat(strings.Fields(f.client.Variables), names)
	}
	for _, name := range names {
		if !slices.Contains(f.names, name) {
			f.names = append(f.names, name)
		}
	}
	return f
}

// splitModule separates the module that python runs from the option that it is attached to, as commands are mostly written: -mpip is
// -m pip.
func splitModule(fields []string) []string {
	for i := 1; i < len(fields) && len(fields[i]) > 1 && fields[i][0] == '-' && fields[i][1] != '-'; i++ {
		word := fields[i]
		for j := 1; j < len(word); j++ {
			switch word[j] {
			case 'm':
				if j+1 == len(word) {
					return fields
				}
				return slices.Concat(fields[:i], []string{word[:j+1], word[j+1:]}, fields[i+1:])
			case 'c':
				return fields // the rest is code and its arguments
			case 'W', 'X', 'Q':
				if j+1 == len(word) {
					i++ // its value
				}
				j = len(word)
			}
		}
	}
	return fields
}
