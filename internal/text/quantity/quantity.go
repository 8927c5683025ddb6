// Package quantity formats numbers for people: with their noun, as money, as time.
package quantity

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Thousands is a number for people: 1,234,567.
func Thousands(n int64) string {
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

// Dollars formats an amount in millionths of a US dollar. Small amounts have four decimals.
func Dollars(micros int64) string {
	if micros > 0 && micros < 1_000_000 {
		return fmt.Sprintf("$%.4f", float64(micros)/1e6)
	}
	cents := (micros + 5_000) / 10_000
	return fmt.Sprintf("$%s.%02d", Thousands(cents/100), cents%100)
}

// Duration formats microseconds for people, with three digits.
func Duration(micros int64) string {
	d := time.Duration(micros) * time.Microsecond
	switch {
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d >= 10*time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d >= time.Second:
		return fmt.Sprintf("%.2fs", d.Seconds())
	case d >= 10*time.Millisecond:
		return fmt.Sprintf("%.0fms", float64(d)/float64(time.Millisecond))
	case d >= time.Millisecond:
		return fmt.Sprintf("%.1fms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%dµs", micros)
}

// Count formats a number with its noun.
func Count[N int | int64](n N, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
