package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// These are the greatest lengths of the parts of an address, in bytes. The standards allow less; characters beyond ASCII need more.
const (
	maxLocal  = 128
	maxDomain = 255
)

// findEmail finds an email address whose at sign is at i.
func findEmail(v view, i int) (span, bool) {
	text := v.text
	start := localStart(text, i)
	if start == i {
		return span{}, false
	}
	end := domainEnd(text, i+1)
	if end == 0 || isCheckout(text, start, i, end) || isUserInfo(text, start, i) {
		return span{}, false
	}
	return span{start, end}, true
}

// localStart returns the start of the part before the at sign.
func localStart(text string, at int) int {
	start := at
	for start > 0 && at-start < maxLocal {
		r, size := utf8.DecodeLastRuneInString(text[:start])
		if !isNameRune(r) && !strings.ContainsRune("._%+-'&~", r) {
			break
		}
		start -= size
	}
	// Characters that cannot begin a name belong to the text around it: a quote, the dots of an ellipsis.
	for start < at && strings.IndexByte(".%-'&~", text[start]) >= 0 {
		start++
	}
	if at > start && (text[at-1] == '.' || text[at-1] == '\'') {
		return at
	}
	// The letter of an escape such as \n is not part of the name either.
	if start > 0 && text[start-1] == '\\' && at-start > 1 && strings.IndexByte("nrt", text[start]) >= 0 {
		start++
	}
	return start
}

// isNameRune reports whether names and domains of any language have this character.
func isNameRune(r rune) bool {
	if r < utf8.RuneSelf {
		return alnumChars[byte(r)]
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// domainEnd returns the end of the domain that begins at i, or 0 if there is none. A domain has at least two labels, and the last
// could be a top-level domain.
func domainEnd(text string, i int) int {
	end, label, labels := 0, i, 0
	for at := i; at-i <= maxDomain; {
		r, size := utf8.DecodeRuneInString(text[at:])
		if isNameRune(r) || r == '-' && at > label {
			at += size
			continue
		}
		name := strings.TrimRight(text[label:at], "-")
		if name == "" {
			break
		}
		if labels++; labels > 1 && isTopLevel(name) {
			end = label + len(name)
		}
		// The full stop of Chinese and Japanese also separates labels.
		if size == 0 || r != '.' && r != '。' || label+len(name) < at {
			break
		}
		at += size
		label = at
	}
	return end
}

// isTopLevel reports whether a label could be a top-level domain: it has letters, and is not the ending of a file name.
func isTopLevel(label string) bool {
	if utf8.RuneCountInString(label) < 2 {
		return false
	}
	if hasFoldPrefix(label, "xn--") {
		return true
	}
	for _, r := range label {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			return false
		}
	}
	return !fileEndings[strings.ToLower(label)]
}

// fileEndings are endings of file names that are no top-level domains. File names may have at signs.
var fileEndings = func() map[string]bool {
	const endings = "png jpg jpeg gif svg webp ico bmp js jsx ts tsx mjs cjs json yaml yml toml css scss less html htm xml txt csv " +
		"lock log exe dll jar war tgz gz bz2 xz tar whl deb rpm php java kt swift conf cfg ini service target socket timer mount " +
		"path slice device swap scope"
	set := map[string]bool{}
	for _, e := range strings.Fields(endings) {
		set[e] = true
	}
	return set
}()

// isUserInfo reports whether the text before the at sign is the user of a URL, perhaps with a password.
func isUserInfo(text string, start, at int) bool {
	const reach = 256
	from := max(0, start-reach)
	before := text[from:at]
	scheme := strings.LastIndex(before, "://")
	return scheme >= 0 && !strings.ContainsAny(before[scheme+len("://"):], "/?# \t\n\"'<>")
}

// isCheckout reports whether an address is that of a Git host, such as git@example.com:group/project.
func isCheckout(text string, start, at, end int) bool {
	return strings.EqualFold(text[start:at], "git") && end < len(text) && (text[end] == ':' || text[end] == '/')
}
