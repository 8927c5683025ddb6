package redact

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A group is a run of digits in a number that is written in groups.
type group struct {
	start, end int
	gap        rune // the mark before it: 0 for the first, ' ' for any blank, '-' for any dash; see wideMark for '\n'
}

func (g group) len() int { return g.end - g.start }

// These bound numbers: no number to find has more groups, or more digits in one group.
const (
	maxGroups = 8
	maxRun    = 20
)

// A number is a run of groups of digits with a mark between each two.
type number struct {
	groups [maxGroups]group
	n      int
}

// readNumber reads the number that begins at i.
func readNumber(text string, i int) number { return readGroups(text, i, maxGroups, mark) }

// readGroups reads the number that begins at i, with at most so many groups. mark finds the mark between them.
func readGroups(text string, i, most int, mark func(string) (rune, int)) (num number) {
	var gap rune
	for num.n < most {
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

// digitsEnd returns the end of the digits at i. If there are more digits than any number has, it returns one past that many.
func digitsEnd(text string, i int) int {
	end := i
	for end < len(text) && end-i <= maxRun && isDigit(text[end]) {
		end++
	}
	return end
}

// mark returns the mark at the beginning of a text that separates digits, and its size; 0 if there is none.
func mark(text string) (gap rune, size int) {
	if text == "" {
		return 0, 0
	}
	switch c := text[0]; {
	case c == ' ' || c == '-' || c == '.' || c == '/':
		return rune(c), 1
	case c < utf8.RuneSelf:
		return 0, 0
	}
	r, size := utf8.DecodeRuneInString(text)
	switch r {
	case '\u00a0', '\u202f', '\u205f', '\u3000':
		return ' ', size
	case '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2212':
		return '-', size
	}
	if r >= '\u2000' && r <= '\u200a' {
		return ' ', size
	}
	return 0, 0
}

// wideMark is mark for numbers with check digits, which allow more: a mark may have blanks around it, and there may be several
// blanks, tabs or line breaks. Then the gap is '\n', unless there is another mark.
func wideMark(text string) (gap rune, size int) {
	const most = 4
	if len(text) > 1 && isDigit(text[1]) {
		if gap, size = mark(text); size == 1 {
			return gap, size // the usual case
		}
		gap, size = 0, 0
	}
	for n := 0; n < most && size < len(text); n++ {
		r, length := mark(text[size:])
		switch {
		case r == 0 && isBlank(text[size]):
			r, length = '\n', 1
		case r == 0 || r != ' ' && gap != 0 && gap != ' ':
			return gap, size
		case r == ' ' && gap != 0:
			if r = gap; gap == ' ' {
				r = '\n'
			}
		}
		gap = r
		size += length
	}
	return gap, size
}

// isColumn reports whether a number of groups of four digits is part of a longer column or row of such groups.
func isColumn(text string, start, end int) bool {
	for n := 0; n < 4 && start > 0 && isBlank(text[start-1]); n++ {
		start--
	}
	if start >= 4 && digitsEnd(text[:start], start-4) == start && (start == 4 || !isDigit(text[start-5])) {
		return true
	}
	for n := 0; n < 4 && end < len(text) && isBlank(text[end]); n++ {
		end++
	}
	return digitsEnd(text, end)-end == 4
}

// isZeroFraction reports whether a point and only zeros follow at i, as some tables write whole numbers.
func isZeroFraction(text string, i int) bool {
	if i >= len(text) || text[i] != '.' {
		return false
	}
	end := i + 1
	for end < len(text) && end-i <= maxRun && text[end] == '0' {
		end++
	}
	return end > i+1 && !wordAfter(text, end)
}

// wholeNumber returns the digits of a JSON number that is whole but written with an exponent or with a fraction of zeros.
func wholeNumber(raw string) (digits string, ok bool) {
	raw = strings.TrimPrefix(raw, "-")
	mantissa, exponent := raw, 0
	if e := strings.IndexAny(raw, "eE"); e >= 0 {
		var err error
		if exponent, err = strconv.Atoi(raw[e+1:]); err != nil {
			return "", false
		}
		mantissa = raw[:e]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := whole + fraction
	point := len(whole) + exponent
	if exponent > 2*maxRun || exponent < -len(all) || point > 2*maxRun || point <= 0 {
		return "", false
	}
	if point >= len(all) {
		all += strings.Repeat("0", point-len(all))
	} else if strings.Trim(all[point:], "0") != "" {
		return "", false
	}
	digits = strings.TrimLeft(all[:point], "0")
	return digits, digits != "" && digits != raw
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

// isWhole reports whether a number is not part of a longer number or of a word.
func isWhole(text string, start, end int) bool {
	if wordBefore(text, start) || wordAfter(text, end) {
		return false
	}
	if start >= 2 && isJoiner(text[start-1]) && isDigit(text[start-2]) {
		return false
	}
	return end+1 >= len(text) || !isJoiner(text[end]) || !isDigit(text[end+1])
}

// isJoiner reports whether c between digits joins them: to a fraction, a date, a serial number.
func isJoiner(c byte) bool { return c == '.' || c == '-' || c == '/' }
