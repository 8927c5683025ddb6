// Package glob compares texts with patterns in which a wildcard matches any run of characters.
package glob

import "strings"

// Pieces are the texts of a pattern between its wildcards. If there is one piece, the pattern has no wildcard.
type Pieces []string

// Match says whether the pattern matches all of s. It takes the leftmost match of each piece. That never prevents a match further
// right, so it needs no backtracking.
func (p Pieces) Match(s string) bool {
	last := len(p) - 1
	if last == 0 {
		return s == p[0]
	}
	s, ok := strings.CutPrefix(s, p[0])
	if !ok {
		return false
	}
	if s, ok = strings.CutSuffix(s, p[last]); !ok {
		return false
	}
	for _, piece := range p[1:last] {
		i := strings.Index(s, piece)
		if i < 0 {
			return false
		}
		s = s[i+len(piece):]
	}
	return true
}

// Match says whether a pattern with * as wildcard matches all of s, as the Pieces of the pattern do. It needs no memory.
func Match(pattern, s string) bool {
	first, rest, wild := strings.Cut(pattern, "*")
	if !wild {
		return s == pattern
	}
	s, ok := strings.CutPrefix(s, first)
	for ok && wild {
		var piece string
		if piece, rest, wild = strings.Cut(rest, "*"); !wild {
			return strings.HasSuffix(s, piece)
		}
		_, s, ok = strings.Cut(s, piece)
	}
	return false
}
