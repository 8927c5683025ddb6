package redact

import "strings"

// awsIDChars are the characters of AWS ids.
var awsIDChars = newCharset("A-Z0-9")

// findAWSAccessKey finds the id of an access key: a prefix for its purpose, and 16 characters.
func findAWSAccessKey(v view, i int) (span, bool) {
	const length = 20
	if len(v.text)-i < length {
		return span{}, false
	}
	switch v.text[i : i+4] {
	case "AKIA", "ASIA", "ABIA", "ACCA":
	default:
		return span{}, false
	}
	end := awsIDChars.runEnd(v.text[:min(len(v.text), i+length+1)], i)
	// A longer run is no id but some text in capitals, such as base32.
	if end != i+length || distinct(v.text[i+4:end]) < minDistinct {
		return span{}, false
	}
	return span{i, end}, true
}

// awsSecretLength is the length of every secret access key.
const awsSecretLength = 40

var awsSecretChars = newCharset("A-Za-z0-9/+")

// sweepAWSSecretKeys finds secret access keys. They have no mark, so any run of exactly 40 base64 characters may be one. The search
// looks only at every 40th byte, because each such run includes one of them.
func sweepAWSSecretKeys(v view, found func(span)) {
	text := v.text
	for i, last := awsSecretLength-1, 0; i < len(text); i += awsSecretLength {
		if !awsSecretChars[text[i]] {
			continue
		}
		start := awsSecretChars.runStart(text, i, i-last)
		end := awsSecretChars.runEnd(text, i)
		if start > 0 && text[start-1] == '\\' && strings.IndexByte("nrt", text[start]) >= 0 {
			start++
		}
		if end-start == awsSecretLength && isAWSSecret(v, start, end) {
			found(span{start, end})
		}
		i, last = end, end
	}
}

// isAWSSecret distinguishes a secret access key from other things with 40 characters. With a hint, it need not look random. Without
// one, it must look like nothing but a key.
func isAWSSecret(v view, start, end int) bool {
	const reach, minHinted, minUnhinted = 64, 12, 20
	body := v.text[start:end]
	if isHexText(body) {
		return false
	}
	if v.hinted(start, reach, "secret") {
		return distinct(body) >= minHinted
	}
	if v.hinted(start, reach, "aws") && (standsAlone(v.text, start, end) || isMixed(body)) { // not the path of a page
		return distinct(body) >= minHinted
	}
	return distinct(body) >= minUnhinted && isMixed(body) && standsAlone(v.text, start, end)
}

// isHexText reports whether a text is a hash in hex.
func isHexText(text string) bool {
	for i := range len(text) {
		if !isHex(text[i]) {
			return false
		}
	}
	return true
}

// isMixed reports whether a text mixes capitals, small letters and digits. A key changes between them about 25 times, has about
// seven characters that are no letters, and rarely eight small letters in a row. Paths and identifiers fail one of these tests.
func isMixed(text string) bool {
	const maxWord, minChanges, minOther = 7, 15, 3
	var seen [4]int
	changes, small, last := 0, 0, -1
	for i := range len(text) {
		class := letterClass(text[i])
		seen[class]++
		if class != last && last >= 0 {
			changes++
		}
		if last = class; class != smallLetter {
			small = 0
		} else if small++; small > maxWord {
			return false
		}
	}
	all := seen[capital] > 0 && seen[smallLetter] > 0 && seen[digit] > 0
	return all && seen[digit]+seen[symbol] >= minOther && changes >= minChanges
}

// These are the classes of characters that a key mixes.
const (
	symbol = iota
	capital
	smallLetter
	digit
)

// letterClass returns the class of a character.
func letterClass(c byte) int {
	switch {
	case 'A' <= c && c <= 'Z':
		return capital
	case 'a' <= c && c <= 'z':
		return smallLetter
	case isDigit(c):
		return digit
	}
	return symbol
}

// standsAlone reports whether a run of base64 is not part of something longer, such as padded base64, a token with dots or
// hyphens, or a dependency's hash.
func standsAlone(text string, start, end int) bool {
	if start > 0 && strings.IndexByte("-_.@%", text[start-1]) >= 0 {
		return false
	}
	if end == len(text) {
		return true
	}
	switch text[end] {
	case '=', '-', '_', '@', '%':
		return false
	case '.':
		return !wordAfter(text, end+1)
	}
	return true
}
