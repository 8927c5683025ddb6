package scan

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/lookalike"
)

// A folding is a text in the form in which its words are compared: lower case, without marks and invisible characters, look-alikes
// as the Latin letters that they look like, escape sequences of terminals left out.
type folding struct {
	text string
	at   []int32 // the origin of each byte of text; nil: the same index
}

// origin returns the index that the byte at i comes from.
func (f folding) origin(i int) int {
	if f.at == nil {
		return i
	}
	return int(f.at[i])
}

// fold folds a text.
func fold(text string) folding {
	if isPlain(text) {
		return folding{text: strings.ToLower(text)}
	}
	w := folder{text: make([]byte, 0, len(text)), at: make([]int32, 0, len(text)+1)}
	for i := 0; i < len(text); {
		if n := escapeLength(text[i:]); n > 0 {
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		w.rune(r, i)
		i += size
	}
	w.at = append(w.at, int32(len(text)))
	return folding{text: string(w.text), at: w.at}
}

// isPlain says that a text is printable ASCII, with the usual white space.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < ' ' && c != '\n' && c != '\t' && c != '\r') || c > '~' {
			return false
		}
	}
	return true
}

// A folder builds a folding.
type folder struct {
	text []byte
	at   []int32
}

// rune adds the folded form of r, which is at i.
func (w *folder) rune(r rune, i int) {
	if r < utf8.RuneSelf {
		if r >= ' ' && r != 0x7f || r == '\n' || r == '\t' || r == '\r' {
			w.put(unicode.ToLower(r), i)
		}
		return
	}
	if l, ok := lookalike.InText(r); ok {
		w.put(l, i)
		return
	}
	var encoded [utf8.UTFMax]byte
	n := utf8.EncodeRune(encoded[:], r)
	parts := norm.NFKD.Properties(encoded[:n]).Decomposition()
	if parts == nil {
		w.part(r, i)
		return
	}
	for len(parts) > 0 {
		p, size := utf8.DecodeRune(parts)
		w.part(p, i)
		parts = parts[size:]
	}
}

// part adds one character of a decomposed character.
func (w *folder) part(r rune, i int) {
	if l, ok := lookalike.InText(r); ok {
		r = l
	}
	switch {
	case unicode.IsSpace(r) || unicode.Is(unicode.Zs, r):
		w.put(' ', i)
	case unicode.Is(unicode.Mn, r) || (r >= utf8.RuneSelf && !inert.Visible(r)):
	default:
		w.put(unicode.ToLower(r), i)
	}
}

func (w *folder) put(r rune, i int) {
	before := len(w.text)
	w.text = utf8.AppendRune(w.text, r)
	for range len(w.text) - before {
		w.at = append(w.at, int32(i))
	}
}

// disguised says that a piece of a text is written in other characters than it folds to.
func disguised(piece string) bool {
	for i, r := range piece {
		if escapeLength(piece[i:]) > 0 {
			return true
		}
		if r < utf8.RuneSelf {
			continue
		}
		if l, ok := lookalike.InText(r); ok && l < utf8.RuneSelf && unicode.IsLetter(l) {
			return true
		}
		if isStyled(r) || (!inert.Visible(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.Zs, r)) {
			return true
		}
	}
	return false
}

// isStyled says that r is a Latin letter in disguise: wide, mathematical, circled.
func isStyled(r rune) bool {
	return (0xFF21 <= r && r <= 0xFF5A) || (0x1D400 <= r && r <= 0x1D7FF) || (0x24B6 <= r && r <= 0x24E9) || (0x1F130 <= r && r <= 0x1F189)
}
