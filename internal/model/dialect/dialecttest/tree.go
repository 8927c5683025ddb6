package dialecttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// A Tree is a JSON value as a lenient reader has it: names may occur twice and stand in any order and case, and broken
// characters are replaced. It is read by another parser than weir's own.
type Tree struct {
	Kind    byte   // as in jsontext: n f t " 0 { [
	Text    string // of a string, decoded
	Literal string // of a string, the bytes between its quotes; of a number, as written
	Names   []string
	Values  []Tree // of an object, one for each name; of an array, its elements
	// Start and End are the position of a string in the parsed text.
	Start, End int
}

// parsed has what ParseTree read lately. Every client and every policy reads much the same frames again.
var parsed struct {
	sync.Mutex
	trees map[string]parsing
	bytes int // of the texts
}

type parsing struct {
	Tree
	err error
}

// ParseTree reads text, which must be one JSON value. Others may have the same Tree: it must not be changed.
func ParseTree(text []byte) (Tree, error) {
	const most = 2 << 20
	parsed.Lock()
	defer parsed.Unlock()
	known, ok := parsed.trees[string(text)]
	if !ok {
		if parsed.bytes += len(text); parsed.trees == nil || parsed.bytes > most {
			parsed.trees, parsed.bytes = map[string]parsing{}, len(text)
		}
		known.Tree, known.err = parseTree(text)
		parsed.trees[string(text)] = known
	}
	return known.Tree, known.err
}

func parseTree(text []byte) (Tree, error) {
	d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	t, err := readTree(d)
	if err != nil {
		return Tree{}, fmt.Errorf("read JSON: %w", err)
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return Tree{}, fmt.Errorf("read JSON: more than one value")
	}
	return t, nil
}

func readTree(d *jsontext.Decoder) (Tree, error) {
	switch d.PeekKind() {
	case '{', '[':
		return readContainer(d)
	case '"', '0':
		raw, err := d.ReadValue()
		if err != nil {
			return Tree{}, err
		}
		if raw.Kind() == '0' {
			return Tree{Kind: '0', Literal: string(raw)}, nil
		}
		body := string(raw[1 : len(raw)-1])
		end := int(d.InputOffset())
		return Tree{Kind: '"', Literal: body, Text: Unquote(body), Start: end - len(raw), End: end}, nil
	}
	token, err := d.ReadToken()
	return Tree{Kind: byte(token.Kind())}, err
}

func readContainer(d *jsontext.Decoder) (Tree, error) {
	open, err := d.ReadToken()
	if err != nil {
		return Tree{}, err
	}
	t := Tree{Kind: byte(open.Kind())}
	for {
		switch d.PeekKind() {
		case '}', ']':
			_, err := d.ReadToken()
			t.Names, t.Values = slices.Clip(t.Names), slices.Clip(t.Values)
			return t, err
		}
		if t.Kind == '{' {
			name, err := d.ReadToken()
			if err != nil {
				return Tree{}, err
			}
			t.Names = append(t.Names, name.String())
		}
		v, err := readTree(d)
		if err != nil {
			return Tree{}, err
		}
		t.Values = append(t.Values, v)
	}
}

// Unquote decodes what stands between the quotes of a JSON string. Pieces of a string that were cut anywhere between two
// characters or two halves of one can be put together before.
func Unquote(body string) string {
	text, err := jsontext.AppendUnquote(nil, `"`+body+`"`)
	if err != nil && !strings.Contains(err.Error(), "UTF-8") && !strings.Contains(err.Error(), "surrogate") {
		return ""
	}
	return string(text)
}

// Quote returns text as a JSON string, as weir writes it.
func Quote(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// All returns every member of an object whose name equals name in some case: one reader takes the first, another the
// last, a third does not mind case.
func (t Tree) All(name string) []Tree {
	var found []Tree
	for i, n := range t.Names {
		if strings.EqualFold(n, name) {
			found = append(found, t.Values[i])
		}
	}
	return found
}

// Get returns the last member with exactly this name, as most readers do; the zero Tree if there is none.
func (t Tree) Get(name string) Tree {
	for i := len(t.Names) - 1; i >= 0; i-- {
		if t.Names[i] == name {
			return t.Values[i]
		}
	}
	return Tree{}
}

// With returns an object with a member set, in place of an existing one.
func (t Tree) With(name string, v Tree) Tree {
	out := Tree{Kind: '{', Names: slices.Clone(t.Names), Values: slices.Clone(t.Values)}
	if i := slices.Index(t.Names, name); i >= 0 {
		out.Values[i] = v
		return out
	}
	out.Names, out.Values = append(out.Names, name), append(out.Values, v)
	return out
}

// Walk calls visit for t and every value in it.
func (t Tree) Walk(visit func(Tree)) {
	visit(t)
	for _, v := range t.Values {
		v.Walk(visit)
	}
}

// String is the value in a form that two values share if and only if they mean the same: members are sorted, strings
// are decoded, numbers stand as they were written.
func (t Tree) String() string {
	switch t.Kind {
	case 0:
		return ""
	case '"':
		return fmt.Sprintf("%q", t.Text)
	case '0':
		return t.Literal
	case '[':
		elems := make([]string, len(t.Values))
		for i, v := range t.Values {
			elems[i] = v.String()
		}
		return "[" + strings.Join(elems, ",") + "]"
	case '{':
		members := make([]string, len(t.Values))
		for i, v := range t.Values {
			members[i] = fmt.Sprintf("%q:%s", t.Names[i], v)
		}
		slices.Sort(members)
		return "{" + strings.Join(members, ",") + "}"
	}
	return map[byte]string{'n': "null", 't': "true", 'f': "false"}[t.Kind]
}

// Meaning is what a JSON text means, in the form of Tree's String; the text itself, marked, if it is not JSON.
func Meaning(text []byte) string {
	t, err := ParseTree(text)
	if err != nil {
		return "not JSON: " + string(text)
	}
	return t.String()
}
