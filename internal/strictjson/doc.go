// Package strictjson parses JSON strictly, finds values in it, and edits them without changing any other byte.
//
// A [Doc] is one flat tape of nodes over the bytes of a document. It is reused for the next document, so that parsing a small
// document allocates nothing. Every [Value] is a position on the tape and knows its bytes in the document. So [Splice] can copy
// everything that was not edited byte for byte.
//
// No error of this package contains a byte of the input: texts of errors may be shown to either side of the wire.
package strictjson

import (
	"errors"
	"fmt"
	"math"
)

// The kinds of failure that callers distinguish. Every error wraps one of them.
var (
	// ErrSyntax says that the text is not one JSON value in valid UTF-8.
	ErrSyntax = errors.New("not strict json")
	// ErrBounds says that the text is too deep, has too many values, or is too long.
	ErrBounds = errors.New("json exceeds a bound")
	// ErrAmbiguous says that parsers could disagree about a member: its name occurs twice, or in another case.
	ErrAmbiguous = errors.New("ambiguous member name")
	// ErrNotObject says that the text is a JSON value, but not an object.
	ErrNotObject = errors.New("not a json object")
	// ErrSurrogate says that a string has only half of a surrogate pair, which is not a character.
	ErrSurrogate = errors.New("lone surrogate in a string")
)

// The ways in which a text fails to be JSON.
var (
	errEnd      = fmt.Errorf("%w: unexpected end", ErrSyntax)
	errToken    = fmt.Errorf("%w: unexpected byte", ErrSyntax)
	errTrailing = fmt.Errorf("%w: more than one value", ErrSyntax)
	errControl  = fmt.Errorf("%w: control character in a string", ErrSyntax)
	errEscape   = fmt.Errorf("%w: bad escape in a string", ErrSyntax)
	errUTF8     = fmt.Errorf("%w: invalid utf-8", ErrSyntax)
	errNumber   = fmt.Errorf("%w: bad number", ErrSyntax)
	errDepth    = fmt.Errorf("%w: too deep", ErrBounds)
	errValues   = fmt.Errorf("%w: too many values", ErrBounds)
	errLength   = fmt.Errorf("%w: too long", ErrBounds)
)

// located wraps err with the offset at which it was found.
func located(offset int, err error) error {
	return fmt.Errorf("byte %d: %w", offset, err)
}

// The default bounds.
const (
	defaultDepth  = 256
	defaultValues = 1_000_000
)

// Limits bound the work and memory that a document may cost.
type Limits struct {
	Depth  int // how deep arrays and objects may nest; 0: 256
	Values int // how many values there may be at all depths; 0: 1,000,000
}

// orDefault returns l with its zero fields filled in.
func (l Limits) orDefault() Limits {
	if l.Depth == 0 {
		l.Depth = defaultDepth
	}
	if l.Values == 0 {
		l.Values = defaultValues
	}
	return l
}

// keptNodes is the largest tape that a Doc reuses for its next document. Without it, one huge document would use memory as long as
// the Doc lives.
const keptNodes = 2 << 10

// A Doc is a parsed document. The zero Doc is empty and ready to use; Parse may be called any number of times.
type Doc struct {
	Limits Limits // the bounds for the next Parse

	data  []byte
	nodes []node
}

// Parse parses data, which must be one JSON value (RFC 8259) in valid UTF-8, with only white space around it. It allows two things,
// because honest frames have them: lone surrogate escapes, and names that occur twice. Member reports such names where it matters.
//
// The Doc holds data without copying it. Parse invalidates every Value of the previous document. After an error the Doc is empty.
func (d *Doc) Parse(data []byte) error {
	d.data, d.nodes = nil, d.nodes[:0]
	if cap(d.nodes) > keptNodes {
		d.nodes = nil
	}
	if len(data) > math.MaxInt32 {
		return errLength
	}
	p := parser{data: data, nodes: d.nodes, open: none, limits: d.Limits.orDefault()}
	err := p.document()
	d.nodes = p.nodes
	if err != nil {
		d.nodes = d.nodes[:0]
		return located(p.at, err)
	}
	d.data = data
	return nil
}

// Root returns the value of the whole document; it is missing if the Doc is empty.
func (d *Doc) Root() Value {
	if len(d.nodes) == 0 {
		return Value{}
	}
	return Value{doc: d}
}
