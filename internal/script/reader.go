package script

import "github.com/tdewolff/parse/v2/js"

// A reader reads one text: first it surveys the names, then it interprets, in rounds, until no name turns out to stand
// for more than was known before.
type reader struct {
	entry map[string]bool

	// What the survey finds.
	top       *scope
	scopes    map[js.INode]*scope
	functions map[js.INode]*function
	declared  map[js.INode]bool // functions and classes that are statements
	literals  [][]byte          // strings, templates and regular expressions
	changes   []change
	// poisoned: objects are changed in ways that are not followed. Arrays and objects with a name are not constant then,
	// and methods may not be those of the language.
	poisoned bool
	// prototypes: members may be given to objects that all others inherit from. No arguments are known then.
	prototypes bool
	// rebinds: the arguments object is used, through which parameters can change.
	rebinds bool

	// What interpreting finds.
	calls   []Call
	changed bool // a name stands for more than was known when the round began
	pending []closure
	written int // bytes of arguments

	steps, depth, inlined int
}

// A closure is a function in the frame in which it was made.
type closure struct {
	fn    *function
	frame *frame
}

// A frame has the values of constants in one run of a function or of the body of a loop.
type frame struct {
	parent *frame
	values map[*binding]value
}

func (f *frame) child() *frame { return &frame{parent: f, values: map[*binding]value{}} }

func (f *frame) get(b *binding) (value, bool) {
	for ; f != nil; f = f.parent {
		if v, ok := f.values[b]; ok {
			return v, true
		}
	}
	return value{}, false
}

// A place is where in the text and in which run of it something is interpreted.
type place struct {
	scope *scope
	frame *frame
	fn    *function // nil: the top
	// returned collects what the function being followed returns; nil: its values go where they are not followed.
	returned *[]value
}

func newReader(entry []string) *reader {
	r := &reader{entry: map[string]bool{}, scopes: map[js.INode]*scope{}, functions: map[js.INode]*function{}, declared: map[js.INode]bool{}}
	for _, name := range entry {
		r.entry[name] = true
	}
	return r
}

// reserved reports whether name, where the text does not declare it, reaches tools or what compiles text.
func (r *reader) reserved(name string) bool {
	return r.entry[name] || globals[name] || dangerous[name]
}

// step counts the work.
func (r *reader) step() {
	if r.steps++; r.steps > maxSteps {
		opaque("the text takes too long to read")
	}
}

// spend counts work that is done at once.
func (r *reader) spend(n int) {
	if r.steps += n; r.steps > maxSteps {
		opaque("the text takes too long to read")
	}
}

// interpret makes one round.
func (r *reader) interpret(top *js.BlockStmt) {
	r.calls, r.pending, r.changed, r.written, r.inlined, r.steps = nil, nil, false, 0, 0, 0
	for _, fn := range r.functions {
		fn.followed, fn.escaped, fn.active = false, false, false
	}
	p := place{scope: r.top, frame: (*frame)(nil).child()}
	r.list(top.List, p)
	// Functions that were not followed from a call, or not only, are read with parameters that are not known. That may
	// let more of them escape, so it goes on until none is left.
	walked := map[closure]bool{}
	for again := true; again; {
		again = false
		for i := 0; i < len(r.pending); i++ {
			c := r.pending[i]
			if walked[c] || c.fn.followed && !c.fn.escaped {
				continue
			}
			walked[c] = true
			again = true
			r.follow(c.fn, c.frame, given{unknown: true})
		}
	}
}

// report adds a call.
func (r *reader) report(name string, args value, known bool) {
	if len(r.calls) == maxCalls {
		opaque("the text makes too many calls")
	}
	call := Call{Tool: name}
	if known && !r.prototypes {
		if json, ok := arguments(args); ok && r.written+len(json) <= 8*maxText {
			call.Args, call.Known = json, true
			r.written += len(json)
		}
	}
	r.calls = append(r.calls, call)
}

// release lets go of a value: it flows to where it is not followed.
func (r *reader) release(v value) {
	switch v.kind {
	case tools:
		opaque("the object through which tools are called is passed on")
	case global, receiver:
		opaque("the global object is passed on")
	case wild:
		opaque("a member with a computed name is passed on")
	case tool:
		r.report(v.str, value{}, false)
	case local:
		v.fn.escaped = true
	case array, object:
		for _, item := range v.items {
			r.release(item)
		}
	}
}

// bind gives a declared name its value.
func (r *reader) bind(b *binding, v value, p place) {
	if !b.constant() || b.param && r.rebinds {
		r.release(v)
		return
	}
	switch v.kind {
	case tools, global, receiver, tool, wild:
		r.hold(b, v)
	case local:
		r.holdFunction(b, v.fn)
	case array, object:
		if !v.plain() {
			r.release(v) // functions in it may be called from anywhere
		}
	}
	p.frame.values[b] = v
}

// hold notes what could call a tool for b, whatever the order in which the text runs.
func (r *reader) hold(b *binding, v value) {
	switch {
	case b.held.kind == v.kind && b.held.str == v.str:
	case b.held.kind == unknown:
		b.held = v
		r.changed = true
	default:
		r.release(v)
		r.release(b.held)
	}
}

func (r *reader) holdFunction(b *binding, fn *function) {
	for _, known := range b.functions {
		if known == fn {
			return
		}
	}
	b.functions = append(b.functions, fn)
	r.changed = true
}

// read is the value of a declared name. Where it is not known, what the name was given anywhere counts.
func (r *reader) read(b *binding, p place) value {
	if v, found := p.frame.get(b); found && b.settled(p.fn) && v.kind != unknown {
		if v.mutable() && (b.changed || r.poisoned) {
			return value{kind: thing}
		}
		return v
	}
	if b.held.kind != unknown {
		return b.held
	}
	for _, fn := range b.functions {
		fn.escaped = true
	}
	if b.fn != nil {
		b.fn.escaped = true
	}
	if b.counter && b.decls == 1 {
		return value{kind: anyNumber}
	}
	return value{}
}

// part is what a part of data is: data, unless something else was put there.
func (r *reader) part() value {
	if r.poisoned {
		return value{}
	}
	return value{kind: data}
}
