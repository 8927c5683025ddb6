package redact

import (
	"unicode/utf8"
)

// A group is a run of digits in a number that is written in groups.
type group struct {
	start, end int
	gap        rune // the mark before it: 0 for the first, ' ' for any blank, '-' for any dash
}

func (g group) len() int { return g.end - g.start }

// Bounds for numbers: no number that is looked for has more groups, or more digits in one.
const (
	maxGroups = 8
	maxRun    = 20
)

// A number is a run of groups of digits with one mark between each.
type number struct {
	groups [maxGroups]group
	n      int
}

// readNumber reads the number that begins at i.
func readNumber(text string, i int) (num number) {
	var gap rune
	for num.n < maxGroups {
		end := digitsEnd(text, i)
		if end == i {
			break
		}
		num.groups[num.n] = group{i, end, gap}
		num.n++
		var size int
		if gap, size = mark(text[end:]); gap == 0 {
			break
		}
		i = end + size
	}
	return num
}

// digitsEnd returns where the digits at i end, or, if there are more than any number has, one past that many.
func digitsEnd(text string, i int) int {
	end := i
	for end < len(text) && end-i <= maxRun && isDigit(text[end]) {
		end++
	}
	return end
}

// mark returns what separates digits at the beginning of a text, and its size; 0 if nothing does.
func mark(text string) (gap rune, size int) {
	r, size := utf8.DecodeRuneInString(text)
	switch r {
	case ' ', '\u00a0', '\u2007', '\u2009', '\u202f':
		return ' ', size
	case '-', '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2212':
		return '-', size
	case '.', '/':
		return r, size
	}
	return 0, 0
}

// uniform reports whether the same mark is between the first n groups.
func (num *number) uniform(n int) bool {
	for i := 2; i < n; i++ {
		if num.groups[i].gap != num.groups[1].gap {
			return false
		}
	}
	return true
}

// digits appends the digits of the first n groups to dst.
func (num *number) digits(dst []byte, text string, n int) []byte {
	for _, g := range num.groups[:n] {
		dst = append(dst, text[g.start:g.end]...)
	}
	return dst
}

// isWhole reports whether nothing around a number makes it part of a longer one or of a word.
func isWhole(text string, start, end int) bool {
	if wordBefore(text, start) || wordAfter(text, end) {
		return false
	}
	if start >= 2 && isJoiner(text[start-1]) && isDigit(text[start-2]) {
		return false
	}
	return end+1 >= len(text) || !isJoiner(text[end]) || !isDigit(text[end+1])
}

// isJoiner reports whether c between digits makes one thing of them: a fraction, a date, a serial number.
func isJoiner(c byte) bool { return c == '.' || c == '-' || c == '/' }
