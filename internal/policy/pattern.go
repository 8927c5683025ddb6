package policy

// Folded is the form in which names are compared: without what a reader does not see, in one case and in Unicode's compatible form.
func Folded(name string) string { return fold(name) }

// FoldedPiece is that form of a part of a name. Blanks at its ends are kept.
func FoldedPiece(piece string) string { return foldPiece(piece) }

// A Pattern matches names as the rules of a policy do: * and % stand for any run of characters, and case, invisible
// characters and Unicode's compatible forms make no difference.
type Pattern struct{ glob glob }

// NewPattern returns the pattern that is written so.
func NewPattern(text string) Pattern { return Pattern{newGlob(text)} }

// Matches compares with one name.
func (p Pattern) Matches(name string) bool { return p.glob.matches(fold(name)) }

// MatchesTool compares with a tool of a server, in each spelling of it that clients use. Without a server it is a
// plain name.
func (p Pattern) MatchesTool(server, tool string) bool {
	for _, n := range spellings(server, tool) {
		if p.glob.names(n) {
			return true
		}
	}
	return false
}
