package policy

import (
	"slices"
)

// possible is the answer of a test that looks at a hole: it could hold, so that one value that does is there, and not all
// values do for certain. Where only what is certain counts, it is the other way round.
func (f *facts) possible(q quantifier) bool { return (q == anyValue) != f.certain }

// certainly says whether the conditions of a rule that refuses a call hold whatever is not known of its arguments.
func (f *facts) certainly(r *rule) bool {
	if f.unknown {
		return false
	}
	if len(f.holes) == 0 {
		return true
	}
	f.certain = true
	defer func() { f.certain = false }()
	return r.conditions.holds(f, anyValue, nil)
}

// SanitizesUnknown says whether secrets would have to be replaced in what is not known of a call's arguments.
func (p *Policy) SanitizesUnknown(o *Obligations, q Query) bool {
	f := p.facts(&q)
	return slices.ContainsFunc(o.sanitizers, func(s *sanitizer) bool {
		if s.paths == nil || f.unknown || !f.readable() {
			return true
		}
		return slices.ContainsFunc(s.paths, func(place int) bool { return f.selection(place).Hole })
	})
}
