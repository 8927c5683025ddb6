// Package yamledit adds to lists in YAML and JSON files. All other text of a file stays as it is, comments included.
package yamledit

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// ErrOdd says that a file is written in a way that cannot be changed in place for certain.
var ErrOdd = errors.New("the file is written in a way that is not changed automatically")

// A Step is one step from the top of a file to a part of it: the key of a mapping, or the index of an item of a list.
type Step struct {
	Key   string // "": Index counts
	Index int
}

// Append adds a value at the end of the list at a path. The last step must be a key. If the mapping does not have that key, it gets it,
// with the value as the only item. The result is compared with what is meant: a file in which anything else would change is ErrOdd.
func Append(data []byte, path []Step, value *yamlfile.Node) ([]byte, error) {
	if len(path) == 0 || path[len(path)-1].Key == "" {
		return nil, errors.New("the path does not end with a key")
	}
	root, report := yamlfile.Parse("", data)
	if err := report.Err(); err != nil {
		return nil, err
	}
	owner, err := find(root, path[:len(path)-1])
	if err != nil {
		return nil, err
	}
	e := newEditing(data)
	key := path[len(path)-1].Key
	if list := owner.Get(key); list == nil {
		e.addKey(owner, key, value)
	} else {
		e.addItem(list, value)
	}
	if e.odd {
		return nil, ErrOdd
	}
	after, report := yamlfile.Parse("", e.text)
	want := appended(root, path, value)
	if report.Err() != nil || !bytes.Equal(after.JSON(), want.JSON()) {
		return nil, ErrOdd
	}
	return e.text, nil
}

// find returns the part of a file at a path.
func find(n *yamlfile.Node, path []Step) (*yamlfile.Node, error) {
	for _, s := range path {
		switch {
		case s.Key != "" && n.Kind == yamlfile.Map && n.Get(s.Key) != nil:
			n = n.Get(s.Key)
		case s.Key == "" && n.Kind == yamlfile.List && s.Index < len(n.Items):
			n = n.Items[s.Index]
		default:
			return nil, fmt.Errorf("the file has no %s", s.text())
		}
	}
	if n.Kind != yamlfile.Map {
		return nil, fmt.Errorf("expected a mapping, found %s", n.Kind)
	}
	return n, nil
}

func (s Step) text() string {
	if s.Key != "" {
		return yamlfile.Quote(s.Key)
	}
	return fmt.Sprintf("item %d", s.Index)
}

// appended returns what the file is meant to contain.
func appended(n *yamlfile.Node, path []Step, value *yamlfile.Node) *yamlfile.Node {
	out := *n
	if len(path) == 0 { // this is the list
		out.Items = append(slices.Clone(n.Items), value)
		return &out
	}
	if path[0].Key == "" {
		out.Items = slices.Clone(n.Items)
		out.Items[path[0].Index] = appended(n.Items[path[0].Index], path[1:], value)
		return &out
	}
	out.Entries = slices.Clone(n.Entries)
	for i, e := range out.Entries {
		if e.Name == path[0].Key {
			out.Entries[i].Value = appended(e.Value, path[1:], value)
			return &out
		}
	}
	out.Entries = append(out.Entries, yamlfile.Entry{Name: path[0].Key, Value: List(value)})
	return &out
}

// An editing is a text that is being changed.
type editing struct {
	text    []byte
	lines   []string // with their ends
	newline string
	json    bool // its brackets may have nothing that JSON has not
	odd     bool // it cannot be changed for certain
}

func newEditing(data []byte) *editing {
	e := &editing{text: data, newline: "\n"}
	if bytes.Contains(data, []byte("\r\n")) {
		e.newline = "\r\n"
	}
	e.json = bytes.HasPrefix(bytes.TrimSpace(data), []byte("{"))
	for line := range bytes.Lines(data) {
		e.lines = append(e.lines, string(line))
	}
	return e
}

// addKey adds a key with a list of one value to a mapping.
func (e *editing) addKey(n *yamlfile.Node, key string, value *yamlfile.Node) {
	if at, flow := e.flowStart(n, '{'); flow {
		if e.json {
			key = quoteJSON(key)
		}
		e.insertFlow(at, fmt.Sprintf("%s: [%s]", key, e.inBrackets(value)))
		return
	}
	if len(n.Entries) == 0 {
		e.odd = true
		return
	}
	indent := n.Entries[0].Col - 1
	end := e.blockEnd(n.Entries[0].Line, indent, false)
	text := strings.Repeat(" ", indent) + key + ":\n" + itemText(value, indent+2)
	e.insertLines(end, text)
}

// addItem adds a value to a list.
func (e *editing) addItem(list, value *yamlfile.Node) {
	if list.Kind != yamlfile.List || len(list.Items) == 0 {
		e.odd = true // such as "rules: []", or a key without a value
		return
	}
	if at, flow := e.flowStart(list, '['); flow {
		e.insertFlow(at, e.inBrackets(value))
		return
	}
	first := list.Items[0].Line
	if first < 1 || first > len(e.lines) {
		e.odd = true
		return
	}
	indent := indentOf(e.lines[first-1])
	if !strings.HasPrefix(e.lines[first-1][indent:], "-") {
		e.odd = true
		return
	}
	e.insertLines(e.blockEnd(first, indent, true), itemText(value, indent))
}

// inBrackets returns a value on one line.
func (e *editing) inBrackets(n *yamlfile.Node) string {
	if e.json {
		return string(n.JSON())
	}
	return flowText(n)
}

// indentOf counts the blanks that a line begins with.
func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// blockEnd returns how many lines there are up to the end of a block that begins on a line, and whose parts are indented by at least
// indent. Of a list, only dashes may be indented by exactly that.
func (e *editing) blockEnd(begin, indent int, list bool) (end int) {
	end = begin
	for i := begin; i < len(e.lines); i++ {
		line := e.lines[i]
		trimmed := strings.TrimSpace(line)
		at := indentOf(line)
		switch {
		case trimmed == "":
		case at > indent, at == indent && !list && !strings.HasPrefix(trimmed, "#"), at == indent && list && strings.HasPrefix(trimmed, "-"):
			end = i + 1
		case strings.HasPrefix(trimmed, "#"):
		default:
			return end
		}
	}
	return end
}

// insertLines inserts whole lines after the first lines of the text.
func (e *editing) insertLines(after int, text string) {
	before := strings.Join(e.lines[:after], "")
	if before != "" && !strings.HasSuffix(before, "\n") {
		before += e.newline
	}
	if e.newline != "\n" {
		text = strings.ReplaceAll(text, "\n", e.newline)
	}
	e.text = []byte(before + text + strings.Join(e.lines[after:], ""))
}
