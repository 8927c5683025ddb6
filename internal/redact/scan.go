package redact

import (
	"math/bits"
	"strings"
)

// A preset is a kind of secret that weir knows.
type preset struct {
	name string
	// bytes are those that every secret of the kind has one of, the rarer the better: find looks only there. Of a run of digits
	// only the first is a place to look.
	bytes string
	// find returns the secret that has the byte at i, if there is one. It looks at a bounded number of bytes unless it finds
	// one, or at none that it looks at for another i, so that a pass over a text is linear in its length.
	find func(v view, i int) (span, bool)
	// whole says that nothing is found right after a letter: find need not look there, and hashes are full of such digits.
	whole bool
	// sweep takes the place of find for secrets that have no such byte. It reports each secret of the text.
	sweep func(v view, found func(span))
}

// presets are all presets in the order of the documentation.
var presets = []preset{
	{name: "aws_access_key", bytes: "A", find: findAWSAccessKey},
	{name: "aws_secret_key", sweep: sweepAWSSecretKeys},
	{name: "openai_key", bytes: "-", find: findOpenAIKey},
	{name: "anthropic_key", bytes: "-", find: findAnthropicKey},
	{name: "github_token", bytes: "_", find: findGitHubToken},
	{name: "slack_token", bytes: "-.", find: findSlackToken},
	{name: "private_key", bytes: "V", find: findPrivateKey},
	{name: "jwt", bytes: ".", find: findJWT},
	{name: "bearer_token", bytes: "bBzZ", find: findBearerToken},
	{name: "email", bytes: "@", find: findEmail},
	{name: "ssn_us", bytes: decimals, find: findSSN, whole: true},
	{name: "credit_card", bytes: decimals, find: findCard, whole: true},
	{name: "iban", bytes: decimals, find: findIBAN},
	{name: "phone", bytes: decimals + "+(", find: findPhone, whole: true},
}

const decimals = "0123456789"

// A rankedPreset is a preset of a Set, with its place in the order of names.
type rankedPreset struct {
	*preset
	rank int
}

// A span is a place in a text.
type span struct{ start, end int }

// A view is a text to look at.
type view struct {
	text  string
	about string // a name that tells what the text is, such as that of a member; "": unknown
}

// A mask is a set of detectors, by their bits, and of joints.
type mask uint32

// The bits of a mask that stand for no detector: places that may hide the parts of a secret from each other.
const (
	atBreak mask = 1 << (31 - iota) // a line break
	atWide                          // the first byte of a character that may be invisible
)

// watch adds a detector to the bytes that it looks at.
func (s *Set) watch(d rankedPreset) {
	bit := mask(1) << len(s.detectors)
	for i := range len(d.bytes) {
		s.triggers[d.bytes[i]] |= bit
	}
	if d.whole {
		s.whole |= bit
	}
	s.detectors = append(s.detectors, d)
}

// watchForJoints adds the bytes at which a text may have to be joined.
func (s *Set) watchForJoints() {
	s.triggers['\n'] |= atBreak
	for c := range s.triggers {
		if mayBeginInvisible(byte(c)) {
			s.triggers[c] |= atWide
		}
	}
}

// scan returns every match in a text, in no order. If the text has joints, the text without them is scanned too: not instead,
// since a joint may also be what separates a secret from its surroundings.
func (s *Set) scan(v view) []match {
	var found []match
	if !s.pass(v, &found) {
		return found
	}
	joined, cuts := join(v.text)
	var more []match
	s.pass(view{joined, v.about}, &more)
	for _, m := range more {
		found = append(found, match{cuts.before(m.start), cuts.before(m.end-1) + 1, m.rank})
	}
	return found
}

// pass adds the matches of one pass over a text. It reports whether the text has joints.
func (s *Set) pass(v view, found *[]match) (joints bool) {
	var until [32]int // by detector: the end of its last match
	text := v.text
	for i := 0; i < len(text); i++ {
		m := s.triggers[text[i]]
		if m == 0 || isDigit(text[i]) && i > 0 && isDigit(text[i-1]) {
			continue
		}
		if m&s.whole != 0 && i > 0 && isLetter(text[i-1]) && wordBefore(text, i) {
			m &^= s.whole
		}
		joints = joints || m&atBreak != 0 && isWrap(text, i) || m&atWide != 0 && isInvisible(text[i:])
		for rest := m &^ (atBreak | atWide); rest != 0; rest &= rest - 1 {
			d := bits.TrailingZeros32(uint32(rest))
			if i < until[d] {
				continue
			}
			if at, ok := s.detectors[d].find(v, i); ok {
				*found = append(*found, match{at.start, at.end, s.detectors[d].rank})
				until[d] = at.end
			}
		}
	}
	for _, d := range s.detectors {
		if d.sweep != nil {
			d.sweep(v, func(at span) { *found = append(*found, match{at.start, at.end, d.rank}) })
		}
	}
	for i := range s.patterns {
		s.patterns[i].find(text, found)
	}
	return joints
}

// hinted reports whether one of the words, which are in lower case, stands within reach before a place or in the name that
// the text goes by.
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
