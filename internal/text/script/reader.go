package script

import "github.com/tdewolff/parse/v2/js"

// A reader reads one text. First it surveys the names. Then it interprets the text in rounds, until a round finds no new use of any
// value.
type reader struct {
	entry map[string]bool

	// These are results of the survey.
	top       *scope
	scopes    map[js.INode]*scope
	functions map[js.INode]*function
	declared  map[js.INode]bool // functions and classes that are statements
	literals  [][]byte          // strings, templates and regular expressions
	// rebinds: the text uses the arguments object, through which parameters can change.
	rebinds bool

	// These are results of interpreting that stay over its rounds, as do those in sites and bindings.
	sites  map[js.INode]*site
	strays []*binding
	harm   harm
	// lent: a function is given a value that reaches tools. seen: members are read through which another function may see that value.
	lent, seen bool
	// leaked: an object of the language is passed to code that can change its members.
	leaked bool

	// These are results of one round.
	calls   []Call
	changed bool // a value has more uses than were known when the round began
	renamed bool // a name turned out to stand for a value that could call a tool
	pending []closure
	written int // bytes of arguments
	// repeats counts the enclosing constructs that may run any number of times.
	repeats int

	steps, depth, inlined int
}

// A closure is a function in the frame in which it was made.
type closure struct {
	fn    *function
	frame *frame
}

// A frame holds the values of constants in one run of a function or of the body of a loop.
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

// A place is the position in the text, and the run of it, that is being interpreted.
type place struct {
	scope *scope
	frame *frame
	fn    *function // nil: the top
	// returned collects what the function being followed returns; nil: its results are not followed.
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

// reserved reports whether name reaches tools, or code that compiles text, unless the text declares it.
func (r *reader) reserved(name string) bool {
	return r.entry[name] || globals[name] || dangerous[name]
}

// step counts one step of work.
func (r *reader) step() {
	if r.steps++; r.steps > maxSteps {
		opaque("the text takes too long to read")
	}
}

// spend counts several steps of work at once.
func (r *reader) spend(n int) {
	if r.steps += n; r.steps > maxSteps {
		opaque("the text takes too long to read")
	}
}

// interpret runs one round.
func (r *reader) interpret(top *js.BlockStmt) {
	r.calls, r.pending, r.changed, r.renamed, r.written, r.inlined = nil, nil, false, false, 0, 0
	for _, fn := range r.functions {
		fn.followed, fn.escaped, fn.active = false, false, false
	}
	p := place{scope: r.top, frame: (*frame)(nil).child()}
	r.list(top.List, p)
	// Functions that were not followed from a call, or not only, are interpreted with unknown parameters. That may let more functions
	// escape, so this repeats until none is left.
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

// forget drops the results from before it was known what a name stands for.
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
		// Where methods may be replaced, even a conversion can change its operand.
		if b.stray || r.poisoned() && v.mutable() {
			r.release(v)
		}
	}
	p.frame.values[b] = v
}

// hold notes that b may hold v, a value that could call a tool, whatever the order in which the text runs.
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

// readStray reads a name whose value is not followed here. Every value that the name is given anywhere then counts as used in
// unknown ways. If one of these values could call a tool, the name stands for that.
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

// part is the value of a part of data: data, unless something else was put there.
func (r *reader) part() value {
	if r.poisoned() {
		return value{}
	}
	return value{kind: data}
}
