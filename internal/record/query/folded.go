package query

import (
	"strings"

	"github.com/weir-gate/weir/internal/policy/toolname"
)

// Folded is a name as policies compare it, so that a call is found by the name in a rule, however the call spelt it. Characters
// that a column cannot hold are left out: a column has U+FFFD for them, and a policy may not see them at all.
func Folded(name string) string { return toolname.Fold(legible(name)) }

func legible(name string) string { return strings.ReplaceAll(ColumnText(name), "\uFFFD", "") }

// FoldedPieces are the parts of a pattern between its stars. A pattern with one piece is a name.
func FoldedPieces(pattern string) []string {
	pieces := strings.Split(legible(pattern), "*")
	for i, piece := range pieces {
		pieces[i] = toolname.FoldPiece(piece)
	}
	// A folded name has no blanks at its ends.
	pieces[0] = strings.TrimLeft(pieces[0], " ")
	last := len(pieces) - 1
	pieces[last] = strings.TrimRight(pieces[last], " ")
	return pieces
}

// ColumnText is s as a column of an event holds it, without NUL and invalid UTF-8.
func ColumnText(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}
