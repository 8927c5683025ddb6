package address

import (
	"strings"
	"unicode/utf8"
)

// maxLabel bounds the labels that are encoded: the time grows with the square of their length, and no host has longer labels.
const maxLabel = 64

// punycode encodes a label as RFC 3492 says, without the prefix.
func punycode(label string) string {
	const base, initialN, initialBias = 36, 128, 72
	runes := []rune(label)
	if len(runes) > maxLabel {
		return label
	}
	var out strings.Builder
	for _, r := range runes {
		if r < utf8.RuneSelf {
			out.WriteRune(r)
		}
	}
	basic := out.Len()
	if basic > 0 {
		out.WriteByte('-')
	}
	n, delta, bias := rune(initialN), 0, initialBias
	for done := basic; done < len(runes); n++ {
		next := nextRune(runes, n)
		delta += int(next-n) * (done + 1)
		n = next
		for _, r := range runes {
			if r < n {
				delta++
			}
			if r != n {
				continue
			}
			q := delta
			for k := base; ; k += base {
				t := min(max(k-bias, 1), 26)
				if q < t {
					break
				}
				out.WriteByte(punycodeDigit(t + (q-t)%(base-t)))
				q = (q - t) / (base - t)
			}
			out.WriteByte(punycodeDigit(q))
			bias = adaptBias(delta, done+1, done == basic)
			delta = 0
			done++
		}
		delta++
	}
	return out.String()
}

// nextRune is the smallest of the runes that are at least n.
func nextRune(runes []rune, n rune) rune {
	next := rune(utf8.MaxRune)
	for _, r := range runes {
		if r >= n && r < next {
			next = r
		}
	}
	return next
}

func adaptBias(delta, points int, first bool) int {
	const base, tMin, tMax, skew, damp = 36, 1, 26, 38, 700
	if first {
		delta /= damp
	} else {
		delta /= 2
	}
	delta += delta / points
	k := 0
	for ; delta > (base-tMin)*tMax/2; k += base {
		delta /= base - tMin
	}
	return k + (base-tMin+1)*delta/(delta+skew)
}

func punycodeDigit(d int) byte {
	if d < 26 {
		return byte('a' + d)
	}
	return byte('0' + d - 26)
}
