package toolname

import (
	"slices"
	"strings"
	"unicode"

	"github.com/weir-gate/weir/internal/text/glob"
)

// A Glob is a name with wildcards: * and % match any run of characters, also the empty one. Every other character matches itself.
// Case, invisible characters and Unicode's compatible forms make no difference.
type Glob struct {
	Text   string      // as written
	pieces glob.Pieces // the text between the wildcards, folded; one piece: no wildcard
	raw    glob.Pieces // the same, as written
}

// NewGlob parses a glob.
func NewGlob(text string) Glob {
	raw := strings.Split(strings.ReplaceAll(text, "%", "*"), "*")
	g := Glob{Text: text, raw: raw, pieces: make(glob.Pieces, len(raw))}
	for i, piece := range raw {
		g.pieces[i] = FoldPiece(piece)
	}
	// Folded names have no blanks at their ends, so the pattern must not have them either.
	last := len(raw) - 1
	g.pieces[0] = strings.TrimLeftFunc(g.pieces[0], unicode.IsSpace)
	g.pieces[last] = strings.TrimRightFunc(g.pieces[last], unicode.IsSpace)
	return g
}

// FoldPiece folds a part of a pattern. Blanks at its ends stay: they may be inside a name.
func FoldPiece(s string) string {
	const guard = "0" // composes with nothing
	folded := Fold(guard + s + guard)
	return strings.TrimSuffix(strings.TrimPrefix(folded, guard), guard)
}

// Exact returns the only name the glob matches, if it has no wildcard.
func (g *Glob) Exact() (string, bool) {
	return g.pieces[0], len(g.pieces) == 1
}

// Matches compares with one name.
func (g *Glob) Matches(name string) bool { return g.MatchesFolded(Fold(name)) }

// MatchesTool compares the glob with a tool of a server, in each spelling that clients use. Without a server it is a plain name.
func (g *Glob) MatchesTool(server, tool string) bool { return g.NamesAny(Spellings(server, tool)) }

// MatchesFolded compares with a folded text.
func (g *Glob) MatchesFolded(folded string) bool { return g.pieces.Match(folded) }

// Names says whether the glob matches a name. If the name is open, it says whether the glob matches any name with that beginning.
func (g *Glob) Names(n Name) bool {
	if n.open {
		return matchBeginning(g.pieces, n.Folded)
	}
	return g.pieces.Match(n.Folded)
}

// NamesAsWritten compares without folding either side.
func (g *Glob) NamesAsWritten(n Name) bool {
	if n.open {
		return matchBeginning(g.raw, n.Written)
	}
	return g.raw.Match(n.Written)
}

// matchBeginning says whether any text that begins with s matches. The part after the first wildcard can always match.
func matchBeginning(pieces []string, s string) bool {
	return strings.HasPrefix(pieces[0], s) || len(pieces) > 1 && strings.HasPrefix(s, pieces[0])
}

// Anything says that a glob matches every name.
func (g *Glob) Anything() bool {
	return len(g.pieces) > 1 && !slices.ContainsFunc(g.pieces, func(piece string) bool { return piece != "" })
}

// NamesAny says whether the glob matches one of the names.
func (g *Glob) NamesAny(names []Name) bool {
	for _, n := range names {
		if g.Names(n) {
			return true
		}
	}
	return false
}

// TakesAllOf says whether a glob matches every tool of a server, in one of the spellings that clients use.
func (g *Glob) TakesAllOf(server string) bool {
	if g.Anything() {
		return true
	}
	if len(g.pieces) != 2 || g.pieces[1] != "" {
		return false
	}
	return slices.ContainsFunc(OpenSpellings(server), func(n Name) bool { return strings.HasPrefix(n.Folded, g.pieces[0]) })
}

// OfServers says that the glob matches only names that surely belong to tools of MCP servers.
func (g *Glob) OfServers() bool { return strings.HasPrefix(g.pieces[0], mcpPrefix) }
