package cli

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/text/width"
)

// thousands is a number for people: 1,234,567.
func thousands(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return sign + b.String()
}

// dollars is an amount in millionths of a US dollar. Small ones have four places.
func dollars(micros int64) string {
	if micros > 0 && micros < 1_000_000 {
		return fmt.Sprintf("$%.4f", float64(micros)/1e6)
	}
	cents := (micros + 5_000) / 10_000
	return fmt.Sprintf("$%s.%02d", thousands(cents/100), cents%100)
}

// cutTo cuts a line to so many columns of a terminal. Some characters take two.
func cutTo(s string, columns int) string {
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
