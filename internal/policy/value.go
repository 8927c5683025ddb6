package policy

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// maxArgsDepth bounds how deep arguments may nest. Stricter bounds apply before a call gets here; this one only keeps
// recursion safe.
const maxArgsDepth = 1000

var errArgs = errors.New("arguments are not one strict JSON object")

type jsonKind = jsontext.Kind

// A value is a decoded part of a call's arguments.
type value struct {
	kind    jsonKind // 'n' null, 't' true, 'f' false, '"' string, '0' number, '[' array, '{' object
	text    string   // string: decoded; number: the literal
	items   []value
	members []member
	// start and end are where the value stands in the arguments. What is ahead of it there, a comma or white space, may be in it.
	start, end int
	// hole says that what stands here is not known, and holey that there is a hole in it.
	hole, holey bool
}

type member struct {
	name  string
	value value
}

// decodeArgs reads arguments. Nothing at all is an empty object.
func decodeArgs(args jsontext.Value) (value, error) {
	if len(bytes.TrimSpace(args)) == 0 {
		return value{kind: '{'}, nil
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(args))
	v, err := decodeValue(d)
	if err != nil {
		return value{}, err
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return value{}, fmt.Errorf("read past the arguments: %w", errArgs)
	}
	if v.kind != '{' {
		return value{}, errArgs
	}
	return v, nil
}

func decodeValue(d *jsontext.Decoder) (value, error) {
	start := int(d.InputOffset())
	v, err := decodeKind(d)
	v.start, v.end = start, int(d.InputOffset())
	return v, err
}

func decodeKind(d *jsontext.Decoder) (value, error) {
	tok, err := d.ReadToken()
	if err != nil {
		return value{}, fmt.Errorf("read arguments: %w", err)
	}
	if d.StackDepth() > maxArgsDepth {
		return value{}, fmt.Errorf("read arguments: nested deeper than %d: %w", maxArgsDepth, errArgs)
	}
	v := value{kind: tok.Kind()}
	switch v.kind {
	case '"', '0':
		v.text = tok.String()
	case '[':
		for d.PeekKind() != ']' {
			item, err := decodeValue(d)
			if err != nil {
				return value{}, err
			}
			v.items = append(v.items, item)
		}
		_, err = d.ReadToken()
	case '{':
		for d.PeekKind() != '}' {
			name, err := d.ReadToken()
			if err != nil {
				return value{}, fmt.Errorf("read arguments: %w", err)
			}
			m := member{name: name.String()}
			if m.value, err = decodeValue(d); err != nil {
				return value{}, err
			}
			v.members = append(v.members, m)
		}
		_, err = d.ReadToken()
	}
	if err != nil {
		return value{}, fmt.Errorf("read arguments: %w", err)
	}
	return v, nil
}

// scalarKey returns a text that two scalars share exactly when they are the same JSON value; false for arrays and objects.
func (v *value) scalarKey() (string, bool) {
	switch v.kind {
	case '"':
		return `"` + v.text, true
	case '0':
		return "0" + parseDecimal(v.text).key(), true
	case 'n', 't', 'f':
		return string(rune(v.kind)), true
	default:
		return "", false
	}
}
