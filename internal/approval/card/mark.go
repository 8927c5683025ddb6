package card

import (
	"unicode"

	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/lookalike"
)

// A Mark is a character that a reader does not see as what it is.
type Mark struct {
	InName bool // it is in the argument's name
	At     int  // the position of its first byte
	Rune   rune
	As     rune // what it looks like; 0: it is not seen, or turns the letters around it
}

// maxMarks bounds the marks of one text. Its escapes show the rest of the invisible ones.
const maxMarks = 100

// marks finds them. A letter of another script counts if a reader could take its whole word for an ASCII one: words of other scripts are
// no deceit.
func marks(text string, inName bool) (out []Mark) {
	var word []Mark
	deceives := true // all letters of the word are ASCII or look so
	end := func() {
		if deceives {
			out = append(out, word...)
		}
		word, deceives = nil, true
	}
	for at, r := range text {
		if len(out) >= maxMarks {
			break
		}
		switch as, alike := lookalike.InName(r); {
		case r == '\n' || r == '\t':
			end()
		case !inert.Visible(r):
			out = append(out, Mark{InName: inName, At: at, Rune: r})
		case r <= unicode.MaxASCII:
			if !unicode.IsLetter(r) {
				end()
			}
		case alike:
			word = append(word, Mark{InName: inName, At: at, Rune: r, As: as})
		case unicode.IsLetter(r):
			deceives = false
		default:
			end()
		}
	}
	end()
	return out[:min(len(out), maxMarks)]
}
