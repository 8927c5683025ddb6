package docs

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A Reference makes the reference of a language from its JSON Schema and passages that people wrote. A passage has directives,
// comments of their own lines, in place of which a table is written:
//
//	<!-- keys PATH           the keys of the mapping that the schema describes at this path
//	<!-- words PATH          the words that can be there, with their meanings
//	<!-- operators NAME …    these operators of conditions, with their not_ and surely_ forms
//	<!-- lists               the lists that come with weir
//
// The lines up to --> are notes: a name, a colon, and what the table says of it besides. Each thing must be in one table. A note that
// begins with "Required, " is for a key that is required except where the note says.
type Reference struct {
	schema node
	lists  []string

	shown     map[string]bool // paths whose keys are in a table
	operators map[string]bool // operators that are in a table
}

// NewReference returns a reference for a schema, as JSON, and the names of the lists, as they are used.
func NewReference(schema []byte, lists []string) (*Reference, error) {
	r := &Reference{lists: lists, shown: map[string]bool{}, operators: map[string]bool{}}
	return r, json.Unmarshal(schema, &r.schema)
}

var directive = regexp.MustCompile(`(?ms)^<!-- (keys|words|operators|lists)([^\n]*)\n(.*?)^-->$`)

// Passage returns a passage with the tables that it asks for.
func (r *Reference) Passage(text string) (string, error) {
	var failed error
	out := directive.ReplaceAllStringFunc(text, func(all string) string {
		m := directive.FindStringSubmatch(all)
		n, err := parseNotes(m[3])
		var table string
		if err == nil {
			table, err = r.table(m[1], strings.Fields(m[2]), n)
		}
		if err == nil {
			err = n.unused()
		}
		if err != nil && failed == nil {
			failed = fmt.Errorf("<!-- %s%s: %w", m[1], m[2], err)
		}
		return strings.TrimSuffix(table, "\n")
	})
	return out, failed
}

func (r *Reference) table(kind string, of []string, n *notes) (string, error) {
	switch kind {
	case "operators":
		return r.operatorTable(of, n)
	case "lists":
		return r.listTable(n)
	}
	if len(of) != 1 {
		return "", fmt.Errorf("it needs one path in the schema, and has %d", len(of))
	}
	at, err := r.at(of[0])
	switch {
	case err != nil:
		return "", err
	case kind == "words":
		return wordTable(at, n)
	default:
		r.shown[of[0]] = true
		return keyTable(at, n), nil
	}
}

// at is the schema at a path. "." is the root, and operator/NAME the value of an operator.
func (r *Reference) at(path string) (node, error) {
	at := r.schema
	if path == "." {
		return at, nil
	}
	if name, ok := strings.CutPrefix(path, "operator/"); ok {
		test, err := r.at(testPath)
		return valueSchema(test, name), err
	}
	for part := range strings.SplitSeq(path, "/") {
		next, ok := at[part].(map[string]any)
		if !ok {
			return nil, fmt.Errorf("the schema has no %q on the way to %s", part, path)
		}
		at = next
	}
	return at, nil
}

// keyTable is a table of the keys of a mapping: those that are required first.
func keyTable(of node, n *notes) string {
	required := texts(of["required"])
	properties := of.child("properties")
	keys := slices.Sorted(maps.Keys(properties))
	slices.SortStableFunc(keys, func(a, b string) int {
		return place(required, a) - place(required, b)
	})
	out := "| key | | value | meaning |\n|---|---|---|---|\n"
	for _, key := range keys {
		of, need := properties.child(key), "optional"
		note := n.take(key)
		if slices.Contains(required, key) || strings.HasPrefix(note, "Required, ") {
			need = "required"
		}
		means := sentence(of["description"])
		if d, ok := of["default"]; ok {
			means += " Default: `" + literal(d) + "`."
		}
		out += row("`"+key+"`", need, of.describe(), join(means, note))
	}
	return out
}

// place is where a name is in a list; behind all of them if it is not there.
func place(list []string, name string) int {
	if i := slices.Index(list, name); i >= 0 {
		return i
	}
	return len(list)
}

func wordTable(of node, n *notes) (string, error) {
	words, meanings := texts(of.words()["enum"]), texts(of.words()["enumDescriptions"])
	if len(words) == 0 || len(words) != len(meanings) {
		return "", fmt.Errorf("%d words and %d meanings", len(words), len(meanings))
	}
	out := "| word | meaning |\n|---|---|\n"
	for i, word := range words {
		out += row("`"+word+"`", join(meanings[i], n.take(word)))
	}
	return out, nil
}

func (r *Reference) listTable(n *notes) (string, error) {
	out := "| list | what is in it |\n|---|---|\n"
	for _, name := range n.order {
		if !slices.Contains(r.lists, name) {
			return "", fmt.Errorf("weir has no list %s", name)
		}
		out += row("`"+name+"`", n.take(name))
	}
	for _, name := range r.lists {
		if !slices.Contains(n.order, name) {
			return "", fmt.Errorf("it is not said what is in %s", name)
		}
	}
	return out, nil
}

func row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}

// sentence is a text of the schema that ends as a sentence does.
func sentence(text any) string {
	s, _ := text.(string)
	if s != "" && !strings.HasSuffix(s, ".") {
		s += "."
	}
	return strings.ReplaceAll(s, "|", `\|`)
}

func literal(value any) string {
	out, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return strings.ReplaceAll(strings.ReplaceAll(string(out), `"`, ""), ",", ", ")
}
