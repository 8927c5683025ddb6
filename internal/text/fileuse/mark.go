package fileuse

import (
	"strings"

	"github.com/weir-gate/weir/internal/text/shell"
)

// Marks represent parts of a text that are not literal. They are bytes that are never part of valid UTF-8.
const (
	unknownMark = "\xff" // any text
	unsetMark   = "\xfe" // any text, or none
	homeMark    = "\xfd"
	hereMark    = "\xfc"
	runMark     = "\xfb" // any run of characters of a name
	charMark    = "\xfa" // one such character
	belowMark   = "\xf9" // any path below a folder

	firstMark = 0xf9
)

func isMark(b byte) bool { return b >= firstMark }

var marks = [...]string{
	shell.Unknown: unknownMark, shell.Unset: unsetMark, shell.Home: homeMark, shell.Here: hereMark,
	shell.AnyRun: runMark, shell.AnyChar: charMark, shell.Below: belowMark, shell.Secret: unsetMark,
}

// markedText returns a word as a text with marks.
func markedText(w shell.Word) string {
	if w.Known {
		return w.Text
	}
	var b strings.Builder
	for _, piece := range w.Pieces() {
		if piece.Kind == shell.Literal {
			b.WriteString(piece.Text)
		} else {
			b.WriteString(marks[piece.Kind])
		}
	}
	return b.String()
}

func hasMark(s string) bool {
	for i := range len(s) {
		if isMark(s[i]) {
			return true
		}
	}
	return false
}

var display = strings.NewReplacer(unknownMark, "…", unsetMark, "…", homeMark, "~", hereMark, ".", runMark, "*", charMark, "?",
	belowMark, "**")

// shown formats a marked text for people.
func shown(s string) string { return display.Replace(s) }
