package redact

import (
	"unicode/utf8"
)

// These bound the base64 that is decoded: its least length, how many positions in a run are tried as its beginning, and how far the
// search for such positions goes.
const (
	minWrapped      = 24
	maxWrappedTries = 8
	maxWrappedHead  = 256
)

// wrappedChars are the characters of both base64 alphabets.
var wrappedChars = newCharset("A-Za-z0-9+/_-")

// unwrap adds the runs of base64 that contain a secret. Only decoded text is searched, and only one layer deep: for pictures and
// hashes it gives up after a few bytes.
func (s *Set) unwrap(v view, found *[]match) {
	text := v.text
	for i, last := minWrapped-1, 0; i < len(text); i += minWrapped {
		if !wrappedChars[text[i]] {
			continue
		}
		start := wrappedChars.runStart(text, i, i-last)
		end := wrappedChars.runEnd(text, i)
		if end-start >= minWrapped {
			s.unwrapRun(v, span{start, end}, found)
		}
		i, last = end, end
	}
}

// unwrapRun searches one run. Before the base64 it may have other words, or the path of an address.
func (s *Set) unwrapRun(v view, run span, found *[]match) {
	text := v.text
	for at, tries := run.start, 0; at >= 0 && tries < maxWrappedTries; tries++ {
		if run.end-at < minWrapped {
			return
		}
		if plain := decodeText(text[at:run.end]); plain != "" {
			var inside []match
			s.pass(view{plain, v.about}, &inside)
			if len(inside) > 0 {
				rank := inside[0].rank
				for _, m := range inside {
					rank = min(rank, m.rank)
				}
				*found = append(*found, match{at, paddingEnd(text, run.end), rank})
			}
			return
		}
		at = afterMark(text, at, run)
	}
}

// afterMark returns the position after the next mark in a run, where base64 may begin; negative: there is none near its beginning.
func afterMark(text string, from int, run span) int {
	for i := from; i < min(run.end, run.start+maxWrappedHead); i++ {
		if c := text[i]; c == '/' || c == '-' || c == '_' {
			return i + 1
		}
	}
	return -1
}

// paddingEnd returns the end of the equals signs that pad base64.
func paddingEnd(text string, i int) int {
	for n := 0; n < 2 && i < len(text) && text[i] == '='; n++ {
		i++
	}
	return i
}

// decodeText returns the text that base64 of either alphabet contains, up to where it is no text; "": it contains none.
func decodeText(encoded string) string {
	// Both are in decoded bytes: the length that must be plain ASCII to continue, and how much is decoded between two checks.
	const head, chunk = 16, 96
	if !isPlain(appendDecoded(make([]byte, 0, chunk), encoded[:minWrapped])[:head]) {
		return ""
	}
	out := make([]byte, 0, len(encoded)/4*3+3)
	for at := 0; at < len(encoded); at += chunk / 3 * 4 {
		before := len(out)
		out = appendDecoded(out, encoded[at:min(len(encoded), at+chunk/3*4)])
		if hasControl(out[before:]) {
			break
		}
	}
	for i := 0; i < len(out); {
		r, size := utf8.DecodeRune(out[i:])
		if r == utf8.RuneError && size < 2 || hasControl(out[i:i+1]) {
			return string(out[:i])
		}
		i += size
	}
	return string(out)
}

// appendDecoded decodes base64 without padding. An incomplete last group is decoded as far as possible.
func appendDecoded(dst []byte, encoded string) []byte {
	bits, n := uint32(0), 0
	for i := range len(encoded) {
		bits = bits<<6 | uint32(base64Values[encoded[i]])
		if n++; n == 4 {
			dst = append(dst, byte(bits>>16), byte(bits>>8), byte(bits))
			bits, n = 0, 0
		}
	}
	switch n {
	case 2:
		dst = append(dst, byte(bits>>4))
	case 3:
		dst = append(dst, byte(bits>>10), byte(bits>>2))
	}
	return dst
}

// base64Values are the values of the characters of both alphabets.
var base64Values = func() (values [256]byte) {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	for i := range len(letters) {
		values[letters[i]] = byte(i)
	}
	values['-'], values['_'] = values['+'], values['/']
	return values
}()

// isPlain reports whether bytes are printable ASCII or blanks.
func isPlain(data []byte) bool {
	for _, c := range data {
		if c >= 0x7f || c < ' ' && !isBlank(c) {
			return false
		}
	}
	return true
}

// hasControl reports whether bytes include a control character that no text has.
func hasControl(data []byte) bool {
	for _, c := range data {
		if c == 0x7f || c < ' ' && !isBlank(c) {
			return true
		}
	}
	return false
}
