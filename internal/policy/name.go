package policy

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// A name is one spelling of a tool's name.
type name struct {
	written string
	folded  string // what patterns are compared with
	// open says that this is only the beginning of a name: a pattern that matches some name that begins so matches.
	open bool
}

func newName(written string) name {
	return name{written: written, folded: fold(written)}
}

// disguised says that the name had to be cleaned of more than upper case.
func (n name) disguised() bool {
	return visible(n.written) != n.written
}

// fold gives the form in which names are compared: visible, and in one case.
func fold(s string) string {
	if isPlain(s) {
		return strings.ToLower(s)
	}
	// Folding can make letters that compose anew, and composing can make letters that fold: repeat until neither does.
	for range 4 {
		// A Caser may keep state, so each use has its own.
		next := visible(cases.Fold().String(visible(s)))
		if next == s {
			break
		}
		s = next
	}
	return s
}

// visible returns s in Unicode's NFKC form without the characters that a reader does not see: format and control
// characters, variation selectors and other characters that are ignored by default, and blanks at either end.
func visible(s string) string {
	if isPlain(s) {
		return s
	}
	s = strings.ToValidUTF8(s, "\ufffd")
	s = strings.Map(dropInvisible, norm.NFKC.String(strings.Map(dropInvisible, s)))
	return strings.TrimSpace(norm.NFKC.String(s))
}

// blankBraille is a symbol without ink that is neither a blank nor ignored by default.
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

// isPlain says that s is printable ASCII without blanks at its ends: nothing to clean.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return s == "" || (s[0] != ' ' && s[len(s)-1] != ' ')
}

// spellings are the ways in which clients write a tool of an MCP server. They name one thing, so a rule that matches any
// of them matches.
func spellings(server, tool string) []name {
	if server == "" {
		return []name{newName(tool)}
	}
	out := []name{newName(tool)}
	for _, prefix := range serverPrefixes(server) {
		out = append(out, newName(prefix+tool))
	}
	return out
}

// serverPrefixes are what clients write ahead of the names of a server's tools.
func serverPrefixes(server string) []string {
	return []string{"mcp__" + server + "__", server + ".", server + "/", server + "__", server + "_", "mcp_" + server + "_"}
}

// openSpellings are the beginnings of the names of all tools of a server. Without the server's name they could be any
// name at all, and then every rule would match every server: rules about what a server may offer name the server.
func openSpellings(server string) []name {
	var out []name
	for _, prefix := range serverPrefixes(server) {
		out = append(out, name{written: prefix, folded: strings.TrimLeftFunc(foldPiece(prefix), unicode.IsSpace), open: true})
	}
	return out
}
