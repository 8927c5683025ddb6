package redact

import (
	"cmp"
	"slices"
	"strings"
)

// maxRounds bounds how often the rest of a text is searched again, see look.
const maxRounds = 4

// A match is a range that one detector or pattern found.
type match struct {
	start, end int
	rank       int // index into Set.names
}

// Find returns the secrets in the text, in order and without overlap. Overlapping findings become one that covers them all, so that
// no part of a secret remains because something else was found in it. It has the name that comes first in the Config. Tokens of
// earlier replacements are never found.
func (s *Set) Find(text string) []Finding {
	return s.find(text, "")
}

// Replace returns the text with a token instead of each finding, and the findings with their positions in the original text.
// Nothing is found in the returned text.
func (s *Set) Replace(text string) (string, []Finding) {
	found := s.Find(text)
	return replace(text, found), found
}

// replace replaces findings with tokens.
func replace(text string, found []Finding) string {
	if len(found) == 0 {
		return text
	}
	var out strings.Builder
	kept := 0
	for _, f := range found {
		out.WriteString(text[kept:f.Start])
		out.WriteString(token(f.Name))
		kept = f.End
	}
	out.WriteString(text[kept:])
	return out.String()
}

// maxAbout bounds how much of the end of a name is used, because it is read again and again.
const maxAbout = 128

// find is Find for a text with a name that says what it is, such as the name of its member.
func (s *Set) find(text, about string) []Finding {
	about = about[max(0, len(about)-maxAbout):]
	var all []match
	start := 0
	for start <= len(text) {
		end, next := s.nextToken(text, start)
		for _, m := range s.look(view{text[start:end], about}) {
			all = append(all, match{m.start + start, m.end + start, m.rank})
		}
		start = next
	}
	if len(all) == 0 {
		return nil
	}
	found := make([]Finding, len(all))
	for i, m := range all {
		found[i] = Finding{s.names[m.rank], m.start, m.end}
	}
	return found
}

// nextToken returns the start and end of the next token from a position on. Without a token, start is the end of the text.
func (s *Set) nextToken(text string, from int) (start, end int) {
	for at := from; ; {
		i := strings.Index(text[at:], tokenStart)
		if i < 0 {
			return len(text), len(text) + 1
		}
		at += i
		for _, t := range s.tokens {
			if strings.HasPrefix(text[at:], t) {
				return at, at + len(t)
			}
		}
		at += len(tokenStart)
	}
}

// look finds the secrets in a text without tokens. A replacement ends the words on both sides of it, so more may be found there
// than before, for example a number that had letters attached. So the text between findings is searched again until nothing is
// found. Each round takes another pass. A text that takes too many rounds is one finding as a whole.
func (s *Set) look(v view) []match {
	found := merge(s.scan(v))
	for round, fresh := 0, len(found) > 0; fresh; round++ {
		if round == maxRounds {
			return []match{{0, len(v.text), found[0].rank}}
		}
		var more []match
		left := 0
		for i := 0; i <= len(found); i++ {
			right := len(v.text)
			if i < len(found) {
				right = found[i].start
			}
			for _, m := range s.scan(view{v.text[left:right], v.about}) {
				more = append(more, match{m.start + left, m.end + left, m.rank})
			}
			if i < len(found) {
				left = found[i].end
			}
		}
		fresh = len(more) > 0
		found = merge(append(found, more...))
	}
	return found
}

// merge sorts matches and merges those that overlap.
func merge(matches []match) []match {
	slices.SortFunc(matches, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end), cmp.Compare(a.rank, b.rank))
	})
	merged := matches[:0]
	for _, m := range matches {
		if n := len(merged); n > 0 && m.start < merged[n-1].end {
			last := &merged[n-1]
			last.end, last.rank = max(last.end, m.end), min(last.rank, m.rank)
			continue
		}
		merged = append(merged, m)
	}
	return merged
}
