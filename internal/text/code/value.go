package code

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A value is what is known of the result of an expression.
type value struct {
	// texts are the texts that it could be; nil: it is not known to be a text.
	texts []string
	// items are the elements of a list, or the members of an object with their keys.
	items []argument
	list  bool
	// names are the names that it could refer to, as in os.remove. The result of a call has the name of the function and ().
	names []string
	// made are the arguments of the call that made it.
	made []argument
	// over is the value whose elements this stands for, or the receiver of a method.
	over *value
	// path says that the text is a path, on which / joins.
	path   bool
	folder []string // the folder in which it was found, if it is an entry of one
	quoted bool     // it is written in quotes
	taint  taint
}

// A taint is where a value comes from.
type taint struct {
	files   []string // read from these
	nets    []string // loaded from these addresses
	env     bool     // the variables of the environment
	decoded bool     // the text was encoded
	outputs []string // printed by these commands
}

// An argument of a call, or an element.
type argument struct {
	key string
	value
	params []string // the parameters of a function, if it is one
}

func text(texts ...string) value { return value{texts: texts} }

// alternatives are the texts that it could be.
func (v value) alternatives() []string {
	if len(v.texts) == 0 {
		return []string{Unknown}
	}
	return v.texts
}

// known reports whether something is known of its text.
func (v value) known() bool {
	return slices.ContainsFunc(v.texts, func(t string) bool { return t != Unknown })
}

func isHole(b byte) bool { return b >= 0xf5 || b == Tree[0] }

func hasHole(s string) bool {
	for i := range len(s) {
		if isHole(s[i]) {
			return true
		}
	}
	return false
}

// clean removes bytes that would count as holes from computed text.
func clean(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

func (t taint) any() bool {
	return t.env || t.decoded || len(t.files) > 0 || len(t.nets) > 0 || len(t.outputs) > 0
}

func (t taint) with(u taint) taint {
	if !u.any() {
		return t
	}
	return taint{
		files: more(t.files, u.files, maxTaint), nets: more(t.nets, u.nets, maxTaint),
		env: t.env || u.env, decoded: t.decoded || u.decoded, outputs: more(t.outputs, u.outputs, maxTaint),
	}
}

// more adds texts that are new, up to a bound.
func more(to, from []string, most int) []string {
	out := to
	for _, text := range from {
		if len(out) < most && !slices.Contains(out, text) {
			out = append(slices.Clone(out), text)
		}
	}
	return out
}

// whole is the taint of a value with all that is in it.
func (v value) whole() taint { return v.tainted(0) }

func (v value) tainted(depth int) taint {
	t := v.taint
	if depth > maxNested {
		return t
	}
	for _, item := range v.items {
		t = t.with(item.tainted(depth + 1))
	}
	if slices.ContainsFunc(v.names, isEnvironment) {
		t.env = true
	}
	if slices.ContainsFunc(v.names, isRequest) {
		t.nets = more(t.nets, []string{inbound}, maxTaint)
	}
	return t
}

// either is a value that may be a or b.
func either(a, b value) value {
	out := a
	if a.texts == nil && !a.list && len(a.names) == 0 {
		out = b
	} else {
		out.texts = more(a.texts, b.texts, maxTexts)
		if len(out.texts) == maxTexts {
			out.texts = append(slices.Clone(out.texts), Unknown)
		}
		out.names = more(a.names, b.names, maxNames)
		if !a.list && b.list {
			out.items, out.list = b.items, true
		}
		if a.made == nil {
			out.made = b.made
		}
		if a.over == nil {
			out.over = b.over
		}
	}
	out.path = a.path || b.path
	out.taint = a.taint.with(b.taint)
	return out
}

// join is a text after another.
func (e *evaluator) join(a, b value) value {
	out := value{taint: a.whole().with(b.whole()), path: a.path}
	if !a.known() && !b.known() {
		out.texts = []string{Unknown}
		return out
	}
	for _, line := range product([][]string{a.alternatives(), b.alternatives()}) {
		joined := line[0] + line[1]
		joined = e.bounded(joined)
		out.texts = more(out.texts, []string{mergeHoles(joined)}, 2*maxTexts)
	}
	return out
}

// bounded takes the steps for a text that was computed. What is longer than a bound is not read.
func (e *evaluator) bounded(s string) string {
	if e.cut = e.cut || len(s) > maxText; !e.spend(1 + len(s)/bytesPerStep) {
		return Unknown
	}
	return s
}

// mergeHoles replaces unknown parts side by side by one.
func mergeHoles(s string) string {
	for strings.Contains(s, Unknown+Unknown) {
		s = strings.ReplaceAll(s, Unknown+Unknown, Unknown)
	}
	return s
}

// each applies a function to the texts of a value.
func (v value) each(f func(string) string) value {
	out := value{taint: v.taint, path: v.path}
	for _, t := range v.alternatives() {
		out.texts = append(out.texts, f(t))
	}
	return out
}

// elements is what a loop over a value gets.
func (v value) elements() value {
	if !v.list {
		return v
	}
	out := value{taint: v.taint}
	for _, item := range v.items {
		out = either(out, item.value)
	}
	return out
}

// member is the element under a key.
func (v value) member(key string) (value, bool) {
	for _, item := range v.items {
		if item.key == key && key != "" {
			return item.value, true
		}
	}
	return value{}, false
}

// flat are the texts of a list, one word each.
func (v value) flat() [][]string {
	var out [][]string
	for _, item := range v.items {
		if item.list {
			out = append(out, item.flat()...)
			continue
		}
		out = append(out, item.alternatives())
	}
	return out
}
