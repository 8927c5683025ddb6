package deed

import (
	"strings"
	"sync"

	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/truth"
)

// wellKnown are the packages that very many projects have, by the programs that take them.
var wellKnown = sync.OnceValue(func() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, p := range program.Packages {
		names := map[string]bool{}
		for name := range strings.FieldsSeq(p.Names) {
			names[folded(name)] = true
		}
		for name := range strings.FieldsSeq(p.Programs) {
			out[name] = names
		}
	}
	return out
})

// maxMisspelt bounds how many packages of one line are compared.
const maxMisspelt = 64

// misspelt notes a line that takes a package whose name differs by a letter from one that everybody knows.
func (f *finder) misspelt(l *line) {
	known := wellKnown()[l.name]
	if known == nil {
		return
	}
	for _, in := range installers()[l.name] {
		if in.first && in.verbs != nil {
			continue // what runs may as well be a program that is there
		}
		armed, seen := in.verbs == nil, 0
		for _, it := range l.items {
			text := it.word.Text
			switch {
			case it.option || it.value:
			case !armed:
				armed = in.verbs[strings.ToLower(text)]
			case seen < maxMisspelt && f.spend():
				seen++
				if isMisspelt(packageName(text), known) {
					f.addOf(l, Deed{Verb: RunsFetched, Certainty: truth.Yes})
					return
				}
				if in.first {
					return
				}
			}
		}
	}
}

// packageName is the name in what a package manager is told: without the version and the extras; "": it is no plain name.
func packageName(text string) string {
	if end := strings.IndexAny(text, "@=<>~![;, "); end >= 0 {
		text = text[:end]
	}
	if strings.ContainsAny(text, `/\:$*`) || strings.HasPrefix(text, ".") || holed(text) {
		return ""
	}
	return text
}

// folded is a name as registries compare them that take - and _ for the same.
func folded(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "-") }

// isMisspelt says that a name is not known, but one letter away from one that is. Short names are close to many, so of these only two
// letters that changed places and a letter that is doubled count.
func isMisspelt(name string, known map[string]bool) bool {
	const short, long = 5, 6
	name = folded(name)
	if len(name) < short || known[name] || strings.HasSuffix(name, ".txt") || strings.HasSuffix(name, ".whl") {
		return false
	}
	for right := range known {
		switch {
		case len(right) < short || len(right)-len(name) > 1 || len(name)-len(right) > 1:
		case swapped(name, right), doubled(name, right), len(right) >= long && oneAway(name, right):
			return true
		}
	}
	return false
}

// swapped says that the names differ by two letters beside each other that changed places.
func swapped(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	i := common(a, b)
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// doubled says that the first name has a letter twice that the second has once.
func doubled(a, b string) bool {
	i := common(a, b)
	return len(a) == len(b)+1 && i > 0 && a[i] == a[i-1] && a[i+1:] == b[i:]
}

// oneAway says that the names differ by one letter: another one, one more, or one less. A digit or an s at the end, by which families of
// packages differ, does not count.
func oneAway(a, b string) bool {
	i := common(a, b)
	switch len(a) - len(b) {
	case 0:
		return i < len(a) && a[i+1:] == b[i+1:] && !isDigit(a[i])
	case 1:
		return a[i+1:] == b[i:] && !(i == len(b) && isDigit(a[i]))
	default:
		return a[i:] == b[i+1:] && !(i == len(a) && isDigit(b[i]))
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// common is how many letters two names begin with alike.
func common(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return i
}
