package store

import (
	"strings"

	"github.com/weir-gate/weir/internal/policy/toolname"
)

// folded is a name as policies compare it, so that a call is found by the name in a rule, however the call spelt it. Characters
// that a column cannot hold are left out: a column has U+FFFD for them, and a policy may not see them at all.
func folded(name string) string { return toolname.Fold(legible(name)) }

func legible(name string) string { return strings.ReplaceAll(columnText(name), "\uFFFD", "") }

// foldedPieces are the parts of a pattern between its stars. A pattern with one piece is a name.
func foldedPieces(pattern string) []string {
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

// like is the SQL pattern of the pieces with any run of characters between them.
func like(pieces []string) string {
	escape := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
	escaped := make([]string, len(pieces))
	for i, piece := range pieces {
		escaped[i] = escape.Replace(piece)
	}
	return strings.Join(escaped, "%")
}
