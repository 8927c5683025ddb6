package console

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/approval/card"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/linediff"
)

const (
	partSize      = card.LargeSize // how much of a call is shown at once
	findingLength = 300            // how much of a finding is shown: the arguments are shown whole
	nameLength    = 80             // how much of a name is shown where it is shown whole elsewhere
)

// A piece is what one part shows of an argument.
type piece struct {
	card.Argument
	beside   bool // it is what an MCP server gets beside the arguments
	from, to int  // of the text
}

// parts are the arguments of a request, all of them, cut into what is shown at once. There is at least one.
func parts(r approval.Request) (all [][]piece) {
	args := make([]piece, 0, 8)
	for _, a := range card.Of(r).Args {
		args = append(args, piece{Argument: a})
	}
	if len(r.Card.Beside) > 0 {
		args = append(args, piece{Argument: card.Argument{Text: string(r.Card.Beside)}, beside: true})
	}
	var now []piece
	left := partSize
	for _, a := range args {
		left -= len(a.Name)
		for first := true; first || a.to < len(a.Text); first = false {
			if left <= 0 && len(now) > 0 {
				all, now, left = append(all, now), nil, partSize
			}
			a.from = a.to
			a.to = boundary(a.Text, min(len(a.Text), a.from+max(left, 1)))
			left -= a.to - a.from
			now = append(now, a)
		}
	}
	return append(all, now)
}

// boundary is the first position from at on where a character begins.
func boundary(text string, at int) int {
	for range utf8.UTFMax - 1 {
		if at < len(text) && !utf8.RuneStart(text[at]) {
			at++
		}
	}
	return at
}

// unseen says whether somebody has not been shown all of a request that is too large to be looked at in passing.
func unseen(who *login, r approval.Request) bool {
	return card.Of(r).Large && !who.saw(r.Display, len(parts(r)))
}

// An argument is what the page shows of one. Every text is inert.
type argument struct {
	Label, Name string
	Spans       []span
	Careful     []string
}

// A span is a text, or a character that is not what it looks like.
type span struct {
	Text   string
	Marked bool
}

func argumentOf(p piece) argument {
	a := argument{Label: "Argument", Name: inert.Text(p.Name, len(p.Name)+1)}
	switch {
	case p.beside:
		a.Label = "Beside the arguments"
	case p.Told:
		a.Label = "The model says"
	case p.Name == "":
		a.Label = "Arguments"
	}
	if p.from > 0 {
		a.Label, a.Name = a.Label+", continued", inert.Text(p.Name, nameLength)
	}
	at := p.from
	for _, m := range p.Marks {
		if m.InName && p.from == 0 || !m.InName && p.from <= m.At && m.At < p.to {
			a.Careful = append(a.Careful, careful(m))
		}
		if m.InName || m.At < at || m.At >= p.to {
			continue
		}
		_, size := utf8.DecodeRuneInString(p.Text[m.At:])
		a.Spans = append(a.Spans, span{Text: lines(p.Text[at:m.At])}, span{Text: lines(p.Text[m.At : m.At+size]), Marked: true})
		at = m.At + size
	}
	a.Spans = append(a.Spans, span{Text: lines(p.Text[at:p.to])})
	return a
}

func careful(m card.Mark) string {
	if m.As != 0 {
		return fmt.Sprintf("%U %c looks like %c", m.Rune, m.Rune, m.As)
	}
	return fmt.Sprintf("%U is not visible, or moves the text around it", m.Rune)
}

// lines is a text whose line breaks stay.
func lines(text string) string {
	var b strings.Builder
	_ = inert.WriteLines(&b, text) // a Builder takes everything
	return b.String()
}

func findings(v card.View) (all []string) {
	for _, f := range v.Findings {
		text := f.Verb + " " + inert.Text(f.What, findingLength)
		if f.Maybe {
			text += " (perhaps)"
		}
		all = append(all, text)
	}
	return all
}

// A changed line is one of an edit.
type changed struct{ Class, Text string }

// changes are the lines that edits change. Of a large call only the arguments are shown, which have them, too.
func changes(v card.View) (all []changed) {
	if v.Large {
		return nil
	}
	for _, e := range v.Edits {
		var b strings.Builder
		linediff.Of([]byte(e.Before), []byte(e.After)).WriteHunks(&b)
		for line := range strings.SplitSeq(strings.TrimSuffix(b.String(), "\n"), "\n") {
			c := changed{Text: lines(line)}
			switch {
			case strings.HasPrefix(line, "+"):
				c.Class = "new"
			case strings.HasPrefix(line, "-"):
				c.Class = "old"
			}
			all = append(all, c)
		}
	}
	return all
}
