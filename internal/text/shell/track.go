package shell

import "unicode/utf8"

// A track follows a text through a glob: at[i] says that the first i bytes of the glob can match the text so far. A wildcard may
// always end, so at[i+1] holds with at[i] if glob[i] is a wildcard, or the rest of a word.
type track struct {
	glob string
	at   []bool
	next []bool
}

func newTrack(glob string) *track {
	t := &track{glob: glob, at: make([]bool, len(glob)+1), next: make([]bool, len(glob)+1)}
	t.at[0] = true
	t.leaveStars(t.at)
	return t
}

// follow follows the whole text. hole says how to follow a hole. It reports whether the glob can end with the text.
func (t *track) follow(text string, hole func(t *track, kind byte, wordStart bool)) bool {
	wordStart := true
	for i := range len(text) {
		c := text[i]
		if isHole(c) {
			hole(t, c, wordStart)
		} else {
			leaves := leavesFolder(text, i)
			t.step(func(want byte) bool { return want == c || !leaves && fitsWord(want, c) })
		}
		if t.first() < 0 {
			return false
		}
		if t.settled() {
			return true
		}
		wordStart = c == ' '
	}
	return t.at[len(t.glob)]
}

// settled reports that the text has reached a wildcard at the end of the glob, which matches whatever follows.
func (t *track) settled() bool {
	last := len(t.glob) - 1
	return last >= 0 && t.glob[last] == '*' && t.at[last]
}

// keepStars follows a hole of which nothing may be assumed: only a wildcard matches it.
func (t *track) keepStars(byte, bool) {
	for i := range t.at {
		t.at[i] = t.at[i] && i < len(t.glob) && t.glob[i] == '*'
	}
	t.leaveStars(t.at)
}

// fill follows a hole as any text that it could be.
func (t *track) fill(kind byte, wordStart bool) {
	before := append([]bool(nil), t.at...)
	notDash := func(want byte) bool { return want != '-' }
	switch {
	case kind == oneChar[0]:
		t.oneChar()
		return
	case kind == moreWords[0]:
		t.step(func(want byte) bool { return want == ' ' })
		t.anything()
	case kind == oneWord[0] && wordStart:
		t.step(notDash)
		t.anything()
		t.add(before)
		t.add(t.withoutBlank(before))
		return
	case kind == fileRun[0] && wordStart:
		t.step(notDash)
		t.anything()
	default:
		t.anything()
	}
	t.add(before)
}

// step follows one byte. It matches where the glob has a wildcard or a byte that fits.
func (t *track) step(fits func(want byte) bool) {
	clear(t.next)
	for i, on := range t.at[:len(t.glob)] {
		switch {
		case !on:
		case t.glob[i] == '*':
			t.next[i] = true
		case t.glob[i] == wordRest[0]:
			t.next[i] = t.next[i] || fits(t.glob[i])
		case fits(t.glob[i]):
			t.next[i+1] = true
		}
	}
	t.leaveStars(t.next)
	t.at, t.next = t.next, t.at
}

// oneChar follows any character, which has up to four bytes.
func (t *track) oneChar() {
	const furtherBytes = 3
	t.step(func(byte) bool { return true })
	seen := append([]bool(nil), t.at...)
	for range furtherBytes {
		t.step(func(want byte) bool { return want >= utf8.RuneSelf })
		for i, on := range t.at {
			seen[i] = seen[i] || on
		}
	}
	copy(t.at, seen)
}

// anything follows any text.
func (t *track) anything() {
	if from := t.first(); from >= 0 {
		for i := from; i < len(t.at); i++ {
			t.at[i] = true
		}
	}
}

// withoutBlank returns the positions that any text without blanks leads to.
func (t *track) withoutBlank(from []bool) []bool {
	out := append([]bool(nil), from...)
	for i := range len(t.glob) {
		if out[i] && t.glob[i] != ' ' {
			out[i+1] = true
		}
	}
	return out
}

func (t *track) add(more []bool) {
	for i, on := range more {
		t.at[i] = t.at[i] || on
	}
}

func (t *track) leaveStars(at []bool) {
	for i := range len(t.glob) {
		if at[i] && (t.glob[i] == '*' || t.glob[i] == wordRest[0]) {
			at[i+1] = true
		}
	}
}

// first returns the first position of the track, or -1.
func (t *track) first() int {
	for i, on := range t.at {
		if on {
			return i
		}
	}
	return -1
}
