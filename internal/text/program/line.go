package program

import (
	"strings"

	"github.com/weir-gate/weir/internal/text/truth"
)

// Open is a word that may be any number of words, among them options. Other bytes that are never part of valid UTF-8 are unknown parts
// of a word; a word that begins with one is taken as an operand.
const Open = "\xff"

// A Line is the arguments of a program in every plausible reading. Where the knowledge has gaps, a word can have several roles: after an
// unknown option it may be the value of that option or an operand, and letters after an unknown letter may be options or its value.
// Who asks must take all of them: in doubt more is found, never less.
type Line struct {
	Entry *Entry
	Args  []string

	given    []Given
	operands []Operand
	starts   []int // where the first operand may be
	tail     int   // where words begin that only can be operands; 0: the list has all
	tailSpan span  // before them
	subs     []*Line
}

// A Given is an option that a line may have, with its value.
type Given struct {
	Name  string // as written, without dashes
	Value string
	Sign  byte // of the value, 0 if there is none
	Sure  bool // in every reading
	At    int  // the index of the option in the arguments

	meant []longName // the options that it could be; none: unknown
}

// An Operand is a word that may be an operand.
type Operand struct {
	Text string
	At   int // its index in the arguments
	// First and Last are the range of its possible positions among the operands.
	First, Last int
	// Sure reports that it is an operand in every reading.
	Sure bool
}

// Read returns the arguments of the program in every plausible reading.
func (e *Entry) Read(args []string) *Line { return e.readFrom(args, []int{0}, e.stops()) }

// Anywhere is Read, but options may also follow operands, where those of subcommands are.
func (e *Entry) Anywhere(args []string) *Line { return e.readFrom(args, []int{0}, false) }

// stops reports whether the options end at the first operand.
func (e *Entry) stops() bool {
	return e.Style&(Stops|Verbs) != 0 || len(e.Subs) > 0 || e.Runs != nil || e.Files != nil && e.Files.Script
}

// readFrom reads arguments that begin at one of several positions.
func (e *Entry) readFrom(args []string, from []int, stops bool) *Line {
	if e.Style&Undashed != 0 && len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		args = e.options().undashed(args)
	}
	p := parser{set: e.options(), stops: stops, line: &Line{Entry: e, Args: args}}
	for i, word := range args {
		if len(from) > 0 && from[0] == i {
			p.now.free.join(span{reached: true})
			from = from[1:]
		}
		if p.now.ended.reached && !p.now.free.reached && len(p.now.waiting) == 0 && len(from) == 0 && i > 0 {
			p.line.tail, p.line.tailSpan = i, p.now.ended
			break
		}
		p.word(i, word)
	}
	for _, w := range p.now.waiting {
		p.line.given = append(p.line.given, w.given) // its value is missing
	}
	return p.line
}

// Has says whether the line has one of the options.
func (l *Line) Has(names ...string) truth.Value {
	best := truth.No
	for i := range l.given {
		g := &l.given[i]
		switch {
		case !g.Is(names...):
		case g.Sure:
			return truth.Yes
		default:
			best = truth.Maybe
		}
	}
	return best
}

// Is reports whether the option could be one of those.
func (g *Given) Is(names ...string) bool {
	for _, m := range g.meant {
		if m.named(names) {
			return true
		}
	}
	for _, name := range names {
		if name == g.Name {
			return true
		}
	}
	return false
}

// Values returns every value that the options could have.
func (l *Line) Values(names ...string) []string {
	var out []string
	for i := range l.given {
		if g := &l.given[i]; g.Sign != 0 && g.Is(names...) || len(g.meant) == 0 && g.Value != "" && g.Is(names...) {
			out = append(out, g.Value)
		}
	}
	return out
}

// Signed returns the options that could have a value of that kind.
func (l *Line) Signed(sign byte) []Given {
	var out []Given
	for _, g := range l.given {
		if g.Sign == sign || g.Sign != 0 && g.couldTake(sign) {
			out = append(out, g)
		}
	}
	return out
}

// couldTake reports whether one of several possible options takes such a value.
func (g *Given) couldTake(sign byte) bool {
	for _, m := range g.meant {
		if m.name != g.Name && strings.IndexByte(m.signs, sign) >= 0 {
			return true
		}
	}
	return false
}

// Given returns every option that the line could have.
func (l *Line) Given() []Given { return l.given }

// Operands returns every word that could be an operand.
func (l *Line) Operands() []Operand {
	if l.tail > 0 {
		for at := l.tail; at < len(l.Args); at++ {
			l.operands = append(l.operands, Operand{l.Args[at], at, l.tailSpan.low, l.tailSpan.high, true})
			l.tailSpan = l.tailSpan.next(l.Args[at])
		}
		l.tail = 0
	}
	return l.operands
}

// Sure reports whether the line has an operand in every reading.
func (l *Line) Sure() bool {
	if l.tail > 0 {
		return true
	}
	for i := range l.operands {
		if l.operands[i].Sure {
			return true
		}
	}
	return false
}

// Operand returns every word that could be the operand at a position.
func (l *Line) Operand(position int) []string {
	var out []string
	for _, o := range l.Operands() {
		if o.First <= position && position <= o.Last {
			out = append(out, o.Text)
		}
	}
	return out
}

// Final returns every word that could be the last operand.
func (l *Line) Final() []Operand {
	operands := l.Operands()
	for i := len(operands) - 1; i > 0; i-- {
		if operands[i].Sure {
			return operands[i:]
		}
	}
	return operands
}

// Starts returns every position in the arguments where the operands could begin, if the options end there.
func (l *Line) Starts() []int { return l.starts }

// Subcommands returns the lines of every subcommand that the line could have.
func (l *Line) Subcommands() []*Line {
	if l.subs != nil || len(l.Entry.Subs) == 0 {
		return l.subs
	}
	var subs []*Entry
	starts := map[*Entry][]int{}
	for _, at := range l.starts {
		for _, sub := range l.Entry.subsNamed(l.Args[at]) {
			if starts[sub] == nil {
				subs = append(subs, sub)
			}
			starts[sub] = append(starts[sub], at+1)
		}
	}
	out := make([]*Line, len(subs))
	for i, sub := range subs {
		out[i] = sub.readFrom(l.Args, starts[sub], sub.stops())
	}
	l.subs = out
	return out
}
