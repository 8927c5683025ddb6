package registry

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// errNumber says that a number is so large or small that no real schema has it.
var errNumber = fmt.Errorf("%w: the exponent of a number has more than nine digits", ErrBounds)

// A decimal is the value 0.digits × 10^point. The digits neither begin nor end with zero; no digits: the value is zero.
type decimal struct {
	negative bool
	digits   string
	point    int
}

// readDecimal parses a number literal of JSON.
func readDecimal(literal []byte) (decimal, error) {
	var d decimal
	if rest, ok := bytes.CutPrefix(literal, []byte("-")); ok {
		d.negative, literal = true, rest
	}
	mantissa, exponent := literal, 0
	tooLong := false
	if i := bytes.IndexAny(literal, "eE"); i >= 0 {
		mantissa = literal[:i]
		exponent, tooLong = readExponent(string(literal[i+1:]))
	}
	whole, fraction, _ := bytes.Cut(mantissa, []byte("."))
	all := string(whole) + string(fraction)
	d.digits = strings.TrimLeft(all, "0")
	d.point = len(whole) - (len(all) - len(d.digits)) + exponent
	d.digits = strings.TrimRight(d.digits, "0")
	if d.digits == "" {
		return decimal{}, nil // whatever its sign and exponent
	}
	if tooLong {
		return decimal{}, errNumber
	}
	return d, nil
}

// readExponent parses the part after the e.
func readExponent(text string) (exponent int, tooLong bool) {
	const longest = 9
	sign := strings.HasPrefix(text, "-")
	digits := strings.TrimLeft(strings.TrimLeft(text, "+-"), "0")
	if len(digits) > longest {
		return 0, true
	}
	exponent, _ = strconv.Atoi(digits) // no digits are left: it is zero
	if sign {
		exponent = -exponent
	}
	return exponent, false
}

// appendNumber appends a number in the layout of ECMAScript, with all its digits.
func appendNumber(dst, literal []byte) ([]byte, error) {
	d, err := readDecimal(literal)
	if err != nil {
		return nil, err
	}
	const plain = 21 // from so many digits before the point on, or from seven after it, the number has an exponent
	if d.negative {
		dst = append(dst, '-')
	}
	n := len(d.digits)
	switch {
	case n == 0:
		return append(dst, '0'), nil
	case n <= d.point && d.point <= plain:
		dst = append(dst, d.digits...)
		return append(dst, strings.Repeat("0", d.point-n)...), nil
	case 0 < d.point && d.point <= plain:
		dst = append(dst, d.digits[:d.point]...)
		dst = append(dst, '.')
		return append(dst, d.digits[d.point:]...), nil
	case -6 < d.point && d.point <= 0:
		dst = append(dst, "0."...)
		dst = append(dst, strings.Repeat("0", -d.point)...)
		return append(dst, d.digits...), nil
	}
	dst = append(dst, d.digits[0])
	if n > 1 {
		dst = append(dst, '.')
		dst = append(dst, d.digits[1:]...)
	}
	dst = append(dst, 'e')
	if d.point > 0 {
		dst = append(dst, '+')
	}
	return strconv.AppendInt(dst, int64(d.point-1), 10), nil
}
