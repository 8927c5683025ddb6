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
	var out []name
	for _, s := range []string{
		tool,
		"mcp__" + server + "__" + tool, server + "." + tool, server + "/" + tool,
		server + "__" + tool, server + "_" + tool, "mcp_" + server + "_" + tool,
	} {
		out = append(out, newName(s))
	}
	return out
}
