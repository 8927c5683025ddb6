package policy

import (
	"strings"
	"unicode"
)

// A glob is a pattern in which * and % stand for any run of characters, the empty one included. Every other character
// stands for itself.
type glob struct {
	text   string   // as written
	pieces []string // the text between the wildcards, folded; one piece: no wildcard
	raw    []string // the same, as written
}

func newGlob(text string) glob {
	raw := strings.Split(strings.ReplaceAll(text, "%", "*"), "*")
	g := glob{text: text, raw: raw, pieces: make([]string, len(raw))}
	for i, piece := range raw {
		g.pieces[i] = foldPiece(piece)
	}
	// Names have no blanks at their ends once folded, so neither may the pattern.
	last := len(raw) - 1
	g.pieces[0] = strings.TrimLeftFunc(g.pieces[0], unicode.IsSpace)
	g.pieces[last] = strings.TrimRightFunc(g.pieces[last], unicode.IsSpace)
	return g
}

// foldPiece folds a part of a pattern, keeping the blanks at its ends: they may be inside a name.
func foldPiece(s string) string {
	const guard = "0" // composes with nothing
	folded := fold(guard + s + guard)
	return strings.TrimSuffix(strings.TrimPrefix(folded, guard), guard)
}

// exact returns the only name the glob matches, if it has no wildcard.
func (g *glob) exact() (string, bool) {
	return g.pieces[0], len(g.pieces) == 1
}

// matches compares with a folded text.
func (g *glob) matches(folded string) bool { return matchPieces(g.pieces, folded) }

// names says whether the glob matches a name, or one that begins so if the name is open.
func (g *glob) names(n name) bool {
	if n.open {
		return matchBeginning(g.pieces, n.folded)
	}
	return matchPieces(g.pieces, n.folded)
}

// namesAsWritten compares without folding either side.
func (g *glob) namesAsWritten(n name) bool {
	if n.open {
		return matchBeginning(g.raw, n.written)
	}
	return matchPieces(g.raw, n.written)
}

// matchBeginning says whether some text that begins with s matches. What comes after the first wildcard can always be
// made to.
func matchBeginning(pieces []string, s string) bool {
	return strings.HasPrefix(pieces[0], s) || len(pieces) > 1 && strings.HasPrefix(s, pieces[0])
}

// matchPieces takes the leftmost place for each piece, which never spoils a match further right, so it needs no second try.
func matchPieces(pieces []string, s string) bool {
	last := len(pieces) - 1
	if last == 0 {
		return s == pieces[0]
	}
	s, ok := strings.CutPrefix(s, pieces[0])
	if !ok {
		return false
	}
	s, ok = strings.CutSuffix(s, pieces[last])
	if !ok {
		return false
	}
	for _, piece := range pieces[1:last] {
		i := strings.Index(s, piece)
		if i < 0 {
			return false
		}
		s = s[i+len(piece):]
	}
	return true
}
