package inert

import (
	"unicode"

	"golang.org/x/text/width"
)

// CutTo cuts a line to so many columns of a terminal. Some characters take two.
func CutTo(s string, columns int) string {
	used := 0
	for i, r := range s {
		w := columnsOf(r)
		if used+w > columns || used+w == columns && Columns(s[i:]) > w {
			return s[:i] + "…"
		}
		used += w
	}
	return s
}

// Columns is how many columns of a terminal a line takes. The line must be inert.
func Columns(s string) (n int) {
	for _, r := range s {
		n += columnsOf(r)
	}
	return n
}

func columnsOf(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf), r >= 0x1160 && r <= 0x11ff, r >= 0xd7b0 && r <= 0xd7ff:
		return 0 // it is written onto the character before it: accents, the vowels and final consonants of Hangul
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
