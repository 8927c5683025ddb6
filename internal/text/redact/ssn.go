package redact

// findSSN finds a US social security number that begins at i: three, two and four digits with the same mark between them, or nine
// in a row if the text says what they are. Numbers that are never issued do not count.
func findSSN(v view, i int) (span, bool) {
	const reach = 40
	text := v.text
	end := 0
	switch digitsEnd(text, i) - i {
	case 3:
		num := readNumber(text, i)
		if num.n < 3 || num.groups[1].len() != 2 || num.groups[2].len() != 4 || !num.uniform(3) {
			return span{}, false
		}
		if gap := num.groups[1].gap; gap != '-' && gap != ' ' {
			return span{}, false
		}
		if !isIssuedSSN(string(num.digits(make([]byte, 0, 9), text, 3))) {
			return span{}, false
		}
		end = num.groups[2].end
	case 9:
		end = i + 9
		if !isIssuedSSN(text[i:end]) || !v.hinted(i, reach, "ssn", "social security", "social_security", "socialsecurity") {
			return span{}, false
		}
	default:
		return span{}, false
	}
	return span{i, end}, isWhole(text, i, end)
}

// isIssuedSSN reports whether nine digits could be the number of a person.
func isIssuedSSN(digits string) bool {
	area, group, serial := digits[:3], digits[3:5], digits[5:]
	return area != "000" && area != "666" && area[0] != '9' && group != "00" && serial != "0000"
}
