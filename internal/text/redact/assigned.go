package redact

import (
	"math"
	"strings"
)

// These say what a value needs to count as a secret because of its name.
const (
	minAssignedKey      = 16
	minAssignedPassword = 6
	minNamedPassword    = 4 // if the text is nothing but the password
	minEntropy          = 3 // bits for each character; ordinary words have as much, so this is not the only test
)

// These are the names of keys and of passwords, in the form of appendPlain. A longer name may end with one of them.
var (
	keyNames = []string{
		"apikey", "secret", "secretkey", "accesskey", "token", "authkey", "signingkey", "encryptionkey", "masterkey", "subscriptionkey",
		"servicekey", "serviceaccountkey", "sharedkey", "licensekey", "credential", "credentials",
	}
	// These names have the same endings but mean no secrets.
	harmlessNames = []string{"pagetoken", "nexttoken", "continuationtoken", "synctoken", "starttoken", "nextpagetoken", "cancellationtoken"}
	passwordNames = []string{"password", "passwd", "passphrase", "pwd"}
)

// These are the kinds of names.
const (
	harmless = iota
	ofKey
	ofPassword
)

// nameKind returns what a name says about its value.
func nameKind(name string) int {
	if name == "" {
		return harmless
	}
	switch name[len(name)-1] | 0x20 { // all names above end with one of these
	case 'y', 't', 'n', 'd', 'e', 'l', 's':
	default:
		return harmless
	}
	var buffer [maxPlain]byte
	plain := appendPlain(buffer[:0], name)
	switch {
	case endsWithOne(plain, passwordNames):
		return ofPassword
	case endsWithOne(plain, keyNames) && !endsWithOne(plain, harmlessNames):
		return ofKey
	}
	return harmless
}

// endsWithOne reports whether a name ends with one of the words.
func endsWithOne(name []byte, words []string) bool {
	for _, w := range words {
		if len(name) >= len(w) && string(name[len(name)-len(w):]) == w {
			return true
		}
	}
	return false
}

// maxSecretName bounds the length of a name that is searched.
const maxSecretName = 32

// nameChars are the characters in names of variables, members, headers and flags.
var nameChars = newCharset("A-Za-z0-9_-")

// findAssignedSecret finds the value of a name such as api_key or password. The byte at i is the sign between them, or the second
// hyphen of a flag.
func findAssignedSecret(v view, i int) (span, bool) {
	text := v.text
	if text[i] == '-' {
		return findFlagSecret(text, i)
	}
	end := i
	for end > 0 && i-end < 3 && strings.IndexByte("\"'` \\]?", text[end-1]) >= 0 {
		end--
	}
	kind := nameKind(text[nameChars.runStart(text, end, maxSecretName):end])
	if kind == harmless {
		return span{}, false
	}
	start := i + 1
	for start < len(text) && start-i < 6 && strings.IndexByte(" \t\"'`\\=>:", text[start]) >= 0 {
		start++
	}
	return assignedValue(text, start, kind)
}

// findFlagSecret finds the value after a flag such as --password.
func findFlagSecret(text string, i int) (span, bool) {
	if i == 0 || text[i-1] != '-' {
		return span{}, false
	}
	name := i + 1
	end := nameChars.runEnd(text[:min(len(text), name+maxSecretName)], name)
	if end == name || end == len(text) || !isBlank(text[end]) {
		return span{}, false
	}
	kind := nameKind(text[name:end])
	if kind == harmless {
		return span{}, false
	}
	start := end
	for start < len(text) && start-end < 4 && strings.IndexByte(" \t\r\n\\\"'", text[start]) >= 0 {
		start++
	}
	return assignedValue(text, start, kind)
}

// These are the characters of values: of keys, and of passwords in a text.
var (
	assignedChars = newCharset("A-Za-z0-9_.~+/-")
	passwordChars = newCharset("!#%&*+./0-9:=?@A-Z^_a-z~$-")
)

// assignedValue returns the secret that begins at start, if it looks like a secret.
func assignedValue(text string, start, kind int) (span, bool) {
	chars := assignedChars
	if kind == ofPassword {
		chars = passwordChars
	}
	near := chars.runEnd(text[:min(len(text), start+maxLooked)], start)
	value := text[start:near]
	if len(value) < minAssignedPassword || kind == ofKey && len(value) < minAssignedKey {
		return span{}, false
	}
	// A value before a bracket is code, and a variable is no secret.
	if near < len(text) && strings.IndexByte("([{<", text[near]) >= 0 || isPlaceholder(value) || isPathOrReference(value) {
		return span{}, false
	}
	if kind == ofPassword && !isPassword(value) || kind == ofKey && !isGenericKey(value) {
		return span{}, false
	}
	return span{start, paddingEnd(text, trimDots(text, chars.runEnd(text, near)))}, true
}

// isGenericKey reports whether a value could be a key of an unknown service: letters and digits, no words, and enough different
// characters for its length.
func isGenericKey(value string) bool {
	const maxWord = 9
	return isKey(value, minAssignedKey) && longestWord(value) <= maxWord && !isWords(value) && entropy(value) >= minEntropy
}

// isWords reports whether a text is words and numbers with marks between them, like a name.
func isWords(text string) bool {
	last := symbol
	for i := range len(text) {
		class := letterClass(text[i])
		// The v of a version belongs to its number.
		if class != last && class != symbol && last != symbol &&
			!(class == digit && text[i-1] == 'v' && (i == 1 || letterClass(text[i-2]) == symbol)) {
			return false
		}
		last = class
	}
	return true
}

// isPassword reports whether a value in a text could be a password, and not a type or the name of a variable: it has letters and
// something else.
func isPassword(value string) bool {
	letter, other := false, false
	for i := range len(value) {
		letter = letter || isLetter(value[i])
		other = other || isDigit(value[i]) || strings.IndexByte("!#%&*+?@^~", value[i]) >= 0
	}
	return letter && other
}

// isPathOrReference reports whether a value is a path, an address, or the name of something in a program.
func isPathOrReference(value string) bool {
	if strings.HasPrefix(value, "/") || strings.HasPrefix(value, "~/") || strings.HasPrefix(value, "./") || strings.HasPrefix(value, "../") ||
		strings.Contains(value, "://") || strings.Contains(value, `:\`) {
		return true
	}
	parts := strings.Split(value, ".")
	if len(parts) < 2 {
		return false
	}
	for _, part := range parts {
		if part == "" || isDigit(part[0]) || githubPATChars.runEnd(part, 0) != len(part) || isGenericKey(part) {
			return false
		}
	}
	return true
}

// entropy returns the average information of a character in bits, from how often each character occurs in the text.
func entropy(text string) float64 {
	text = text[:min(len(text), maxLooked)]
	var counts [256]int
	for i := range len(text) {
		counts[text[i]]++
	}
	sum := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(text))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

// sweepNamedSecret finds a text that is a secret as a whole because its member has such a name.
func sweepNamedSecret(v view, found func(span)) {
	kind := nameKind(v.about)
	if kind == harmless {
		return
	}
	start, end := trimmed(v.text)
	value := v.text[start:end]
	const most = 512 // a longer text is not one secret
	if len(value) > most || strings.ContainsAny(value, "\r\n\t") || isPlaceholder(value) || isPathOrReference(value) {
		return
	}
	if kind == ofPassword && len(value) >= minNamedPassword || kind == ofKey && !strings.Contains(value, " ") && isGenericKey(value) {
		found(span{start, end})
	}
}

// trimmed returns the start and end of a text without surrounding blanks.
func trimmed(text string) (start, end int) {
	end = len(text)
	for start < end && isBlank(text[start]) {
		start++
	}
	for end > start && isBlank(text[end-1]) {
		end--
	}
	return start, end
}
