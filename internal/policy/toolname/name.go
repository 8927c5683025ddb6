// Package toolname says what the names of tools and of MCP servers mean, and compares them as rules do: in each spelling that
// clients use, with wildcards, and without disguises.
package toolname

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// A Name is one spelling of a tool's name.
type Name struct {
	Written string
	Folded  string // for comparison with patterns
	// open says that this is only the beginning of a name: a pattern matches if it matches any name with this beginning.
	open bool
}

// New returns the name for a spelling.
func New(written string) Name {
	return Name{Written: written, Folded: Fold(written)}
}

// Disguised says that the name has more to clean than upper case.
func (n Name) Disguised() bool {
	return Visible(n.Written) != n.Written
}

// Fold returns the form in which names are compared: visible characters, in one case.
func Fold(s string) string {
	if isPlain(s) {
		return strings.ToLower(s)
	}
	// Folding can create letters that compose, and composing can create letters that fold. So this repeats until nothing changes.
	for range 4 {
		// A Caser may have state, so each use has its own.
		next := Visible(cases.Fold().String(Visible(s)))
		if next == s {
			break
		}
		s = next
	}
	return s
}

// Visible returns s in Unicode's NFKC form without characters that are not visible: format and control characters, variation
// selectors and other characters that are ignored by default, and blanks at either end.
func Visible(s string) string {
	if isPlain(s) {
		return s
	}
	s = strings.ToValidUTF8(s, "\ufffd")
	s = strings.Map(dropInvisible, norm.NFKC.String(strings.Map(dropInvisible, s)))
	return strings.TrimSpace(norm.NFKC.String(s))
}

// blankBraille is a symbol that shows nothing, though it is neither a blank nor ignored by default.
const blankBraille = '\u2800'

func dropInvisible(r rune) rune {
	if r == blankBraille {
		return -1
	}
	if unicode.In(r, unicode.Cf, unicode.Cc, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
		return -1
	}
	return r
}

// isPlain says that s is printable ASCII without blanks at its ends: there is nothing to clean.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return s == "" || (s[0] != ' ' && s[len(s)-1] != ' ')
}

// Spellings are the ways in which clients write a tool of an MCP server. They all mean the same tool, so a rule that matches one of
// them matches the tool.
func Spellings(server, tool string) []Name {
	if server == "" {
		return []Name{New(tool)}
	}
	out := []Name{New(tool)}
	for _, prefix := range serverPrefixes(server) {
		out = append(out, New(prefix+tool))
	}
	return out
}

// serverPrefixes are the prefixes that clients write before the names of a server's tools.
func serverPrefixes(server string) []string {
	return []string{"mcp__" + server + "__", server + ".", server + "/", server + "__", server + "_", "mcp_" + server + "_"}
}

// OpenSpellings are the beginnings of the names of all tools of a server. Without the server's name, a tool could have any name,
// and every rule would match every server. So rules about what a server may offer must name the server.
func OpenSpellings(server string) []Name {
	var out []Name
	for _, prefix := range serverPrefixes(server) {
		out = append(out, Name{Written: prefix, Folded: strings.TrimLeftFunc(FoldPiece(prefix), unicode.IsSpace), open: true})
	}
	return out
}
