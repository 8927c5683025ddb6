package redact

// A cardRange is a range of first digits of payment cards, and how many digits such a card number has.
type cardRange struct {
	low, high int // of the first digits
	prefix    int // how many digits low and high have
	min, max  int
}

var cardRanges = []cardRange{
	{4, 4, 1, 13, 13},       // Visa, older
	{4, 4, 1, 16, 16},       // Visa
	{4, 4, 1, 19, 19},       // Visa
	{51, 55, 2, 16, 16},     // Mastercard
	{2221, 2720, 4, 16, 16}, // Mastercard
	{34, 34, 2, 15, 15},     // American Express
	{37, 37, 2, 15, 15},     // American Express
	{6011, 6011, 4, 16, 19}, // Discover
	{644, 659, 3, 16, 19},   // Discover
	{300, 305, 3, 14, 19},   // Diners Club
	{3095, 3095, 4, 14, 19}, // Diners Club
	{36, 36, 2, 14, 19},     // Diners Club
	{38, 39, 2, 14, 19},     // Diners Club
	{3528, 3589, 4, 16, 19}, // JCB
	{62, 62, 2, 16, 19},     // UnionPay
	{2200, 2204, 4, 16, 19}, // Mir
	{5018, 5018, 4, 12, 19}, // Maestro
	{5020, 5020, 4, 12, 19}, // Maestro
	{5038, 5038, 4, 12, 19}, // Maestro
	{5893, 5893, 4, 12, 19}, // Maestro
	{6304, 6304, 4, 12, 19}, // Maestro
	{6759, 6759, 4, 12, 19}, // Maestro
	{6761, 6763, 4, 12, 19}, // Maestro
}

// The least and most digits of a card's number.
const (
	minCard = 12
	maxCard = 19
)

// findCard finds a payment card number that begins at i, as one run of digits or in the groups that are printed on cards.
func findCard(v view, i int) (span, bool) {
	text := v.text
	switch first := digitsEnd(text, i) - i; {
	case first >= minCard && first <= maxCard:
		end := i + first
		return span{i, end}, isCard([]byte(text[i:end])) && (isWhole(text, i, end) || isZeroFraction(text, end) && isWhole(text[:end], i, end))
	case first == 1:
		return scientificCard(text, i)
	case first != 4 || !beginsCard(text[i:i+4]):
		return span{}, false
	}
	const mostGroups = 5
	num := readGroups(text, i, mostGroups, wideMark)
	for n := num.n; n >= 3; n-- {
		end := num.groups[n-1].end
		if !num.isCardGroups(n) || !isWhole(text, i, end) || num.groups[1].gap == '\n' && isColumn(text, i, end) {
			continue
		}
		if isCard(num.digits(make([]byte, 0, maxCard), text, n)) {
			return span{i, end}, true
		}
	}
	return span{}, false
}

// beginsCard reports whether four digits can begin a card number.
func beginsCard(digits string) bool {
	first := 0
	for i, scale := range [4]int{1000, 100, 10, 1} {
		first += int(digits[i]-'0') * scale
	}
	for _, r := range cardRanges {
		scale := [5]int{0, 1000, 100, 10, 1}[r.prefix]
		if p := first / scale; r.low <= p && p <= r.high {
			return true
		}
	}
	return false
}

// scientificCard returns the card number that begins at i in scientific notation, as programs print large numbers.
func scientificCard(text string, i int) (span, bool) {
	if i+1 >= len(text) || text[i+1] != '.' {
		return span{}, false
	}
	point := i + 2
	end := digitsEnd(text, point)
	if end-point > maxCard || end+1 >= len(text) || text[end]|0x20 != 'e' {
		return span{}, false
	}
	power := end + 1
	if text[power] == '+' {
		power++
	}
	last := digitsEnd(text, power)
	digits, ok := wholeNumber(text[i:last])
	return span{i, last}, ok && isCard([]byte(digits)) && isWhole(text, i, last)
}

// isCardGroups reports whether the first n groups are like those on a card: fours, or 4-6-5 and 4-6-4.
func (num *number) isCardGroups(n int) bool {
	if !num.uniform(n) {
		return false
	}
	if n == 3 && num.groups[1].len() == 6 {
		return num.groups[2].len() == 5 || num.groups[2].len() == 4
	}
	for _, g := range num.groups[:n-1] {
		if g.len() != 4 {
			return false
		}
	}
	total := (n-1)*4 + num.groups[n-1].len()
	return num.groups[n-1].len() <= 4 && total >= minCard && total <= maxCard
}

// isCard reports whether digits begin as a card number does, have its length, and pass the Luhn check.
func isCard(digits []byte) bool {
	first := 0
	lead := [5]int{}
	for i := range min(4, len(digits)) {
		first = first*10 + int(digits[i]-'0')
		lead[i+1] = first
	}
	for _, r := range cardRanges {
		if p := lead[r.prefix]; r.low <= p && p <= r.high && r.min <= len(digits) && len(digits) <= r.max {
			return passesLuhn(digits)
		}
	}
	return false
}

// passesLuhn reports whether the last digit is the check digit of the others.
func passesLuhn(digits []byte) bool {
	sum := 0
	for i := range digits {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}
