package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The bounds of one reading. Past any of them the text gives a command of which nothing is known.
const (
	maxCommands = 1 << 16 // commands found
	maxDepth    = 64      // texts, functions and substitutions inside one another
	baseFuel    = 1 << 20 // steps, whatever the size of the text
	fuelPerByte = 3       // and for each byte of the text

	bytesPerStep  = 16 // bytes made that cost as much as a step
	bytesPerParse = 2  // bytes parsed that do
	parseSteps    = 32 // what it costs to begin a text
)

// pipes are what a command reads and whether anyone reads what it writes.
type pipes struct {
	in   value // nil: the input of weir's client, which is not part of the text
	want bool  // the output is wanted
}

// A reader goes through a text as a shell would, taking both ways where it cannot tell, and notes the commands.
type reader struct {
	found []Command
	seen  map[string]struct{}

	parser *parser
	fuel   int
	depth  int
	spent  bool // a bound was passed: nothing more is read

	functions map[string]*function
	aliases   map[string]string
	files     map[string]value  // what the text wrote to files, by name
	copies    map[string]string // programs under new names
	streams   int               // process substitutions so far
}

// A function is one name and every body the text gave it.
type function struct {
	bodies []*syntax.Stmt
	called bool
	active int    // calls under way
	base   *scope // where the outermost of them began
}

func newReader(size int) *reader {
	return &reader{
		seen:      map[string]struct{}{},
		parser:    newParser(),
		fuel:      baseFuel + fuelPerByte*size,
		functions: map[string]*function{},
		aliases:   map[string]string{},
		files:     map[string]value{},
		copies:    map[string]string{},
	}
}

// spend takes fuel and reports whether there was enough.
func (r *reader) spend(n int) bool {
	if r.spent {
		return false
	}
	if r.fuel -= n; r.fuel < 0 {
		r.giveUp()
	}
	return !r.spent
}

// spendBytes takes fuel for bytes made.
func (r *reader) spendBytes(n int) bool { return r.spend(n/bytesPerStep + 1) }

// giveUp notes that the rest is not read.
func (r *reader) giveUp() {
	r.noteUnknown()
	r.spent = true
}

// deeper runs do one level down, or gives up.
func (r *reader) deeper(do func()) {
	if r.depth >= maxDepth {
		r.giveUp()
	}
	if r.spent {
		return
	}
	r.depth++
	do()
	r.depth--
}

// note adds a command, once.
func (r *reader) note(fields []string) {
	key := strings.Join(fields, "\x00")
	if !r.spendBytes(len(key)) {
		return
	}
	if _, ok := r.seen[key]; ok {
		return
	}
	if len(r.found) >= maxCommands {
		r.giveUp()
		return
	}
	r.seen[key] = struct{}{}
	r.found = append(r.found, newCommand(fields))
}

func (r *reader) noteUnknown() {
	if _, ok := r.seen[anyWords]; !ok {
		r.seen[anyWords] = struct{}{}
		r.found = append(r.found, unknown())
	}
}

// finish reads the functions that nothing called: something outside the text may.
func (r *reader) finish() {
	names := make([]string, 0, len(r.functions))
	for name := range r.functions {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if f := r.functions[name]; !f.called {
			r.call(f, []string{anyWords}, newScope(nil), pipes{})
		}
	}
}

// text reads a shell text in a scope, and returns what it writes if that is wanted.
func (r *reader) text(text string, s *scope, p pipes) (out value) {
	if text == "" || !r.spend(parseSteps+len(text)/bytesPerParse) {
		return value{""}
	}
	out = unknownValue
	r.deeper(func() {
		if hasHole(text) || strings.Contains(text, "\x00") {
			r.noteUnknown()
			if allHole(text) {
				return
			}
			text = codeHoles.Replace(text)
		}
		stmts, ok := r.parser.parse(clean(text))
		if !ok {
			r.noteUnknown()
		}
		out = r.stmts(stmts, s, p)
	})
	return out
}

// texts reads each text that a value could be, with its words as positional parameters.
func (r *reader) texts(code value, s *scope, p pipes) value {
	out := value(nil)
	for _, text := range code {
		inner := newScope(s)
		out = union(out, r.text(text, inner, p))
		s.mayBe(inner)
	}
	if out == nil {
		return value{""}
	}
	return out
}

// call reads the body of a function.
func (r *reader) call(f *function, args []string, s *scope, p pipes) (out value) {
	const known = 2 // calls inside one another whose arguments are followed
	if f.active > known {
		return unknownValue
	}
	inner := newScope(s)
	inner.setArgs(args)
	switch f.active {
	case 0:
		f.base = s
	case known:
		// What a recursion changes from call to call cannot be followed to its end.
		inner.setArgs([]string{anyWords})
		for at := s; at != nil && at != f.base; at = at.parent {
			for name := range at.vars {
				inner.set(name, unknownVariable)
			}
		}
	}
	f.called = true
	f.active++
	out = unknownValue
	r.deeper(func() {
		for i, body := range f.bodies {
			written := r.stmt(body, inner, p)
			if i == 0 {
				out = written
			} else {
				out = union(out, written)
			}
		}
	})
	f.active--
	delete(inner.vars, "@")
	s.did(inner)
	return out
}
