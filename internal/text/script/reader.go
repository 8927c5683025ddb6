package script

import "github.com/tdewolff/parse/v2/js"

// A reader reads one text: first it surveys the names, then it interprets, in rounds, until nothing turns out to be used in
// more ways than was known before.
type reader struct {
	entry map[string]bool

	// What the survey finds.
	top       *scope
	scopes    map[js.INode]*scope
	functions map[js.INode]*function
	declared  map[js.INode]bool // functions and classes that are statements
	literals  [][]byte          // strings, templates and regular expressions
	// rebinds: the arguments object is used, through which parameters can change.
	rebinds bool

	// What interpreting finds and keeps over its rounds, with what is kept of sites and bindings.
	sites  map[js.INode]*site
	strays []*binding
	harm   harm
	// lent: a function is given what reaches tools. seen: members are read through which another function may see that.
	lent, seen bool
	// leaked: an object of the language is passed on to where its members can be changed.
	leaked bool

	// What one round finds.
	calls   []Call
	changed bool // something is used in more ways than was known when the round began
	renamed bool // a name turned out to stand for what could call a tool
	pending []closure
	written int // bytes of arguments
	// repeats counts what is being followed that may run any number of times.
	repeats int

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
	r := &reader{
		entry: map[string]bool{}, scopes: map[js.INode]*scope{}, functions: map[js.INode]*function{}, declared: map[js.INode]bool{},
		sites: map[js.INode]*site{},
	}
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
	r.calls, r.pending, r.changed, r.renamed, r.written, r.inlined = nil, nil, false, false, 0, 0
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
			r.repeats++
			r.follow(c.fn, c.frame, given{unknown: true})
			r.repeats--
		}
	}
}

// forget drops what was found out before it was known what a name stands for.
func (r *reader) forget() {
	clear(r.sites)
	for _, b := range r.strays {
		b.stray = false
	}
	r.strays, r.harm, r.lent, r.seen, r.leaked = nil, noHarm, false, false, false
}

// report adds a call.
func (r *reader) report(name string, args value, known bool) {
	if len(r.calls) == maxCalls {
		opaque("the text makes too many calls")
	}
	call := Call{Tool: name, Repeats: r.repeats > 0}
	if known && r.harm < fatal {
		if json, holes, ok := arguments(args); ok && r.written+len(json) <= 8*maxText {
			call.Args, call.Holes, call.Known = json, holes, true
			r.written += len(json)
		}
	}
	r.calls = append(r.calls, call)
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
	default:
		// Where methods may be others, a mere conversion can change what it is done to.
		if b.stray || r.poisoned() && v.mutable() {
			r.release(v)
		}
	}
	p.frame.values[b] = v
}

// hold notes what could call a tool for b, whatever the order in which the text runs.
func (r *reader) hold(b *binding, v value) {
	for _, known := range b.held {
		if known.kind == v.kind && known.str == v.str {
			return
		}
	}
	b.held = append(b.held, v)
	r.changed, r.renamed = true, true
}

// read is the value of a declared name.
func (r *reader) read(b *binding, p place) value {
	if v, found := p.frame.get(b); found && b.settled(p.fn) {
		return v
	}
	return r.readStray(b)
}

// readStray reads a name where its value is not followed: all that it is given anywhere is used in ways that are not. If
// it was given what could call a tool, it stands for that.
func (r *reader) readStray(b *binding) value {
	if !b.stray {
		b.stray, r.changed = true, true
		r.strays = append(r.strays, b)
	}
	switch {
	case len(b.held) == 1:
		return b.held[0]
	case len(b.held) > 1:
		opaque("a name stands for several tools")
	case b.counter && !b.varied && b.decls == 1:
		return value{kind: anyNumber}
	}
	return value{}
}

// part is what a part of data is: data, unless something else was put there.
func (r *reader) part() value {
	if r.poisoned() {
		return value{}
	}
	return value{kind: data}
}
