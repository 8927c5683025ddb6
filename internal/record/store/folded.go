package store

import (
	"strings"

	"github.com/weir-gate/weir/internal/policy/toolname"
)

// folded is a name as policies compare it, so that a call that a rule is about is found by the rule's name, however it was spelt.
// What a column could not hold is not part of it: in a column it stands as U+FFFD, and a policy may not see it at all.
func folded(name string) string { return toolname.Fold(legible(name)) }

func legible(name string) string { return strings.ReplaceAll(columnText(name), "\uFFFD", "") }

// foldedPieces are the parts of a pattern between the places where any run of characters may stand; one: it is a name.
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

// like is the pattern of SQL in which any run of characters may stand between the pieces.
func like(pieces []string) string {
	escape := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
	escaped := make([]string, len(pieces))
	for i, piece := range pieces {
		escaped[i] = escape.Replace(piece)
	}
	return strings.Join(escaped, "%")
}
