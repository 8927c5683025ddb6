// Package argument has the decoded arguments of a call: what a param_path selects in them, the commands in them, and how they are
// shown to people.
package argument

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// maxArgsDepth bounds the nesting of arguments. Stricter bounds apply before a call gets here; this bound only makes recursion
// safe.
const maxArgsDepth = 1000

var errArgs = errors.New("arguments are not one strict JSON object")

// A Kind is the JSON type of a value.
type Kind = jsontext.Kind

// A Value is a decoded part of a call's arguments.
type Value struct {
	Kind    Kind   // 'n' null, 't' true, 'f' false, '"' string, '0' number, '[' array, '{' object
	Text    string // string: decoded; number: the literal
	items   []Value
	Members []Member
	// Start and End are the position of the value in the arguments. They may include a comma or white space before it.
	Start, End int
	// hole says that the value is not known, and holey that there is a hole inside it.
	hole, holey bool
}

// A Member is one member of an object.
type Member struct {
	Name  string
	Value Value
}

// Decode decodes arguments. An empty text is an empty object.
func Decode(args jsontext.Value) (Value, error) {
	if len(bytes.TrimSpace(args)) == 0 {
		return Value{Kind: '{'}, nil
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(args))
	v, err := decodeValue(d)
	if err != nil {
		return Value{}, err
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return Value{}, fmt.Errorf("read past the arguments: %w", errArgs)
	}
	if v.Kind != '{' {
		return Value{}, errArgs
	}
	return v, nil
}

func decodeValue(d *jsontext.Decoder) (Value, error) {
	start := int(d.InputOffset())
	v, err := decodeKind(d)
	v.Start, v.End = start, int(d.InputOffset())
	return v, err
}

func decodeKind(d *jsontext.Decoder) (Value, error) {
	tok, err := d.ReadToken()
	if err != nil {
		return Value{}, fmt.Errorf("read arguments: %w", err)
	}
	if d.StackDepth() > maxArgsDepth {
		return Value{}, fmt.Errorf("read arguments: nested deeper than %d: %w", maxArgsDepth, errArgs)
	}
	v := Value{Kind: tok.Kind()}
	switch v.Kind {
	case '"', '0':
		v.Text = tok.String()
	case '[':
		for d.PeekKind() != ']' {
			item, err := decodeValue(d)
			if err != nil {
				return Value{}, err
			}
			v.items = append(v.items, item)
		}
		_, err = d.ReadToken()
	case '{':
		for d.PeekKind() != '}' {
			name, err := d.ReadToken()
			if err != nil {
				return Value{}, fmt.Errorf("read arguments: %w", err)
			}
			m := Member{Name: name.String()}
			if m.Value, err = decodeValue(d); err != nil {
				return Value{}, err
			}
			v.Members = append(v.Members, m)
		}
		_, err = d.ReadToken()
	}
	if err != nil {
		return Value{}, fmt.Errorf("read arguments: %w", err)
	}
	return v, nil
}

// ScalarKey returns a text that is equal for two scalars exactly if they are the same JSON value; false for arrays and objects.
func (v *Value) ScalarKey() (string, bool) {
	switch v.Kind {
	case '"':
		return `"` + v.Text, true
	case '0':
		return "0" + ParseDecimal(v.Text).key(), true
	case 'n', 't', 'f':
		return string(rune(v.Kind)), true
	default:
		return "", false
	}
}

// Native returns a value as expressions see it: whole numbers as int if they fit, others as double.
func (v *Value) Native() any {
	switch v.Kind {
	case 't', 'f':
		return v.Kind == 't'
	case '"':
		return v.Text
	case '0':
		if i, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
			return i
		}
		d, _ := strconv.ParseFloat(v.Text, 64)
		return d
	case '[':
		out := make([]any, len(v.items))
		for i := range v.items {
			out[i] = v.items[i].Native()
		}
		return out
	case '{':
		out := make(map[string]any, len(v.Members))
		for i := range v.Members {
			out[v.Members[i].Name] = v.Members[i].Value.Native()
		}
		return out
	}
	return nil
}

// Unknown says that the value, or a part of it, is not known.
func (v *Value) Unknown() bool { return v.hole || v.holey }

// Items are the items of an array.
func (v *Value) Items() []*Value {
	out := make([]*Value, len(v.items))
	for i := range v.items {
		out[i] = &v.items[i]
	}
	return out
}

// EachText visits every string inside a value, and every number as it is written.
func (v *Value) EachText(visit func(string)) {
	switch v.Kind {
	case '"', '0':
		visit(v.Text)
	case '[':
		for i := range v.items {
			v.items[i].EachText(visit)
		}
	case '{':
		for i := range v.Members {
			v.Members[i].Value.EachText(visit)
		}
	}
}

// Count is the number of values inside a value, including itself.
func (v *Value) Count() int {
	n := 1
	for i := range v.items {
		n += v.items[i].Count()
	}
	for i := range v.Members {
		n += v.Members[i].Value.Count()
	}
	return n
}

// TextSize is the number of bytes in the texts of a value.
func (v *Value) TextSize() (n int) {
	v.EachText(func(text string) { n += len(text) })
	return n
}
