package toolname

import (
	"slices"
	"strings"
	"unicode"
)

// Letters is a folded name without separators: only its letters and digits.
func Letters(folded string) string {
	return strings.Map(func(r rune) rune {
		if isLetter(r) {
			return r
		}
		return -1
	}, folded)
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

// A Rest is a name, or the rest of a name without the words that clients write before all names.
type Rest struct {
	Letters string
	text    string // the folded text
	words   []word
}

// A word is a run of letters and digits in a Rest.
type word struct{ at, letters int } // its start in the text, and in the letters

// Divides says whether a word begins after so many bytes of letters.
func (r Rest) Divides(letters int) bool {
	return slices.ContainsFunc(r.words, func(w word) bool { return w.letters == letters })
}

// ahead are the words that clients write before the names of tools.
var ahead = []string{"mcp", "functions", "function", "tools", "tool"}

const (
	aheadOfPlugin = "plugin" // the name of a plugin follows, which may have several words
	maxRests      = 16
	maxWords      = 256
	maxGuesses    = 512
)

// Rests are a folded name, and its rests without one or more of the words in ahead.
func Rests(folded string) []Rest {
	whole := newRest(folded)
	out := []Rest{whole}
	plugin := false
	for i := 0; i+1 < len(whole.words) && len(out) < maxRests; i++ {
		said := whole.Letters[whole.words[i].letters:whole.words[i+1].letters]
		if !plugin && !slices.Contains(ahead, said) && said != aheadOfPlugin {
			break
		}
		plugin = plugin || said == aheadOfPlugin
		out = append(out, newRest(folded[whole.words[i+1].at:]))
	}
	return out
}

func newRest(text string) Rest {
	r := Rest{text: text, Letters: Letters(text)}
	inside, letters := false, 0
	for at, c := range text {
		if is := isLetter(c); is && !inside && len(r.words) < maxWords {
			r.words = append(r.words, word{at, letters})
			inside = true
		} else {
			inside = is
		}
		if inside {
			letters += len(string(c))
		}
	}
	return r
}

// divided appends the ways to divide a rest into a server and a tool, at the start of a word.
func (r Rest) divided(out []Identity) []Identity {
	for i := 1; i < len(r.words) && len(out) < maxGuesses; i++ {
		at := r.words[i].at
		id := Identity{strings.TrimRightFunc(r.text[:at], func(c rune) bool { return !isLetter(c) }), r.text[at:]}
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// hasLetters says whether a glob is a plain name with these letters.
func (g *Glob) hasLetters(letters string) bool {
	only, exact := g.Exact()
	return exact && letters != "" && Letters(only) == letters
}

// Joined says whether one of the rests is a server's id and a tool's name with nothing else between them.
func Joined(rests []Rest, server, tool *Glob) bool {
	of, ofOne := server.Exact()
	what, whatOne := tool.Exact()
	id, name := Letters(of), Letters(what)
	return ofOne && whatOne && id != "" && name != "" && slices.ContainsFunc(rests, func(r Rest) bool { return r.Letters == id+name })
}
