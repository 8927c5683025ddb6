package shell

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/truth"
)

// An optionPattern is a pattern whose options match however they are written: -rf is also -fr, -r -f, --recursive --force, and may
// follow the operands.
type optionPattern struct {
	letters letters  // required options of one letter
	words   []string // other required options, without dashes
	rest    string   // the glob without its options
	names   optionNames
	whole   bool // the options of the program are words, not letters
}

// maxCluster is how many letters a word of a pattern may have to be parsed as options of one letter each.
const maxCluster = 4

// newOptionPattern returns the words of a pattern with their options separated. It returns nil if the pattern has no options, or
// none for certain.
func newOptionPattern(words []string) *optionPattern {
	if hasWildcard(words[0]) {
		return nil
	}
	entry, _ := program.Lookup(words[0])
	p := &optionPattern{whole: entry.Style&program.Dashed != 0, names: namesFor(entry, words[1:])}
	rest := words[:1:1]
	for _, word := range words[1:] {
		switch {
		case word == "--":
			return nil
		case len(word) < 2 || word[0] != '-' || hasWildcard(word) || strings.Contains(word, "="):
			rest = append(rest, word)
		default:
			p.require(word)
		}
	}
	if len(rest) == len(words) {
		return nil
	}
	p.rest = strings.Join(rest, " ")
	return p
}

// require adds an option of the pattern.
func (p *optionPattern) require(word string) {
	name := strings.TrimLeft(word, "-")
	if strings.HasPrefix(word, "--") || p.whole || !isCluster(name) {
		if set, exact, _ := p.names.long(name); exact {
			p.letters.addAll(set)
		} else {
			p.words = append(p.words, name)
		}
		return
	}
	for i := range len(name) {
		p.letters.addAll(p.names.letter(name[i]))
	}
}

// isCluster reports a word that is parsed as options of one letter each.
func isCluster(name string) bool {
	for i := range len(name) {
		if !isOptionLetter(name[i]) {
			return false
		}
	}
	return len(name) <= maxCluster
}

// A role is what a word of a command means for a pattern.
type role uint8

const (
	operand        role = iota
	unknownOperand      // it could be an option
	askedOption         // the pattern names it
	otherOption
	endOfOptions // --
)

// A shape is a command whose options are separated from the other words.
type shape struct {
	roles []role // of each argument
	have  letters
	words []string // other options, without dashes and values
	vague bool     // an option is known only in part, or its spelling could mean another one
	open  bool     // there may be more options than those found
	mixed bool     // there is an unknown operand
}

// shape separates the arguments of a command as the pattern needs them.
func (p *optionPattern) shape(args []Word) shape {
	s := shape{roles: make([]role, len(args))}
	for i, arg := range args {
		switch text := arg.Text; {
		case text == "--":
			s.roles[i] = endOfOptions
			return s
		case len(text) > 1 && text[0] == '-':
			s.roles[i] = p.take(&s, text)
		case text == anyWords:
			s.open = true
		case text != "" && (text[0] == anyWords[0] || text[0] == oneWord[0] || text[0] == oneChar[0]):
			s.roles[i] = unknownOperand
			s.mixed = true
		}
	}
	return s
}

// take reads one word that holds options.
func (p *optionPattern) take(s *shape, text string) role {
	if hasHole(text) {
		s.vague, s.open = true, true
	}
	name, _, _ := strings.Cut(strings.TrimLeft(text, "-"), "=")
	asked := slices.Contains(p.words, name)
	if asked || strings.HasPrefix(text, "--") || p.whole {
		set, exact, ok := p.names.long(name)
		switch {
		case asked || !ok:
			s.words = append(s.words, name)
		default:
			s.vague = s.vague || !exact
			s.have.addAll(set)
			asked = set.without(p.letters) != set
		}
		return roleOf(asked)
	}
	for i := 1; i < len(text); i++ {
		if !isOptionLetter(text[i]) {
			s.vague = true // a value
			break
		}
		set := p.names.letter(text[i])
		asked = asked || set.without(p.letters) != set
		s.have.addAll(set)
	}
	return roleOf(asked)
}

func roleOf(asked bool) role {
	if asked {
		return askedOption
	}
	return otherOption
}

// match compares a command with the pattern. The caller has already compared the program. A command with more options than the
// pattern names may do something else, so that is no certain match.
func (p *optionPattern) match(c Command, program string) truth.Value {
	args := c.Words[1:]
	s := p.shape(args)
	// compare leaves out the options of the pattern. Unless keepOther is set, it leaves out other options, too; if dropUnknown is set,
	// also the first unknown operand.
	compare := func(keepOther, dropUnknown bool) truth.Value {
		return match(p.rest, joinSome(program, args, func(i int) bool {
			switch s.roles[i] {
			case unknownOperand:
				drop := dropUnknown
				dropUnknown = false
				return !drop
			case otherOption:
				return keepOther
			default:
				return s.roles[i] == operand
			}
		}))
	}
	complete := p.letters.without(s.have).empty() &&
		!slices.ContainsFunc(p.words, func(word string) bool { return !slices.Contains(s.words, word) })
	answer := truth.No
	if s.mixed {
		answer = min(truth.Maybe, max(compare(false, true), compare(true, true)))
	}
	switch {
	case complete && !s.vague && s.have == p.letters && len(s.words) == len(p.words):
		return max(answer, compare(false, false))
	case complete || s.open:
		return max(answer, min(truth.Maybe, max(compare(false, false), compare(true, false))))
	default:
		return answer
	}
}
