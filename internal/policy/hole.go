package policy

import (
	"slices"
	"strconv"
	"strings"
)

// punch marks the parts of arguments that are not known. A pointer that leads nowhere marks all of them.
func (v *value) punch(pointers []string) {
	for _, pointer := range pointers {
		at := v
		for _, name := range strings.Split(pointer, "/")[1:] {
			next := at.at(pointerName.Replace(name))
			if next == nil {
				at = v
				break
			}
			at.holey = true
			at = next
		}
		at.hole, at.holey = true, true
	}
}

// pointerName undoes the escapes of a JSON pointer.
var pointerName = strings.NewReplacer("~1", "/", "~0", "~")

// at is the part of a value with a name or index; nil: there is none.
func (v *value) at(name string) *value {
	switch v.kind {
	case '[':
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(v.items) {
			return &v.items[i]
		}
	case '{':
		for i := range v.members {
			if v.members[i].name == name {
				return &v.members[i].value
			}
		}
	}
	return nil
}

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
		return slices.ContainsFunc(s.paths, func(place int) bool { return f.selection(place).hole })
	})
}
