package shell

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A Doubt says why a command is not known, or not all of it; "": it is known.
type Doubt string

// These are the doubts.
const (
	Unclosed   Doubt = "unclosed"   // a quote is not closed
	Incomplete Doubt = "incomplete" // the text ends inside a command
	Unparsed   Doubt = "unparsed"   // no grammar accepts the text
	TooLong    Doubt = "too long"   // the text, or what it comes to, passes a bound
	TooDeep    Doubt = "too deep"   // it is nested deeper than a bound
	Computed   Doubt = "computed"   // a part is only known when the text runs
	Opaque     Doubt = "opaque"     // code of some language computes it, or loads it
)

// Doubts are all doubts.
var Doubts = []Doubt{Unclosed, Incomplete, Unparsed, TooLong, TooDeep, Computed, Opaque}

// Nothing reports that nothing is known of a command.
func (c *Command) Nothing() bool { return len(c.Words) == 1 && allHole(c.Words[0].Text) }

// InDoubt is why the command is not known, or not all of it.
func (c *Command) InDoubt() Doubt {
	if c.doubt != "" {
		return c.doubt
	}
	for _, words := range [][]Word{{c.Path}, c.Words} {
		for _, w := range words {
			if !w.Known {
				return Computed
			}
		}
	}
	return ""
}

// doubtOf says why a grammar does not accept a text.
func doubtOf(err error) Doubt {
	var problem syntax.ParseError
	switch {
	case errors.Is(err, errTooDeep):
		return TooDeep
	case !errors.As(err, &problem):
		return Unparsed
	case strings.Contains(problem.Text, "closing quote"):
		return Unclosed
	case problem.Incomplete, strings.Contains(problem.Text, "unclosed here-document"):
		return Incomplete
	default:
		return Unparsed
	}
}

// noteUnknown notes a command of which nothing is known, because of what the text computes.
func (r *reader) noteUnknown() {
	why := Computed
	if r.inCode > 0 {
		why = Opaque
	}
	r.noteUnknownAs(why)
}

func (r *reader) noteUnknownAs(why Doubt) {
	c := unknown()
	c.doubt = why
	r.noteOnce(anyWords, c)
}

// noteUnread notes that a text, or the rest of it, could not be parsed.
func (r *reader) noteUnread(why Doubt) {
	c := unknown()
	c.Unread, c.doubt = true, why
	r.noteOnce(oneWord, c)
}

func (r *reader) noteOnce(key string, c Command) {
	if _, ok := r.seen[key]; !ok {
		r.seen[key] = len(r.found)
		r.found = append(r.found, c)
	}
}

// giveUp notes that the rest of the text is not read, and stops.
func (r *reader) giveUp(why Doubt) {
	r.noteUnread(why)
	r.spent = true
}
