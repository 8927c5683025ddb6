package condition

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/shell"
)

// A quantifier says how many of the selected values must satisfy a test.
type quantifier string

const (
	AnyValue   quantifier = "any" // one is enough
	EveryValue quantifier = "all" // there is one, and all do
)

// flip is the quantifier of what is negated: "not one of them" and "not all of them" are each other's negation.
func (q quantifier) flip() quantifier {
	if q == AnyValue {
		return EveryValue
	}
	return AnyValue
}

// Facts are the arguments of one call, decoded once, and what each path selected, looked up once.
type Facts struct {
	// As is what the call is taken for, of all that its name could mean.
	As       Subject
	paths    Paths
	Unknown  bool     // what the arguments are
	holes    []string // what parts of them are
	recorded bool     // tokens stand for secrets in them
	certain  bool     // only what holds whatever the holes are is asked for
	raw      jsontext.Value
	args     argument.Value
	rawMore  jsontext.Value // what is beside the arguments; nil: nothing is
	more     argument.Value
	err      error
	decoded  bool
	work     *Work // nil: it is not counted
	size     int   // how many values the arguments have
	selected []*lookup
	from     *shell.Start                        // where commands run; nil: it was not asked for
	commands map[*argument.Value][]shell.Command // what values would run, read once
	uses     map[*argument.Value][]fileuse.Use   // what that does to files, likewise
	native   any                                 // the arguments as expressions see them; nil: they were not asked for
	// Failed says that an expression could not be evaluated, or not within its bound: then the call is refused.
	Failed bool
}

// A lookup is what a path selected.
type lookup struct {
	argument.Selection
	// found says which of the words that tests of the path need are in the texts; nil: it was not looked.
	found []bool
}

// A Subject is what a call is taken for, as expressions see it.
type Subject struct {
	Tool, Server string
	Actor        call.Actor
	Connection   bool // it is no call of a tool
}

// A Call is what is known of the arguments of a call.
type Call struct {
	Args    jsontext.Value
	Beside  jsontext.Value // what is beside the arguments; nil: nothing is
	Unknown bool           // what the arguments are
	Holes   []string       // what parts of them are, as JSON pointers
	// Recorded says that tokens stand for secrets in them.
	Recorded bool
	Work     *Work // nil: it is not counted
}

// Look are what conditions look at in a call.
func (p Paths) Look(g Call) *Facts {
	return &Facts{paths: p, raw: g.Args, rawMore: g.Beside, Unknown: g.Unknown, holes: g.Holes, recorded: g.Recorded, work: g.Work}
}

// Uncounted is for what is told beyond the decision: the work for it is not counted.
func (f *Facts) Uncounted() { f.work = nil }

// HoleAt says whether a path selects what is not known, or could.
func (f *Facts) HoleAt(place int) bool { return f.Unknown || !f.Readable() || f.selection(place).Hole }

// Readable decodes the arguments when first asked.
func (f *Facts) Readable() bool {
	if !f.decoded {
		f.work.spend(len(f.raw) + len(f.rawMore))
		f.args, f.err = argument.Decode(f.raw)
		f.args.Punch(f.holes)
		if f.err == nil && f.rawMore != nil {
			f.more, f.err = argument.Decode(f.rawMore)
		}
		f.decoded, f.size = true, f.args.Count()+f.more.Count()
		f.selected = make([]*lookup, len(f.paths))
	}
	return f.err == nil
}

// selection must be asked only when the arguments are readable.
func (f *Facts) selection(place int) *lookup {
	if f.selected[place] == nil {
		p := &f.paths[place]
		f.work.spend(stepsPerValue * f.size * len(p.paths))
		s := p.selectFrom(&f.args)
		if f.rawMore != nil && p.takesAll() {
			s.Add(argument.Select(argument.Path{}, &f.more, p.texts))
		}
		f.selected[place] = &lookup{Selection: s}
	}
	return f.selected[place]
}

// mayHave says whether one of the words that a test needs is in a text that its path selected. All words that the tests of a path
// need are looked for at once.
func (f *Facts) mayHave(c *Condition) bool {
	a := f.paths[c.path].automaton
	if a == nil {
		return true
	}
	s := f.selection(c.path)
	if s.found == nil {
		s.found = make([]bool, a.Count)
		for _, text := range s.Texts {
			f.work.spend(1 + len(text)/2)
			a.Find(text, s.found)
		}
	}
	for _, place := range c.words {
		if s.found[place] {
			return true
		}
	}
	return false
}

// Holds evaluates the condition. With a trace it evaluates every part and notes it; without, only what the answer needs.
func (c *Condition) Holds(f *Facts, q quantifier, trace *Trace) bool {
	if c.block == "" {
		held := c.testHolds(f, q)
		if trace != nil {
			trace.noteTest(c, f, q, held)
		}
		return held
	}
	inner := q
	if c.block == blockNone {
		inner = q.flip()
	}
	// all holds until a part does not; any and none are settled by the first part that does.
	settles := c.block != blockAll
	settled := false
	for i := range c.of {
		held := c.of[i].Holds(f, inner, trace.part(len(c.of), i))
		if held == settles {
			if settled = true; trace == nil {
				break
			}
		}
	}
	held := settled == (c.block == blockAny)
	if trace != nil {
		trace.Block, trace.Held = c.block, held
	}
	return held
}

// testHolds applies the test under a quantifier. not_X is by definition the negation of X under the other quantifier, which
// gives: any value without X, or none at all (any); no value with X (all).
func (c *Condition) testHolds(f *Facts, q quantifier) bool {
	if c.op.negated {
		return !c.satisfied(f, q.flip())
	}
	return c.satisfied(f, q)
}

// satisfied applies the operator before negation. What is not known could satisfy it, and does not for certain.
func (c *Condition) satisfied(f *Facts, q quantifier) bool {
	if c.op.kind == opExpr {
		if len(f.holes) > 0 {
			return f.possible(q)
		}
		return f.exprHolds(c.expr, q)
	}
	s := f.selection(c.path)
	held := c.satisfiedBy(s, f, q)
	switch {
	case !s.Hole, c.op.kind == opExists && held:
		return held
	default:
		return q == AnyValue && held || f.possible(q)
	}
}

// satisfiedBy applies the operator to what is known of a selection.
func (c *Condition) satisfiedBy(s *lookup, f *Facts, q quantifier) bool {
	switch c.op.kind {
	case opExists:
		return len(s.Values) > 0
	case opTyped:
		if q == EveryValue && len(s.Values) == 0 {
			return false
		}
		return quantify(s.Values, q, func(v *argument.Value) bool {
			a := c.test.typed(f, v)
			if a == nothing {
				// A command that writes nothing does not write elsewhere.
				return c.op.negated && q == EveryValue
			}
			if a == maybe && f.certain && c.op.ofCommands && !f.start().Known() {
				// It may be in doubt only because the folder is a hole.
				return false
			}
			return a.satisfies(q)
		})
	case opText:
		if q == EveryValue && (len(s.Values) == 0 || s.Mute) || c.words != nil && !f.mayHave(c) {
			return false
		}
		return quantify(s.Texts, q, func(text string) bool {
			f.work.spend(1 + len(text)/2)
			return c.test.text(text)
		})
	default:
		if q == EveryValue && len(s.Values) == 0 {
			return false
		}
		return quantify(s.Values, q, func(v *argument.Value) bool {
			f.work.spend(1 + len(v.Text)/2)
			return c.test.value(v)
		})
	}
}

func quantify[T any](units []T, q quantifier, satisfies func(T) bool) bool {
	for _, u := range units {
		if satisfies(u) == (q == AnyValue) {
			return q == AnyValue
		}
	}
	return q == EveryValue
}

// possible is the answer of a test that looks at a hole: it could hold, so that one value that does is there, and not all
// values do for certain. Where only what is certain counts, it is the other way round.
func (f *Facts) possible(q quantifier) bool { return (q == AnyValue) != f.certain }

// Certainly says whether a condition holds whatever is not known of its arguments.
func (f *Facts) Certainly(c *Condition) bool {
	if f.Unknown {
		return false
	}
	if len(f.holes) == 0 {
		return true
	}
	f.certain = true
	defer func() { f.certain = false }()
	return c.Holds(f, AnyValue, nil)
}
