package argument

import (
	"cmp"
	"strconv"
	"strings"
)

// A Decimal is the exact value of a JSON number: sign × 0.digits × 10^exp. Digits have no zeros at either end, so equal numbers
// have equal fields. Nothing is ever expanded: 1e999999999 costs no more than its text.
type Decimal struct {
	sign   int // -1, 0, 1
	digits string
	exp    int64
}

// hugeExponent replaces every exponent that does not fit in an int64. Numbers in a policy are far smaller, so comparisons with them
// stay exact.
const hugeExponent = int64(1e18)

// maxPolicyExponent bounds the exponent of a number in a policy.
const maxPolicyExponent = int64(1e9)

// ParseDecimal is the value of a JSON number.
func ParseDecimal(literal string) Decimal {
	sign := 1
	if rest, negative := strings.CutPrefix(literal, "-"); negative {
		sign, literal = -1, rest
	}
	mantissa, exponent := literal, ""
	if i := strings.IndexAny(literal, "eE"); i >= 0 {
		mantissa, exponent = literal[:i], literal[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := whole + fraction
	exp := int64(len(whole)) + parseExponent(exponent)
	trimmed := strings.TrimLeft(digits, "0")
	exp -= int64(len(digits) - len(trimmed))
	trimmed = strings.TrimRight(trimmed, "0")
	if trimmed == "" {
		return Decimal{}
	}
	return Decimal{sign: sign, digits: trimmed, exp: exp}
}

func parseExponent(text string) int64 {
	sign := int64(1)
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		sign, text = -1, rest
	}
	text = strings.TrimLeft(strings.TrimPrefix(text, "+"), "0")
	if text == "" {
		return 0
	}
	if len(text) > 17 {
		return sign * hugeExponent
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return sign * hugeExponent
	}
	return sign * n
}

// Compare returns -1, 0 or 1.
func (d Decimal) Compare(e Decimal) int {
	if d.sign != e.sign {
		return cmp.Compare(d.sign, e.sign)
	}
	return d.sign * cmp.Or(cmp.Compare(d.exp, e.exp), cmp.Compare(d.digits, e.digits))
}

// key returns the same text exactly for equal numbers.
func (d Decimal) key() string {
	if d.sign == 0 {
		return "0"
	}
	return strconv.Itoa(d.sign) + " " + strconv.FormatInt(d.exp, 10) + " " + d.digits
}

// Huge says that a number is too large, or too small, for a policy.
func (d Decimal) Huge() bool { return d.exp > maxPolicyExponent || d.exp < -maxPolicyExponent }
