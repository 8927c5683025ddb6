package redact

import "strings"

// A form describes keys of one kind: a unique prefix and a body.
type form struct {
	prefix string
	chars  *charset // of the body; nil: letters and digits
	least  int      // the least length of the body; truncated keys are worth hiding, placeholders are not
	exact  bool     // a longer body is no such key
	// wordy says that a body may have no digits. Then it must have capitals among its small letters.
	wordy bool
}

// A watchedForm is a form that a Set looks for.
type watchedForm struct {
	*form
	at       int // the index in the prefix of the byte that identifies it
	detector int
}

// formsAt are the forms that one byte identifies, by the byte before it.
type formsAt [256][]watchedForm

// watchForm registers a form for the byte that identifies it: the last mark in its prefix, which is rarer than letters, or else a
// byte in the middle.
func (s *Set) watchForm(f *form, detector int) {
	at := strings.LastIndexAny(f.prefix, "_-./=")
	if at < 1 {
		at = max(1, len(f.prefix)/2)
	}
	for at > 1 && isDigit(f.prefix[at]) {
		at-- // in a run of digits only the first is looked at
	}
	c := f.prefix[at]
	s.triggers[c] |= atForm
	if s.forms[c] == nil {
		s.forms[c] = &formsAt{}
	}
	before := &s.forms[c][f.prefix[at-1]]
	*before = append(*before, watchedForm{f, at, detector})
}

// marked is the least length of a prefix that may come right after a letter.
const marked = 6

// find returns the key whose identifying byte is at i.
func (f *watchedForm) find(text string, i int) (span, bool) {
	start := i - f.at
	if start < 0 || !strings.HasPrefix(text[start:], f.prefix) {
		return span{}, false
	}
	if len(f.prefix) < marked && wordBefore(text, start) {
		return span{}, false
	}
	chars := f.chars
	if chars == nil {
		chars = alnumChars
	}
	body := start + len(f.prefix)
	if f.exact {
		end := chars.runEnd(text[:min(len(text), body+f.least+1)], body)
		return span{start, end}, end-body == f.least && !wordAfter(text, end) && isKey(text[body:end], f.least)
	}
	near := chars.runEnd(text[:min(len(text), body+maxLooked)], body)
	if !isKey(text[body:near], f.least) && !(f.wordy && isWordyKey(text[body:near], f.least)) {
		return span{}, false
	}
	end := chars.runEnd(text, near)
	if chars['.'] {
		end = trimDots(text, end)
	}
	return span{start, end}, true
}

// isWordyKey reports whether a text could be random letters without digits.
func isWordyKey(body string, least int) bool {
	const maxWord = 9
	return len(body) >= least && distinct(body) >= minDistinct && isCapitalMix(body) && longestWord(body) <= maxWord
}

// longestWord returns the length of the longest run of small letters in the examined part of a key. Random text rarely has long
// runs.
func longestWord(text string) (most int) {
	n := 0
	for _, c := range []byte(text[:min(len(text), maxLooked)]) {
		if letterClass(c) != smallLetter {
			n = 0
			continue
		}
		n++
		most = max(most, n)
	}
	return most
}
