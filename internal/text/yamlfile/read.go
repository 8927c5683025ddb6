package yamlfile

import (
	"cmp"
	"fmt"
	"slices"
)

// A Shape says which keys a mapping has.
type Shape struct {
	Required []string
	Optional []string
	// NotBuilt are keys that are documented but not built yet. They are refused by name.
	NotBuilt []string
}

// Mapping reports whether n is a mapping, and adds a problem for every key that does not fit the shape. The keys that fit can be
// read even if it returns true with problems.
func (r *Report) Mapping(n *Node, s Shape) bool {
	if !r.Is(n, Map) {
		return false
	}
	known := append(slices.Clone(s.Required), s.Optional...)
	for _, e := range n.Entries {
		switch {
		case slices.Contains(known, e.Name):
		case slices.Contains(s.NotBuilt, e.Name):
			r.atEntry(e, "this key is not built yet", "remove it")
		default:
			r.atEntry(e, "unknown key", suggest(e.Name, known, "the keys here are "))
		}
	}
	for _, name := range s.Required {
		if n.Get(name) == nil {
			r.Add(n, fmt.Sprintf("the key %q is missing", name), "add it")
		}
	}
	return true
}

// atEntry reports a problem at a key rather than at its value.
func (r *Report) atEntry(e Entry, message, cure string) {
	r.problems = append(r.problems, Problem{
		File: cmp.Or(e.Value.File(), r.file), Line: e.Line, Column: e.Col, Key: e.Value.Key(), Message: message, Cure: cure,
	})
}

// Is says whether a value is of the wanted kind, and adds a problem if not.
func (r *Report) Is(n *Node, want Kind) bool {
	if n.Kind == want {
		return true
	}
	found, cure := "found "+n.Kind.String(), ""
	switch {
	case n.Kind == Null && n.Text == "":
		found, cure = "found nothing", "write a value, or remove the key"
	case n.Kind == Null:
		cure = "write a value, or remove the key"
	case want == String && (n.Kind == Number || n.Kind == Bool):
		cure = "put it in quotes"
	}
	r.Add(n, "expected "+want.String()+", "+found, cure)
	return false
}

// String reads a string that is not empty. what describes it in messages.
func (r *Report) String(n *Node, what string) (string, bool) {
	if !r.Is(n, String) {
		return "", false
	}
	if n.Text == "" {
		r.Add(n, "expected "+what+", found an empty string", "write "+what)
		return "", false
	}
	return n.Text, true
}

// Bool reads true or false.
func (r *Report) Bool(n *Node) (value, ok bool) {
	if !r.Is(n, Bool) {
		return false, false
	}
	return n.Text == "true", true
}

// Number reads a number and returns its literal, which is valid JSON.
func (r *Report) Number(n *Node) (string, bool) {
	if !r.Is(n, Number) {
		return "", false
	}
	if !isJSONNumber(n.Text) {
		r.Add(n, Quote(n.Text)+" is not a decimal number", "write it as JSON does, such as 16 or 1.5, or in quotes if it is a string")
		return "", false
	}
	return n.Text, true
}

// List reads a list that is not empty.
func (r *Report) List(n *Node) ([]*Node, bool) {
	if !r.Is(n, List) {
		return nil, false
	}
	if len(n.Items) == 0 {
		r.Add(n, "the list is empty", "write at least one item, or remove the key")
		return nil, false
	}
	return n.Items, true
}

// OneOrMore reads one string or a list of strings, as nodes, so that problems can be reported for each.
func (r *Report) OneOrMore(n *Node, what string) ([]*Node, bool) {
	items, ok := []*Node{n}, true
	switch n.Kind {
	case String:
	case List:
		if items, ok = r.List(n); !ok {
			return nil, false
		}
	default:
		r.Add(n, "expected a string or a list of strings, found "+n.Kind.String(), "write "+what)
		return nil, false
	}
	for _, item := range items {
		if _, fine := r.String(item, what); !fine {
			ok = false
		}
	}
	return items, ok
}

// A Choice is a word from a fixed list.
type Choice struct {
	What     string // with its article, such as "a verdict"
	Words    []string
	NotBuilt []string // documented but not built yet: refused by name
	// Meanings say what the words mean, for editors and the reference; nil: the words say it.
	Meanings map[string]string
}

// Word reads one word of a choice.
func (r *Report) Word(n *Node, c Choice) (string, bool) {
	if n.Kind == Number || n.Kind == Bool {
		r.Add(n, "expected "+c.What+", found "+n.Kind.String(), "use "+OneOf(c.Words))
		return "", false
	}
	if !r.Is(n, String) {
		return "", false
	}
	switch {
	case slices.Contains(c.Words, n.Text):
		return n.Text, true
	case slices.Contains(c.NotBuilt, n.Text):
		r.Add(n, Quote(n.Text)+" is not built yet", "use "+OneOf(c.Words))
	default:
		cure := "use " + OneOf(c.Words)
		if len(c.Words) > 6 {
			cure = suggest(n.Text, c.Words, "use one of ")
		}
		r.Add(n, Quote(n.Text)+" is not "+c.What, cure)
	}
	return "", false
}

// Value checks that a free value can be written as JSON: every number in it must be valid JSON.
func (r *Report) Value(n *Node) bool {
	switch n.Kind {
	case Number:
		_, ok := r.Number(n)
		return ok
	case List:
		ok := true
		for _, item := range n.Items {
			ok = r.Value(item) && ok
		}
		return ok
	case Map:
		ok := true
		for _, e := range n.Entries {
			ok = r.Value(e.Value) && ok
		}
		return ok
	default:
		return true
	}
}
