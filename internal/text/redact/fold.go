package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// percentAt returns the ASCII character that is escaped with a percent sign at i, and the end of the escape; 0 and i if there is
// none. An escaped escape counts as one: its percent sign is %25.
func percentAt(text string, i int) (stands byte, end int) {
	at := i + 1
	for strings.HasPrefix(text[at:], "25") && isHexPair(text, at+2) {
		at += 2
	}
	for ; at > i; at -= 2 {
		if !isHexPair(text, at) {
			continue
		}
		if c := hexValue(text[at])<<4 | hexValue(text[at+1]); c >= ' ' && c < 0x7f || isBlank(c) {
			return c, at + 2
		}
	}
	return 0, i
}

// isHexPair reports whether two hex digits are at i.
func isHexPair(text string, i int) bool { return i+1 < len(text) && isHex(text[i]) && isHex(text[i+1]) }

// hexValue returns the value of a hex digit.
func hexValue(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// mayBeginWide reports whether a character that is invisible or stands for another may begin with this byte. Most scripts with long
// encodings have no such character, so few characters need a lookup.
func mayBeginWide(c byte) bool {
	switch c {
	case 0xC2, 0xCD, 0xD8, 0xD9, 0xDB, 0xDC, 0xDF, 0xE0, 0xE1, 0xE2, 0xE3, 0xEA, 0xEF, 0xF0, 0xF3:
		return true
	}
	return false
}

// wideAt returns the ASCII character that the character at i stands for, and its end. For an invisible character it returns 0. For
// a character that stands only for itself, it returns i as its end.
func wideAt(text string, i int) (stands byte, end int) {
	r, size := utf8.DecodeRuneInString(text[i:])
	if stands = standsFor(r); stands != 0 || isInvisible(r) {
		return stands, i + size
	}
	return 0, i
}

// isInvisible reports whether a character is not shown and takes no space.
func isInvisible(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// wideMarks are the marks of secrets that also exist as wide characters. Other wide marks are Chinese and Japanese punctuation.
const wideMarks = "@.-_+/=%"

// standsFor returns the ASCII character that people and programs take a character for: full-width letters, digits and a few marks,
// mathematical letters and digits, small forms, and the digits of other scripts. 0: none.
func standsFor(r rune) byte {
	const firstWide, lastWide, firstMath, firstMathDigit, lastMath = '！', '～', 0x1D400, 0x1D7CE, 0x1D7FF
	switch {
	case r >= firstWide && r <= lastWide:
		c := byte(r - firstWide + '!')
		if !alnumChars[c] && strings.IndexByte(wideMarks, c) < 0 {
			return 0
		}
		return c
	case r >= firstMathDigit && r <= lastMath:
		return '0' + byte((r-firstMathDigit)%10)
	case r >= firstMath && r < firstMathDigit:
		const alphabet = 26
		at := (r - firstMath) % (2 * alphabet)
		if at < alphabet {
			return 'A' + byte(at)
		}
		return 'a' + byte(at-alphabet)
	}
	switch r {
	case '﹫':
		return '@'
	case '﹒':
		return '.'
	case '﹣':
		return '-'
	}
	return digitOf(r)
}

// digitOf returns the ASCII digit for a digit of another script; 0: it is no digit. The digits of each script are consecutive.
func digitOf(r rune) byte {
	for _, table := range unicode.Nd.R16 {
		if r < rune(table.Lo) {
			return 0
		}
		if r <= rune(table.Hi) {
			return '0' + byte((r-rune(table.Lo))%10)
		}
	}
	return 0
}
