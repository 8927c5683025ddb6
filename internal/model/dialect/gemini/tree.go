package gemini

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A tree is arguments that are built from values at paths. The zero tree is an empty object.
type tree struct {
	root node
	open *node // the string that continues in the next piece, which must have its path
	path string
	// nodes is an upper bound of the number of nodes.
	nodes int
}

// A node is a value: an object, an array, a scalar or a string. The zero node has no value yet.
type node struct {
	kind  nodeKind
	raw   []byte // of a scalar: its JSON; of a string: its text
	names []string
	under map[string]*node // of an object, by name
	elems []*node          // of an array
}

type nodeKind uint8

const (
	blankNode nodeKind = iota
	scalarNode
	textNode
	objectNode
	arrayNode
)

// misfit is the fault of a call whose pieces do not form arguments.
func misfit() *dialect.Refused {
	return &dialect.Refused{Code: call.CodeArgsUnreadable, Reason: "Its arguments come in pieces that do not fit together."}
}

// add adds a piece at its path. It returns false if the piece does not fit.
func (t *tree) add(piece strictjson.Value) bool {
	at, err := anyOf(piece, "jsonPath", "json_path")
	if err != nil {
		return false
	}
	path, ok := at.Text()
	if !ok {
		return false
	}
	value, kind := valueOf(piece)
	goesOn, ok := flag(piece)
	if !ok || kind == blankNode || goesOn && kind != textNode {
		return false
	}
	if t.open == nil {
		n := t.root.find(path)
		if n == nil || n.kind != blankNode || t.nodes > maxNodes {
			return false // the path is invalid, or has a value already
		}
		t.nodes += 1 + strings.Count(path, ".") + strings.Count(path, "[") // at most
		n.kind = kind
		t.open, t.path = n, path
	} else if path != t.path || kind != textNode {
		return false
	}
	n := t.open
	if !goesOn {
		t.open = nil
	}
	if kind != textNode {
		n.raw = bytes.Clone(value.Raw())
		if value.Kind() == strictjson.String {
			n.raw = []byte("null")
		}
		return true
	}
	// A character may come in two halves.
	n.raw = value.AppendText(n.raw)
	return goesOn || utf8.Valid(n.raw)
}

// valueOf returns the one value of a piece. For null the API writes a name.
func valueOf(piece strictjson.Value) (value strictjson.Value, kind nodeKind) {
	for _, of := range [...]struct {
		camel, snake string
		is           strictjson.Kind
	}{
		{"stringValue", "string_value", strictjson.String},
		{"numberValue", "number_value", strictjson.Number},
		{"boolValue", "bool_value", strictjson.Bool},
		{"nullValue", "null_value", strictjson.Null},
	} {
		m, err := anyOf(piece, of.camel, of.snake)
		switch k := m.Kind(); {
		case err != nil || k != strictjson.Missing && kind != blankNode:
			return m, blankNode // it can be read in two ways, or there are two values
		case k == strictjson.Missing:
			continue
		case k != of.is && !(of.is == strictjson.Null && m.Is("NULL_VALUE")):
			return m, blankNode
		}
		if value, kind = m, scalarNode; of.is == strictjson.String {
			kind = textNode
		}
	}
	return value, kind
}

// anyOf returns the member that an object has under one of two spellings.
func anyOf(v strictjson.Value, camel, snake string) (strictjson.Value, error) {
	m, err := v.Member(camel)
	if err != nil {
		return m, err
	}
	other, err := v.Member(snake)
	if err != nil {
		return other, err
	}
	switch {
	case other.Kind() == strictjson.Missing:
		return m, nil
	case m.Kind() == strictjson.Missing:
		return other, nil
	}
	return strictjson.Value{}, strictjson.ErrAmbiguous
}

// flag says whether a call or a string continues in the next piece.
func flag(v strictjson.Value) (goesOn, ok bool) {
	m, err := anyOf(v, "willContinue", "will_continue")
	if err != nil {
		return false, false
	}
	if !dialect.Present(m) {
		return false, true
	}
	return m.Bool()
}

// json returns the tree as JSON.
func (t *tree) json() []byte {
	if t.root.kind == blankNode {
		return []byte("{}")
	}
	return t.root.append(nil)
}

func (n *node) append(b []byte) []byte {
	switch n.kind {
	case textNode:
		return strictjson.AppendString(b, string(n.raw))
	case arrayNode:
		b = append(b, '[')
		for i, e := range n.elems {
			if i > 0 {
				b = append(b, ',')
			}
			b = e.append(b)
		}
		return append(b, ']')
	case objectNode:
		b = append(b, '{')
		for i, name := range n.names {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(strictjson.AppendString(b, name), ':')
			b = n.under[name].append(b)
		}
		return append(b, '}')
	case scalarNode:
		return append(b, n.raw...)
	}
	return append(b, "null"...) // a node that never got a value
}
