package policy

import "github.com/go-json-experiment/json/jsontext"

// A quantifier says how many of the selected values must satisfy a test.
type quantifier string

const (
	anyValue   quantifier = "any" // one is enough
	everyValue quantifier = "all" // there is one, and all do
)

// flip is the quantifier of what is negated: "not one of them" and "not all of them" are each other's negation.
func (q quantifier) flip() quantifier {
	if q == anyValue {
		return everyValue
	}
	return anyValue
}

// facts are the arguments of one call, decoded once, and what each path selected, looked up once.
type facts struct {
	policy   *Policy
	raw      jsontext.Value
	args     value
	err      error
	decoded  bool
	selected []*selection
}

// readable decodes the arguments when first asked.
func (f *facts) readable() bool {
	if !f.decoded {
		f.args, f.err = decodeArgs(f.raw)
		f.decoded = true
		f.selected = make([]*selection, len(f.policy.paths))
	}
	return f.err == nil
}

// selection must be asked only when the arguments are readable.
func (f *facts) selection(place int) *selection {
	if f.selected[place] == nil {
		p := &f.policy.paths[place]
		s := selectPath(p.path, &f.args, p.texts)
		f.selected[place] = &s
	}
	return f.selected[place]
}

// holds evaluates the condition. With a trace it evaluates every part and notes it; without, only what the answer needs.
func (c *condition) holds(f *facts, q quantifier, trace *ConditionTrace) bool {
	if c.block == "" {
		held := c.testHolds(f.selection(c.path), q)
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
		held := c.of[i].holds(f, inner, trace.part(len(c.of), i))
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
func (c *condition) testHolds(s *selection, q quantifier) bool {
	if c.op.negated {
		return !c.satisfied(s, q.flip())
	}
	return c.satisfied(s, q)
}

// satisfied applies the operator before negation.
func (c *condition) satisfied(s *selection, q quantifier) bool {
	switch c.op.kind {
	case opExists:
		return len(s.values) > 0
	case opText:
		if q == everyValue && (len(s.values) == 0 || s.mute) {
			return false
		}
		return quantify(s.texts, q, c.test.text)
	default:
		if q == everyValue && len(s.values) == 0 {
			return false
		}
		return quantify(s.values, q, c.test.value)
	}
}

func quantify[T any](units []T, q quantifier, satisfies func(T) bool) bool {
	for _, u := range units {
		if satisfies(u) == (q == anyValue) {
			return q == anyValue
		}
	}
	return q == everyValue
}
