package inert

import "golang.org/x/text/width"

// CutTo cuts a line to so many columns of a terminal. Some characters take two.
func CutTo(s string, columns int) string {
	used := 0
	for i, r := range s {
		w := columnsOf(r)
		if used+w > columns || used+w == columns && i+len(string(r)) < len(s) {
			return s[:i] + "…"
		}
		used += w
	}
	return s
}

func columnsOf(r rune) int {
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
