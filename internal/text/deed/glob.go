package deed

import (
	"strings"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/text/glob"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// maxUnknown is the longest word with unknown parts that is compared with patterns; longer ones name nothing.
const maxUnknown = 1 << 10

// matchAny says whether a word is one that a pattern names. Case does not count. Unknown parts of the word may be anything.
func matchAny(globs []string, w shell.Word) truth.Value {
	if w.Known {
		return matchKnown(globs, w.Text)
	}
	if len(w.Text) > maxUnknown {
		return truth.No
	}
	text := foldHoles(saidText(w))
	for _, g := range globs {
		if couldBe(g, text) {
			return truth.Maybe
		}
	}
	return truth.No
}

// saidText is the text of a word, with the signs that stand for the folder of the user and the folder where the call runs.
func saidText(w shell.Word) string {
	if w.Known {
		return w.Text
	}
	var b strings.Builder
	for _, piece := range w.Pieces() {
		switch piece.Kind {
		case shell.Literal:
			b.WriteString(piece.Text)
		case shell.Home:
			b.WriteByte('~')
		case shell.Here:
			b.WriteByte('.')
		default:
			b.WriteByte(unknown)
		}
	}
	return b.String()
}

func matchKnown(globs []string, text string) truth.Value {
	for _, g := range globs {
		if g == weirWord {
			if namesWeir(text) {
				return truth.Yes
			}
			continue
		}
		if star := strings.IndexByte(g, '*'); star < 0 {
			if strings.EqualFold(g, text) {
				return truth.Yes
			}
			continue
		}
		if glob.Pieces(strings.Split(g, "*")).Match(strings.ToLower(text)) {
			return truth.Yes
		}
	}
	return truth.No
}

// weirWord in a table stands for a word that names weir; one that only begins like it, such as weird, is of somebody else.
const weirWord = "%weir"

// namesWeir reports that a text has weir's name with no letter or digit beside it, as in weir.service, my-weir-1, ^weir or weir*.
func namesWeir(text string) bool {
	text = strings.ToLower(text)
	for from := 0; ; {
		at := strings.Index(text[from:], weirName)
		if at < 0 {
			return false
		}
		at += from
		from = at + len(weirName)
		if (at == 0 || !isNameByte(text[at-1])) && (from == len(text) || !isNameByte(text[from])) {
			return true
		}
	}
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= utf8.RuneSelf
}

// unknown replaces each unknown part of a text that is compared.
const unknown = 0xff

// foldHoles lowers the case of the known parts of a text.
func foldHoles(s string) string {
	out := []byte(s)
	for i, c := range out {
		switch {
		case c >= 'A' && c <= 'Z':
			out[i] = c | 0x20
		case isHole(s, i):
			out[i] = unknown
		}
	}
	return string(out)
}

// isHole reports a byte that is part of no character.
func isHole(s string, i int) bool { return s[i] >= 0xf5 || s[i] == 0xc1 }

// couldBe reports whether a text with unknown parts could match a glob.
func couldBe(g, text string) bool {
	if g == weirWord {
		g = "*" + weirName + "*"
	}
	at := make([]bool, len(g)+1)
	at[0] = true
	stars(g, at)
	for i := range len(text) {
		next := make([]bool, len(g)+1)
		reached := false
		for j, on := range at {
			if text[i] == unknown {
				reached = reached || on
				next[j] = reached
				continue
			}
			if !on || j == len(g) {
				continue
			}
			if g[j] == '*' {
				next[j] = true
			} else if g[j] == text[i] {
				next[j+1] = true
			}
		}
		stars(g, next)
		at = next
	}
	return at[len(g)]
}

// stars adds the positions after wildcards that match nothing.
func stars(g string, at []bool) {
	for i := range len(g) {
		if at[i] && g[i] == '*' {
			at[i+1] = true
		}
	}
}

// shown is a text for people, with an ellipsis for unknown parts.
func shown(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "…")
}
