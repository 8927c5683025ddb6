// Package script finds the tool calls that a piece of JavaScript would make.
//
// The text is parsed, never run. Values are followed as long as they are constant: literals, names bound once, small loops over
// literal arrays, helper functions called with literals. Any other call is a call with unknown arguments. If the text could reach a
// tool whose name is not known, the reading is opaque.
//
// The reading relies on two invariants. First, no value that could call a tool (the tools object, the global object, anything that
// compiles text) leaves the expressions that are followed; where one would, the reading is opaque. So every value that is not
// followed is harmless, and calling it is harmless too. Second, an array or object is a constant only if every use of it is
// followed. It is none if it flows anywhere else, or meets an operation that may change it.
package script

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

const (
	// maxSource is the size of the longest text that is parsed, in bytes.
	maxSource = 2 << 20
	// maxBrackets bounds the brackets in a text, and with them how deep the parser can go.
	maxBrackets = 100_000
	// maxDepth bounds how deep expressions, statements and followed calls may nest.
	maxDepth = 1_200
	// maxSteps bounds the nodes that are visited, those of followed functions and loops counted each time.
	maxSteps = 1_500_000
	// maxCalls bounds the calls of one text.
	maxCalls = 1_000
	// maxRounds bounds how often a text is interpreted again because a value turned out to have more uses than were known.
	maxRounds = 40
)

// A Call is a tool call that the text makes, as far as it can be known without running it.
type Call struct {
	// Tool is the name of the tool. In a group it has dots: ns.name for tools.ns.name(…). For a function that neither the text nor
	// the language defines, it is the name of that function.
	Tool string
	// Args is one strict JSON object if Known, else nil. A string s given to a tool is {"input": s}. The arguments of
	// fetch are {"url": …, "options": …}.
	Args []byte
	// Known says that every run of this call gives the tool these Args, except for Holes.
	Known bool
	// Holes are JSON pointers to the parts of Args that are not known. Args have null there; the tool may be given anything instead,
	// or nothing.
	Holes []string
	// Repeats says that the call may be made any number of times. Other calls are made once, or not at all.
	Repeats bool
}

// A Reading is the result of reading a text. Calls are in the order in which they were found, including those in dead code. A call
// that is made for each element of a constant appears once for each.
type Reading struct {
	Calls []Call
	// Opaque says that the text could make calls that are not among Calls. Calls may be incomplete then.
	Opaque bool
	// Why says what could not be read. It contains no part of the text.
	Why string
	// Steps is the work of reading the text: the bytes that were parsed and the nodes that were visited.
	Steps int
}

// errOpaque ends a walk and says why a text cannot be read.
type errOpaque struct{ why string }

func (e errOpaque) Error() string { return e.why }

// Read finds the calls in source. entry has the names of the objects through which tools are called, such as tools in
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

// check refuses texts that must not reach the parser.
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
