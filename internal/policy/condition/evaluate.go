package condition

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/text/database"
	"github.com/weir-gate/weir/internal/text/deed"
	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/shell"
)

// A quantifier says how many of the selected values must satisfy a test.
type quantifier string

const (
	AnyValue   quantifier = "any" // one value is enough
	EveryValue quantifier = "all" // there is at least one value, and all satisfy it
)

// flip returns the other quantifier, which a negation needs: "not any" means that all fail, and "not all" that any fails.
func (q quantifier) flip() quantifier {
	if q == AnyValue {
		return EveryValue
	}
	return AnyValue
}

// Facts are the arguments of one call, decoded once, and the values that each path selected, looked up once.
type Facts struct {
	// As is the tool and actor that the call is judged as: its name could mean several tools.
	As Subject
	Circumstances
	paths    Paths
	Unknown  bool     // the arguments are not known
	holes    []string // parts of the arguments that are not known
	recorded bool     // the arguments come from the record, with tokens in place of secrets
	certain  bool     // a condition must hold whatever the holes contain
	raw      jsontext.Value
	args     argument.Value
	rawMore  jsontext.Value // the params beside the arguments; nil: there are none
	more     argument.Value
	err      error
	decoded  bool
	work     *Work // nil: it is not counted
	size     int   // the number of values in the arguments
	selected []*lookup
	from     *shell.Start      // where commands run; nil: not computed yet
	texts    *argument.Reader  // reads the commands of texts; nil: none yet
	odd      []*argument.Value // arguments of a tool that may run any of them
	// laterNames are the names of those by which a tool sets up what runs later.
	laterNames map[*argument.Value]string
	readAs     string                                 // the tool and server for which the values below were read
	commands   map[*argument.Value][]shell.Command    // the commands that values would run, parsed once
	uses       map[*argument.Value][]fileuse.Use      // what those commands do to files, parsed once
	deeds      map[*argument.Value][]deed.Deed        // what else they do, parsed once
	requests   map[*argument.Value][]database.Request // what they ask of databases, found once
	projects   map[*projectTest]typedTest             // tests of places in the project's folder, made once
	kinds      toolKinds                              // what tool for files the tool of the call is
	native     any                                    // the arguments as expressions see them; nil: not computed yet
	// Failed says that an expression could not be evaluated, or took more work than allowed: then the call is refused.
	Failed bool
}

// A lookup holds the values that a path selected.
type lookup struct {
	argument.Selection
	// found says which of the words that tests of the path need are in the texts; nil: not searched yet.
	found []bool
	as    string // the tool and server of the call when the values were selected
	odd   bool   // they are not where commands usually are: nothing is allowed for their sake
}

// A Subject is the tool and actor that a call is judged as, in the form that expressions see.
type Subject struct {
	Tool, Server string
	Actor        call.Actor
	Connection   bool // it is a connection, not a call of a tool
}

// A Call is what is known of the arguments of a call.
type Call struct {
	Args    jsontext.Value
	Beside  jsontext.Value // the params beside the arguments; nil: there are none
	Unknown bool           // the arguments are not known
	Holes   []string       // JSON pointers to parts of the arguments that are not known
	// Recorded says that the arguments come from the record, with tokens in place of secrets.
	Recorded bool
	Work     *Work // nil: it is not counted
	Circumstances
}

// Look returns the facts of a call, for conditions to test.
func (p Paths) Look(g Call) *Facts {
	return &Facts{
		paths: p, raw: g.Args, rawMore: g.Beside, Unknown: g.Unknown, holes: g.Holes, recorded: g.Recorded, work: g.Work,
		Circumstances: g.Circumstances,
	}
}

// Uncounted stops the counting of work, for explanations that come after the decision.
func (f *Facts) Uncounted() { f.work = nil }

// HoleAt says whether a path selects, or could select, a value that is not known.
func (f *Facts) HoleAt(place int) bool { return f.Unknown || !f.Readable() || f.selection(place).Hole }

// Readable says whether the arguments can be decoded. It decodes them on its first call.
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

// selection returns what a path selects. The arguments must be readable.
func (f *Facts) selection(place int) *lookup {
	p := &f.paths[place]
	if s := f.selected[place]; s == nil || (p.byTool || p.ofCommands) && s.as != f.identity() {
		f.work.spend(stepsPerValue * f.size * len(p.paths))
		s, odd := p.selectFrom(&f.args), false
		if p.byTool {
			s.Values = slices.DeleteFunc(s.Values, f.isNoUse)
		}
		if p.ofCommands && len(s.Values) == 0 {
			f.odd = f.oddCommands()
			s.Values = slices.DeleteFunc(slices.Clone(f.odd), (*argument.Value).Unknown)
			s.Hole = s.Hole || len(s.Values) < len(f.odd)
			odd = true
		}
		if f.rawMore != nil && p.takesAll() {
			s.Add(argument.Select(argument.Path{}, &f.more, p.texts))
		}
		f.selected[place] = &lookup{Selection: s, as: f.identity(), odd: odd}
	}
	return f.selected[place]
}

// mayHave says whether a text that the path selected has one of the words that a test needs. One search looks for the words of all
// tests of the path.
func (f *Facts) mayHave(c *Condition) bool {
	a := f.paths[c.path].automaton
	if a == nil {
		return true
	}
	s := f.selection(c.path)
	if s.found == nil {
		s.found = make([]bool, a.Count)
		for _, text := range s.Wholes() { // a word of a command in list form is in the whole command
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

// Holds evaluates the condition. With a trace it evaluates every part and notes it; without, only the parts that the result needs.
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
	// all is settled by the first part that does not hold; any and none by the first that does.
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

// testHolds applies the test under a quantifier. not_X is by definition the negation of X under the other quantifier. Under any it
// holds if some value is without X, or if there is no value; under all, if no value has X.
func (c *Condition) testHolds(f *Facts, q quantifier) bool {
	if c.op.negated {
		return !c.satisfied(f, q.flip())
	}
	return c.satisfied(f, q)
}

// satisfied applies the operator before negation. A value that is not known could satisfy it, but does not certainly.
func (c *Condition) satisfied(f *Facts, q quantifier) bool {
	if c.op.kind == opCircumstance {
		holds, _ := c.under(f.Circumstances)
		return answer{Value: holds}.satisfies(q)
	}
	if c.op.kind == opExpr {
		if len(f.holes) > 0 {
			return f.possible(q)
		}
		return f.exprHolds(c.expr, q)
	}
	s := f.selection(c.path)
	held := c.satisfiedBy(s, f, q)
	switch {
	case !s.Hole, c.op.kind == opExists && held, c.op.ofTool:
		return held
	default:
		return q == AnyValue && held || f.possible(q)
	}
}

// satisfiedBy applies the operator to the known values of a selection.
func (c *Condition) satisfiedBy(s *lookup, f *Facts, q quantifier) bool {
	switch c.op.kind {
	case opExists:
		return len(s.Values) > 0
	case opTyped:
		if q == EveryValue && (len(s.Values) == 0 || s.odd) {
			return false
		}
		return quantify(f.wholes(s.Values), q, func(v *argument.Value) bool {
			a := c.test.typed(f, v)
			if a == nothing {
				// A command that writes nothing does not write elsewhere.
				return c.op.negated && q == EveryValue
			}
			if a == maybe && f.certain && c.op.usual != nil && !f.start().Known() {
				// The result may be uncertain only because the folder is a hole.
				return false
			}
			return a.satisfies(q)
		})
	case opText:
		if q == EveryValue && (len(s.Values) == 0 || s.Mute) || c.words != nil && !f.mayHave(c) {
			return false
		}
		texts := s.Texts
		if q == EveryValue {
			texts = s.Wholes() // each word of a command in list form need not satisfy it
		}
		return quantify(texts, q, func(text string) bool {
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

// wholes returns values without the words of a command in list form that is among them.
func (f *Facts) wholes(values []*argument.Value) []*argument.Value {
	var lists []*argument.Value
	for _, v := range values {
		if v.InListForm(memberOf(&f.args, v)) {
			lists = append(lists, v)
		}
	}
	if len(lists) == 0 {
		return values
	}
	isPart := func(v *argument.Value) bool {
		return slices.ContainsFunc(lists, func(list *argument.Value) bool { return list.Start < v.Start && v.End < list.End })
	}
	return slices.DeleteFunc(slices.Clone(values), isPart)
}

func quantify[T any](units []T, q quantifier, satisfies func(T) bool) bool {
	for _, u := range units {
		if satisfies(u) == (q == AnyValue) {
			return q == AnyValue
		}
	}
	return q == EveryValue
}

// possible is the result of a test that looks at a hole. The hole could satisfy the test, so any holds and all does not. Where only
// certain results count, it is the reverse.
func (f *Facts) possible(q quantifier) bool { return (q == AnyValue) != f.certain }

// Certainly says whether a condition holds whatever the unknown parts of the arguments are.
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
