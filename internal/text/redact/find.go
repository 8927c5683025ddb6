package redact

import (
	"cmp"
	"slices"
	"strings"
)

// maxRounds bounds how often what is left of a text is looked at again, see look.
const maxRounds = 4

// A match is a place that one detector or pattern found.
type match struct {
	start, end int
	rank       int // index into Set.names
}

// Find returns what is in the text, in order and without overlap. Findings that overlap become one that covers them all, so
// that no part of a secret is left because something else was found in it; it has the name that comes first in the Config.
// The tokens of earlier replacements are never found.
func (s *Set) Find(text string) []Finding {
	return s.find(text, "")
}

// Replace returns the text with a token in the place of each finding, and the findings as of the text before. Nothing is
// found in what it returns.
func (s *Set) Replace(text string) (string, []Finding) {
	found := s.Find(text)
	return replace(text, found), found
}

// replace puts tokens in the places of findings.
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

// maxAbout is how much of a name is looked at, its end: it is looked at again and again.
const maxAbout = 128

// find is Find for a text that a name tells something about, such as that of the member whose value it is.
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

// nextToken returns where the next token begins and ends, from a place on. Without one, it begins at the end of the text.
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

// look finds what is in a text without tokens. A replacement ends words to its left and right, so that more can be found
// there than before: a number that letters were attached to, say. So what is left between findings is looked at until nothing is
// found. Each round takes another pass, so a text that takes too many is one finding as a whole.
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

// merge sorts matches and makes one of those that overlap.
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
