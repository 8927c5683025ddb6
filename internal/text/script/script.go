// Package script finds the tool calls that a piece of JavaScript would make.
//
// The text is read, never run. It is followed as far as values are constant: literals, names bound once, small loops
// over literal arrays, helper functions called with literals. What is left over is either a call whose arguments are
// not known, or, if the text could reach a tool that cannot be named, opaque.
//
// The reading rests on two invariants. No value that could call a tool (the tools object, the global object, anything that
// compiles text) gets out of the expressions that are followed; where one would, the reading is opaque. So every value that
// is not followed is harmless, and calling it is harmless too. And an array or object is a constant only if no use of it is
// left unfollowed: one that flows anywhere else, or meets an operation that is not known to leave it as it is, is not.
package script

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

const (
	// maxSource is the size of the longest text that is read, in bytes.
	maxSource = 2 << 20
	// maxBrackets bounds the brackets in a text, and with them how deep the parser can go.
	maxBrackets = 100_000
	// maxDepth bounds how deep expressions, statements and followed calls may nest.
	maxDepth = 1_200
	// maxSteps bounds the nodes that are visited, those of followed functions and loops counted each time.
	maxSteps = 1_500_000
	// maxCalls bounds the calls of one text.
	maxCalls = 1_000
	// maxRounds bounds how often a text is read again because something turned out to be used in more ways than was known.
	maxRounds = 40
)

// A Call is a tool call that the text makes, as far as it can be known without running it.
type Call struct {
	// Tool is the name of the tool, with dots between the names if it stands in a group: ns.name for tools.ns.name(…). Of a
	// function that the text does not define and the language does not have, it is the name.
	Tool string
	// Args is one strict JSON object if Known, else nil. A string s given to a tool is {"input": s}. The arguments of
	// fetch are {"url": …, "options": …}.
	Args []byte
	// Known says that Args are what the tool will be given whenever this call is made, except for Holes.
	Known bool
	// Holes are JSON pointers to the parts of Args that are not known. They have null there; the tool may be given anything
	// in its place, or nothing.
	Holes []string
	// Repeats says that the call may be made any number of times. Others are made once, or not at all.
	Repeats bool
}

// A Reading is what was found in a text. Calls are in the order in which they were found, dead code included; one that is
// made for each element of a constant is there once for each.
type Reading struct {
	Calls []Call
	// Opaque says that the text could make calls that are not among Calls. Calls may be incomplete then.
	Opaque bool
	// Why says what could not be read. It contains nothing of the text.
	Why string
	// Steps is how much work it was to read the text: the bytes that were parsed and the nodes that were visited.
	Steps int
}

// errOpaque carries out of a walk why a text cannot be read.
type errOpaque struct{ why string }

func (e errOpaque) Error() string { return e.why }

// Read finds the calls in source. entry has the names of the objects through which tools are called: tools, in
// tools.name({…}).
func Read(source string, entry []string) (r Reading) {
	calls, steps, err := read(source, entry)
	if err != nil {
		return Reading{Calls: calls, Opaque: true, Why: err.Error(), Steps: steps}
	}
	return Reading{Calls: calls, Steps: steps}
}

func read(source string, entry []string) (calls []Call, steps int, err error) {
	steps = len(source)
	if err = check(source); err != nil {
		return nil, steps, err
	}
	ast, err := js.Parse(parse.NewInputString(source), js.Options{Inline: true})
	if err != nil {
		return nil, steps, errors.New("the text is not JavaScript that can be read")
	}
	r := newReader(entry)
	defer func() {
		calls, steps = r.calls, len(source)+r.steps
		switch failure := recover().(type) {
		case nil:
		case errOpaque:
			err = failure
		default:
			panic(failure)
		}
	}()
	r.survey(&ast.BlockStmt)
	if strayHTMLComment(source, r.literals) {
		return nil, steps, errors.New("a comment in the style of HTML is read differently by different readers")
	}
	for round := 0; ; round++ {
		if round == maxRounds {
			return nil, steps, errors.New("the text takes too long to read")
		}
		r.interpret(&ast.BlockStmt)
		switch {
		case r.renamed:
			r.forget()
		case !r.changed:
			return r.calls, steps, nil
		}
	}
}

// check refuses what is not given to the parser.
func check(source string) error {
	switch {
	case len(source) > maxSource:
		return fmt.Errorf("the text is longer than %d bytes", maxSource)
	case !utf8.ValidString(source):
		return errors.New("the text is not UTF-8")
	case len(source) > 1 && source[:2] == "#!":
		return errors.New("the text begins with the line of a program file")
	}
	brackets := 0
	for i := range len(source) {
		switch source[i] {
		case '(', '[', '{':
			brackets++
		}
	}
	if brackets > maxBrackets {
		return fmt.Errorf("the text has more than %d brackets", maxBrackets)
	}
	return nil
}

// opaque ends the walk: the text could make calls that cannot be read.
func opaque(why string) { panic(errOpaque{why}) }
