package redact

import "strings"

// findPhone finds a telephone number that begins at i: with a plus and a country code, with an area code in parentheses, or in a
// national form. A plain row of digits is a number only if the text says so.
func findPhone(v view, i int) (span, bool) {
	text := v.text
	if isDigit(text[i]) && !mayBeginNational(text, i) {
		return span{}, false
	}
	// A hyphen or dot before digits makes them part of a name, a version or an address.
	if wordBefore(text, i) || i > 0 && strings.IndexByte("-_.+/#$", text[i-1]) >= 0 {
		return span{}, false
	}
	end, ok := 0, false
	switch text[i] {
	case '+':
		end, ok = international(text, i+1)
	case '(':
		end, ok = withAreaInParentheses(text, i)
	default:
		end, ok = national(v, i)
	}
	if !ok || wordAfter(text, end) {
		return span{}, false
	}
	if end+1 < len(text) && isJoiner(text[end]) && isDigit(text[end+1]) {
		return span{}, false
	}
	return span{i, end}, true
}

// mayBeginNational reports whether the first digits are as many as in the first group of a national number. Most digits in a text
// are not.
func mayBeginNational(text string, i int) bool {
	switch n := digitsEnd(text, i) - i; n {
	case 1:
		return text[i] == '1'
	case 3:
		return text[i] != '1'
	case 2, 4, 5:
		return text[i] == '0'
	default:
		return n >= minInRow && n <= maxInternational
	}
}

// These are the numbers of digits in a number with a country code.
const (
	minInternational   = 9
	minInternationalIn = 10 // if they are in one row
	maxInternational   = 15
)

// international returns the end of a number after its plus: groups with blanks, hyphens, dots, slashes or parentheses between them.
// It returns the longest number whose length is valid in its country.
func international(text string, i int) (end int, ok bool) {
	if i == len(text) || !hasCountryCode(text[i:]) {
		return 0, false
	}
	if num := readNumber(text, i); num.isDate(text) || num.isAddress() {
		return 0, false
	}
	digits, groups := 0, 0
	for at := i; digits < maxInternational; {
		next := digitsEnd(text, at)
		if next == at {
			break
		}
		digits, groups = digits+next-at, groups+1
		if isInternationalLength(text[i], digits, groups) {
			end = next
		}
		at = skipMarks(text, next)
	}
	return end, end > 0
}

// skipMarks skips the marks between two groups, at most two of them next to a parenthesis.
func skipMarks(text string, i int) int {
	const most = 3
	for n := 0; n < most && i < len(text); n++ {
		_, size := mark(text[i:])
		if text[i] == '(' || text[i] == ')' {
			size = 1
		}
		if size == 0 {
			break
		}
		i += size
	}
	return i
}

// hasCountryCode reports whether digits may begin with a country code. Few beginnings are unassigned.
func hasCountryCode(digits string) bool {
	if !isDigit(digits[0]) || digits[0] == '0' {
		return false
	}
	for _, unassigned := range []string{"28", "83", "89"} {
		if strings.HasPrefix(digits, unassigned) {
			return false
		}
	}
	return true
}

// isInternationalLength reports whether numbers with this first digit can have so many digits. North America and Russia have one
// fixed length.
func isInternationalLength(first byte, digits, groups int) bool {
	const fixed = 11
	switch {
	case first == '1' || first == '7':
		return digits == fixed
	case groups == 1:
		return digits >= minInternationalIn && digits <= maxInternational
	}
	return digits >= minInternational && digits <= maxInternational
}

// isDate reports whether a number begins like a date: year, month and day, or the reverse.
func (num *number) isDate(text string) bool {
	if num.n < 3 {
		return false
	}
	year := func(g group) bool {
		return g.len() == 4 && (strings.HasPrefix(text[g.start:], "19") || strings.HasPrefix(text[g.start:], "20"))
	}
	a, b, c := num.groups[0], num.groups[1], num.groups[2]
	return year(a) && b.len() == 2 && c.len() == 2 || a.len() <= 2 && b.len() <= 2 && year(c)
}

// isAddress reports whether a number begins like an IPv4 address.
func (num *number) isAddress() bool {
	for i := range 4 {
		if g := num.groups[i]; i >= num.n || g.len() > 3 || i > 0 && g.gap != '.' {
			return false
		}
	}
	return true
}

// withAreaInParentheses returns the end of a number whose area code is in parentheses that open at i.
func withAreaInParentheses(text string, i int) (end int, ok bool) {
	closed := digitsEnd(text, i+1)
	if closed == len(text) || text[closed] != ')' {
		return 0, false
	}
	area, at := text[i+1:closed], closed+1
	if at < len(text) && (text[at] == ' ' || text[at] == '-') {
		at++
	}
	num := readNumber(text, at)
	if num.n == 0 {
		return 0, false
	}
	first := num.groups[0].len()
	switch {
	case len(area) >= 2 && len(area) <= 5 && area[0] == '0':
		return num.localEnd(len(area))
	case len(area) == 3 && num.n >= 2 && first == 3 && num.groups[1].len() == 4:
		return num.groups[1].end, isNorthAmerican(area, text[at:])
	case len(area) == 2 && num.n >= 2 && first >= 4 && first <= 5 && num.groups[1].len() == 4 && num.groups[1].gap == '-':
		return num.groups[1].end, true
	}
	return 0, false
}

// localEnd returns the end of the number after an area code of so many digits.
func (num *number) localEnd(area int) (end int, ok bool) {
	const least, most = 9, 12
	total := area
	for _, g := range num.groups[:num.n] {
		total += g.len()
	}
	return num.groups[num.n-1].end, total >= least && total <= most && num.uniform(num.n) && num.n <= 3
}

// isNorthAmerican reports whether the area code and exchange are valid in the North American plan.
func isNorthAmerican(area, exchange string) bool {
	return area[0] >= '2' && area[1] != '9' && area[1:3] != "11" && exchange[0] >= '2' && exchange[1:3] != "11"
}

// phoneHints are words that say that a row of digits is a telephone number.
var phoneHints = []string{"phone", "tel:", "tel.", "tel ", "mobile", "cell", "fax", "whatsapp", "sms"}

// These bound the digits of a number in one row. A longer row may be a number with a country code, if the name of the text says so.
const (
	minInRow = 10
	maxInRow = 11
)

// national returns the end of a number without a country code.
func national(v view, i int) (end int, ok bool) {
	const reach = 24
	text := v.text
	num := readNumber(text, i)
	first := num.groups[0]
	if num.n == 1 {
		named := i == 0 && first.end == len(text) && view{"", v.about}.hinted(0, reach, phoneHints...)
		return first.end, first.len() >= minInRow && (named || first.len() <= maxInRow && v.hinted(i, reach, phoneHints...))
	}
	if isListed(text, i) || num.isDate(text) {
		return 0, false
	}
	if text[i] == '0' {
		return num.trunkEnd(text)
	}
	return num.northAmericanEnd(text)
}

// isListed reports whether a number and a blank come right before i: then this is one of a list of numbers.
func isListed(text string, i int) bool {
	return i >= 2 && text[i-1] == ' ' && isDigit(text[i-2])
}

// northAmericanEnd returns the end of a number of three, three and four digits, perhaps after a 1.
func (num *number) northAmericanEnd(text string) (end int, ok bool) {
	groups := num.groups[:num.n]
	if groups[0].len() == 1 && text[groups[0].start] == '1' {
		groups = groups[1:]
	}
	if len(groups) != 3 || groups[0].len() != 3 || groups[1].len() != 3 || groups[2].len() != 4 {
		return 0, false
	}
	area := text[groups[0].start:groups[0].end]
	// Round numbers with blanks between them are more likely a list. The exception is the code of free calls.
	if groups[1].gap != groups[2].gap || groups[1].gap == '/' || area[1:] == "00" && groups[1].gap == ' ' && area != "800" {
		return 0, false
	}
	return groups[2].end, isNorthAmerican(area, text[groups[1].start:])
}

// trunkEnd returns the end of a number that begins with the zero of a long-distance call, or with the two zeros of an international
// call.
func (num *number) trunkEnd(text string) (end int, ok bool) {
	const least, most, mostAbroad, maxArea = 9, 12, 17, 5
	first := num.groups[0]
	groups := num.groups[1:num.n]
	total, zeros := first.len(), 0
	for i, g := range groups {
		total += g.len()
		if text[g.start] == '0' {
			zeros++
		}
		// The mark after the area code may differ from the other marks, and only that mark may be a slash.
		if i > 0 && (g.gap == '/' || i > 1 && g.gap != groups[1].gap) {
			return 0, false
		}
	}
	// Numbers that all begin with a zero are a list: modes of files, bytes, months.
	if first.len() < 2 || first.len() > maxArea || num.n > 6 || zeros == len(groups) {
		return 0, false
	}
	if strings.HasPrefix(text[first.start:], "00") {
		ok = first.len() > 2 && hasCountryCode(text[first.start+2:]) && total >= least+2 && total <= mostAbroad && groups[0].gap == ' '
	} else {
		ok = total >= least && total <= most && (num.n <= 4 || num.isPairs())
		ok = ok && (groups[0].gap != '.' || num.isPairs())
	}
	return groups[len(groups)-1].end, ok
}

// isPairs reports whether a number is five pairs of digits, as in France.
func (num *number) isPairs() bool {
	for _, g := range num.groups[:num.n] {
		if g.len() != 2 {
			return false
		}
	}
	return num.n == 5 && num.uniform(num.n)
}
