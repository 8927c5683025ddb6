package program

import (
	"math"
	"strings"
)

// A span is a range of operands that were read so far, if the state is reached at all.
type span struct {
	reached   bool
	low, high int
}

func (s *span) join(other span) {
	switch {
	case !other.reached:
	case !s.reached:
		*s = other
	default:
		s.low, s.high = min(s.low, other.low), max(s.high, other.high)
	}
}

// many is the end of a range without end.
const many = math.MaxInt32

// next is the range after one more operand, or after any number.
func (s span) next(word string) span {
	if word == Open {
		return span{s.reached, s.low, many}
	}
	return span{s.reached, s.low + 1, min(s.high+1, many)}
}

// A waiting is an option that waits for its value.
type waiting struct {
	given Given
	signs string // of the values that are still to come
	span  span
}

// states are how the line before a word can be read.
type states struct {
	free    span      // options and operands follow
	ended   span      // only operands follow
	waiting []waiting // a value follows
}

type parser struct {
	set   *optionSet
	stops bool
	line  *Line
	now   states
	then  states
	spare []waiting
}

// word reads one more word in every state.
func (p *parser) word(at int, word string) {
	p.then = states{waiting: p.spare[:0]}
	ways := len(p.now.waiting)
	if p.now.free.reached {
		ways++
	}
	if p.now.ended.reached {
		ways++
	}
	for _, w := range p.now.waiting {
		w.given.Value, w.given.Sign = word, w.signs[0]
		w.given.Sure = w.given.Sure && ways == 1
		p.line.given = append(p.line.given, w.given)
		if w.signs = w.signs[1:]; w.signs != "" {
			p.then.waiting = append(p.then.waiting, w)
		} else {
			p.then.free.join(w.span)
		}
	}
	where := p.now.ended
	p.then.ended.join(where.next(word))
	if p.now.free.reached {
		switch {
		case word == "--" && p.set.style&Undivided != 0:
		case word == "--":
			p.rest(at)
		case p.isOption(word):
			p.option(at, word, ways == 1)
			if p.set.style&Slashed != 0 && word[0] == '/' {
				where.join(p.operand(at, word))
			}
		default:
			where.join(p.operand(at, word))
		}
	}
	if where.reached {
		sure := len(p.now.waiting) == 0 && (!p.now.free.reached || !p.isOption(word) && word != "--")
		p.line.operands = append(p.line.operands, Operand{word, at, where.low, where.high, sure})
	}
	p.spare, p.now = p.now.waiting, p.then
}

// operand reads an operand among options.
func (p *parser) operand(at int, word string) span {
	after := p.now.free.next(word)
	if p.stops {
		p.then.ended.join(after)
		p.start(at)
		if word == Open {
			p.then.free.join(p.now.free)
		}
	} else {
		p.then.free.join(after)
	}
	return p.now.free
}

func (p *parser) isOption(word string) bool {
	return len(word) > 1 && (word[0] == '-' || word[0] == '/' && p.set.style&Slashed != 0)
}

// option reads a word of options in the state where they are free. Sure says that this is its only state.
func (p *parser) option(at int, word string, sure bool) {
	name := strings.TrimPrefix(strings.TrimPrefix(word, "-"), "-")
	dashed := p.set.style&Dashed != 0 || word[0] == '/'
	if word[0] == '/' {
		name = word[1:]
	}
	if !dashed && word[1] != '-' {
		whole, _, _ := strings.Cut(name, "=")
		if len(whole) < 2 || p.set.byName[whole] == nil {
			p.cluster(at, name, sure)
			return
		}
		// It may be letters, or a long name with one dash.
		p.cluster(at, name, false)
		sure = false
	}
	value, attached := "", false
	if i := strings.IndexAny(name, p.set.assigns()); i > 0 {
		name, value, attached = name[:i], name[i+1:], true
	}
	if p.set.style&Folds != 0 {
		name = lower(name)
	}
	g := Given{Name: name, Value: value, Sure: sure, At: at, meant: p.set.meaning(name, dashed)}
	exact := len(g.meant) == 1 && g.meant[0].name == name
	g.Sure = sure && exact
	if attached && exact && g.meant[0].signs != "" {
		g.Sign = g.meant[0].signs[0]
	} else if attached {
		g.Sign = ':'
	}
	if exact && g.meant[0].signs == "*" {
		g.Sign = '*'
		p.line.given = append(p.line.given, g)
		p.rest(at)
		return
	}
	p.line.given = append(p.line.given, g)
	if dashed && !exact && len(name) > 1 {
		if o := p.set.byName[name[:1]]; o != nil && o.signs != "" {
			// Its letter may have its value attached.
			p.line.given = append(p.line.given, Given{Name: name[:1], Value: name[1:], Sign: o.signs[0], At: at, meant: p.set.exact[name[:1]]})
		}
	}
	if attached {
		p.then.free.join(p.now.free)
		return
	}
	p.value(g, exact)
}

// rest goes on where the rest of the line are operands.
func (p *parser) rest(at int) {
	p.then.ended.join(p.now.free)
	p.start(at + 1)
}

// start notes where the operands may begin.
func (p *parser) start(at int) {
	if n := len(p.line.starts); p.stops && at < len(p.line.Args) && (n == 0 || p.line.starts[n-1] != at) {
		p.line.starts = append(p.line.starts, at)
	}
}

// assigns are the signs between an option and its value in the same word.
func (set *optionSet) assigns() string {
	if set.style&(Folds|Slashed) != 0 {
		return "=:"
	}
	return "="
}

// meaning returns the options that a long name could mean.
func (set *optionSet) meaning(name string, dashed bool) []longName {
	if o := set.byName[name]; o != nil && (dashed || len(name) > 1) {
		return set.exact[name]
	}
	if name == "" || dashed && set.style&Folds == 0 {
		return nil
	}
	return set.shortened(name)
}

// value goes on after an option without an attached value. An exact one says itself whether it takes the next word.
func (p *parser) value(g Given, exact bool) {
	signs := g.signs(exact)
	if exact && signs != "" {
		p.line.given = p.line.given[:len(p.line.given)-1] // it is noted with its value
	} else {
		p.then.free.join(p.now.free)
	}
	if signs != "" {
		p.then.waiting = append(p.then.waiting, waiting{g, signs, p.now.free})
	}
}

// signs are those of the values that the next words could be.
func (g *Given) signs(exact bool) string {
	switch {
	case exact && !g.meant[0].takesNext(), len(g.meant) == 0 && strings.HasPrefix(g.Name, "no-"):
		return ""
	case exact:
		return g.meant[0].signs
	}
	most := ":"
	for _, m := range g.meant {
		if m.takesNext() && len(m.signs) > len(most) {
			most = m.signs
		}
	}
	return most
}

// cluster reads letters after one dash.
func (p *parser) cluster(at int, letters string, sure bool) {
	if strings.Trim(letters, "0123456789") == "" && p.set.byName[letters[:1]] == nil {
		p.line.given = append(p.line.given, Given{Name: letters, Sure: sure, At: at})
		p.then.free.join(p.now.free)
		return
	}
	var seen [256]bool
	unknown := false
	for i := range len(letters) {
		name, rest := letters[i:i+1], letters[i+1:]
		o := p.set.byName[name]
		if o != nil && o.signs != "" {
			g := Given{Name: name, Value: rest, Sign: o.signs[0], Sure: sure && !unknown, At: at, meant: p.set.exact[name]}
			switch {
			case o.signs == "*":
				p.line.given = append(p.line.given, g)
				p.rest(at)
			case rest == "" && o.takesNext():
				p.then.waiting = append(p.then.waiting, waiting{g, o.signs, p.now.free})
			case len(o.signs) > 1 && o.takesNext():
				p.line.given = append(p.line.given, g)
				p.then.waiting = append(p.then.waiting, waiting{g, o.signs[1:], p.now.free})
			default:
				p.line.given = append(p.line.given, g)
				p.then.free.join(p.now.free)
			}
			if unknown {
				p.unknownLetters(at, letters)
			}
			return
		}
		if seen[name[0]] {
			continue
		}
		seen[name[0]] = true
		g := Given{Name: name, Sure: sure && !unknown, At: at}
		if o != nil {
			g.meant = p.set.exact[name]
		} else {
			g.Value, unknown = rest, true
			g.Sure = g.Sure && rest == ""
		}
		p.line.given = append(p.line.given, g)
	}
	p.then.free.join(p.now.free)
	if unknown {
		p.unknownLetters(at, letters)
	}
}

// unknownLetters goes on after letters of which one is unknown: the rest of the word or the next word may be its value.
func (p *parser) unknownLetters(at int, letters string) {
	p.then.free.join(p.now.free)
	p.then.waiting = append(p.then.waiting, waiting{Given{Name: letters, At: at}, ":", p.now.free})
}
