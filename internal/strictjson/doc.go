// Package strictjson reads JSON strictly, finds values in it, and edits it without touching any other byte.
//
// A [Doc] is one flat tape of nodes over the bytes of a document. It is reused from document to document, so that
// reading a small document allocates nothing. Every [Value] is a place on the tape: it knows the bytes it was read
// from, which is how [Splice] keeps what was not edited byte for byte.
//
// No error of this package contains a byte of the input: texts of errors may be shown to either side of the wire.
package strictjson

import (
	"errors"
	"fmt"
	"math"
)

// The kinds of failure that callers tell apart. Errors wrap one of them.
var (
	// ErrSyntax says that the text is not one JSON value in valid UTF-8.
	ErrSyntax = errors.New("not strict json")
	// ErrBounds says that the text is too deep, has too many values, or is too long.
	ErrBounds = errors.New("json exceeds a bound")
	// ErrAmbiguous says that readers could disagree on what a member is: its name is there twice, or in another case.
	ErrAmbiguous = errors.New("ambiguous member name")
	// ErrNotObject says that the text is a JSON value, but not an object.
	ErrNotObject = errors.New("not a json object")
	// ErrSurrogate says that a string has half of a surrogate pair, which is no character.
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

// The bounds that hold when none are set.
const (
	defaultDepth  = 256
	defaultValues = 1_000_000
)

// Limits bound what a document may make its reader do.
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

// keptNodes bounds the tape that a Doc keeps for its next document, so that one huge document does not hold its
// memory for as long as the Doc lives.
const keptNodes = 2 << 10

// A Doc is a parsed document. The zero Doc is empty and ready to use; Parse may be called any number of times.
type Doc struct {
	Limits Limits // the bounds for the next Parse

	data  []byte
	nodes []node
}

// Parse reads data, which must be one JSON value as RFC 8259 has it, in valid UTF-8, with nothing but white space
// around it. Two leniencies remain, since frames have them in good faith: lone surrogate escapes, and names that
// occur twice; Member reports the latter where it matters.
//
// The Doc keeps data without copying it. Parse invalidates every Value of the document before. After an error the
// Doc is empty.
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

// Root returns the value that the document is; it is missing if there is none.
func (d *Doc) Root() Value {
	if len(d.nodes) == 0 {
		return Value{}
	}
	return Value{doc: d}
}
