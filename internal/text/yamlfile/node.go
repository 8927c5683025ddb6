package yamlfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A Kind is the type of a value. YAML's many spellings are reduced to JSON's six types.
type Kind int

// These are the kinds of values.
const (
	Null Kind = iota
	Bool
	Number
	String
	List
	Map
)

// String returns the name of the kind for messages.
func (k Kind) String() string {
	return [...]string{"null", "true or false", "a number", "a string", "a list", "a mapping"}[k]
}

// A Node is one value of a file and its position.
type Node struct {
	Kind    Kind
	Text    string // String: the text; Number: the literal; Bool: true or false; Null: "" if nothing was written
	Items   []*Node
	Entries []Entry // in the order of the file, without duplicates
	Line    int
	Column  int

	file   string // of the top of a file
	parent *Node
	name   string // the key in a mapping
	index  int    // the index in a list
}

// An Entry is one key of a mapping with its value.
type Entry struct {
	Name  string
	Line  int
	Col   int
	Value *Node
}

// Get returns the value of a key, or nil.
func (n *Node) Get(name string) *Node {
	for i := range n.Entries {
		if n.Entries[i].Name == name {
			return n.Entries[i].Value
		}
	}
	return nil
}

// File is the name of the file that the node is in; "": it is in none.
func (n *Node) File() string {
	for n.parent != nil {
		n = n.parent
	}
	return n.file
}

// Key is the path to the node from the top of the file, such as rules[0].verdict.
func (n *Node) Key() string {
	var steps []string
	for at := n; at.parent != nil; at = at.parent {
		if at.parent.Kind == List {
			steps = append(steps, fmt.Sprintf("[%d]", at.index))
			continue
		}
		step := at.name
		if step == "" || len(step) > maxQuoted || strings.ContainsAny(step, ".[]\" \n\t") {
			step = Quote(step)
		}
		if at.parent.parent != nil {
			step = "." + step
		}
		steps = append(steps, step)
	}
	slices.Reverse(steps)
	return strings.Join(steps, "")
}

// JSON formats the value as JSON. Numbers keep their literals. A literal that is not valid JSON, such as 0x10, was reported when
// the value was read with Report.Value; here it becomes a string.
func (n *Node) JSON() jsontext.Value {
	return n.appendJSON(nil)
}

func (n *Node) appendJSON(b []byte) []byte {
	switch n.Kind {
	case Null:
		return append(b, "null"...)
	case Bool:
		return append(b, n.Text...)
	case Number:
		if isJSONNumber(n.Text) {
			return append(b, n.Text...)
		}
		return appendString(b, n.Text)
	case String:
		return appendString(b, n.Text)
	case List:
		b = append(b, '[')
		for i, item := range n.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.appendJSON(b)
		}
		return append(b, ']')
	default:
		b = append(b, '{')
		for i, e := range n.Entries {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, e.Name), ':')
			b = e.Value.appendJSON(b)
		}
		return append(b, '}')
	}
}

func appendString(b []byte, s string) []byte {
	b, err := jsontext.AppendQuote(b, s)
	if err != nil {
		// Only invalid UTF-8 can fail here, and AppendQuote has then written the text with replacement characters.
		return b
	}
	return b
}

// isJSONNumber says whether s is a valid JSON number.
func isJSONNumber(s string) bool {
	if s == "" || (s[0] != '-' && (s[0] < '0' || s[0] > '9')) {
		return false
	}
	return jsontext.Value(s).IsValid() && s[len(s)-1] > ' '
}
