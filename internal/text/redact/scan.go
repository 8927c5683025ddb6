package redact

import (
	"math/bits"
	"strings"
)

// A preset is a kind of secret that weir knows.
type preset struct {
	name string
	// bytes are bytes of which every secret of the kind has at least one; rare bytes are best. find is called only at these. In a run
	// of digits it is called only at the first.
	bytes string
	// find returns the secret that has the byte at i, if there is one. If it finds none, it reads a bounded number of bytes, or only
	// bytes that it reads for no other i. So a pass over a text takes linear time.
	find func(v view, i int) (span, bool)
	// whole says that such a secret never comes right after a letter, so find is not called there. Hashes have many such digits.
	whole bool
	// personal says that the kind is personal data, not keys or passwords.
	personal bool
	// forms replace find for secrets that begin with a fixed prefix.
	forms []form
	// sweep is for secrets without such a byte. It reports each secret of the text.
	sweep func(v view, found func(span))
}

// A rankedPreset is a preset of a Set, with its index in the order of names.
type rankedPreset struct {
	*preset
	rank int
}

// A span is a range in a text.
type span struct{ start, end int }

// A view is a text to search.
type view struct {
	text  string
	about string // a name that says what the text is, such as that of its member; "": unknown
}

// A mask is a set of detectors, one bit each, and of other things to look for.
type mask uint64

// These bits of a mask stand for no detector. They are for positions where a text may have to be joined, see join, and for bytes of
// prefixes.
const (
	atBreak   mask = 1 << (63 - iota) // a line break
	atPercent                         // a percent sign
	atWide                            // the first byte of a character that may be invisible, or may stand for another one
	atForm                            // a byte that identifies forms of keys
)

// maxDetectors is how many detectors a mask has room for.
const maxDetectors = 60

// watch registers a detector for its bytes.
func (s *Set) watch(d rankedPreset) {
	bit := mask(1) << len(s.detectors)
	for i := range len(d.bytes) {
		s.triggers[d.bytes[i]] |= bit
	}
	for i := range d.forms {
		s.watchForm(&d.forms[i], len(s.detectors))
	}
	if d.whole {
		s.whole |= bit
	}
	s.detectors = append(s.detectors, d)
}

// watchForJoints registers the bytes at which a text may have to be joined.
func (s *Set) watchForJoints() {
	s.triggers['\n'] |= atBreak
	s.triggers['%'] |= atPercent
	for c := range s.triggers {
		if mayBeginWide(byte(c)) {
			s.triggers[c] |= atWide
		}
	}
}

// scan returns every match in a text, unsorted. If the text has joints, the text without them is scanned as well. It is not scanned
// instead, because a joint may also separate a secret from the text around it.
func (s *Set) scan(v view) []match {
	var found []match
	joints := s.pass(v, &found)
	s.unwrap(v, &found)
	if !joints {
		return found
	}
	joined, cuts := join(v.text)
	var more []match
	inner := view{joined, v.about}
	s.pass(inner, &more)
	s.unwrap(inner, &more)
	for _, m := range more {
		found = append(found, match{cuts.before(m.start), cuts.after(m.end), m.rank})
	}
	return found
}

// pass adds the matches of one pass over a text. It reports whether the text has joints.
func (s *Set) pass(v view, found *[]match) (joints bool) {
	var until [maxDetectors]int // by detector: the end of its last match
	text := v.text
	for i := 0; i < len(text); i++ {
		m := s.triggers[text[i]]
		if m == 0 || isDigit(text[i]) && i > 0 && isDigit(text[i-1]) {
			continue
		}
		if m&s.whole != 0 && i > 0 && isLetter(text[i-1]) && wordBefore(text, i) {
			m &^= s.whole
		}
		joints = joints || m&(atBreak|atPercent|atWide) != 0 && isJoint(text, i)
		if m&atForm != 0 && i > 0 {
			for _, f := range s.forms[text[i]][text[i-1]] {
				if i < until[f.detector] {
					continue
				}
				if at, ok := f.find(text, i); ok {
					*found = append(*found, match{at.start, at.end, s.detectors[f.detector].rank})
					until[f.detector] = at.end
				}
			}
		}
		for rest := m &^ (atBreak | atPercent | atWide | atForm); rest != 0; rest &= rest - 1 {
			d := bits.TrailingZeros64(uint64(rest))
			if i < until[d] {
				continue
			}
			if at, ok := s.detectors[d].find(v, i); ok {
				*found = append(*found, match{at.start, at.end, s.detectors[d].rank})
				until[d] = at.end
			}
		}
	}
	s.sweep(v, found)
	return joints
}

// sweep adds the matches of the patterns, and of the detectors that look at a text as a whole.
func (s *Set) sweep(v view, found *[]match) {
	for _, d := range s.detectors {
		if d.sweep != nil {
			d.sweep(v, func(at span) { *found = append(*found, match{at.start, at.end, d.rank}) })
		}
	}
	for i := range s.patterns {
		s.patterns[i].find(v.text, found)
	}
}

// hinted reports whether one of the words, in lower case, is in the name of the text, or in the text within reach before a
// position.
func (v view) hinted(at, reach int, words ...string) bool {
	near := strings.ToLower(v.text[max(0, at-reach):at])
	if at < reach {
		near = strings.ToLower(v.about) + " " + near
	}
	for _, w := range words {
		if strings.Contains(near, w) {
			return true
		}
	}
	return false
}
