package query

import (
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// A word of a text is a run of letters and digits, as long as it gets, in lower case. What is between words makes no difference. In
// scripts that do not separate words, each character is a word. A word is found as a whole, not by a part of it.

// Words are the words of a plain text, each once.
func Words(text string) []string {
	seen := map[string]bool{}
	var all []string
	eachWord([]byte(text), false, func(word []byte) bool {
		if !seen[string(word)] {
			seen[string(word)] = true
			all = append(all, string(word))
		}
		return true
	})
	return all
}

// EachArgumentWord calls take with the words of the arguments of an event, by its text: of names and values alike, with escapes
// resolved. They may repeat, and are valid until take returns. It ends when take returns false.
func EachArgumentWord(text []byte, take func(word []byte) bool) {
	eachWord(argumentsIn(text), true, take)
}

// HasWords says whether the arguments of an event have all words.
func HasWords(text []byte, words []string) bool {
	missing := slices.Clone(words)
	EachArgumentWord(text, func(word []byte) bool {
		missing = slices.DeleteFunc(missing, func(w string) bool { return w == string(word) })
		return len(missing) > 0
	})
	return len(missing) == 0
}

// Bytes as eachWord treats them: letters and digits in lower case, or one of these.
const (
	between  = 0
	escape   = 1
	manyByte = 2 // the first byte of a character beyond ASCII
)

var classes = func() (all [256]byte) {
	for b := range all {
		switch {
		case b >= utf8.RuneSelf:
			all[b] = manyByte
		case b == '\\':
			all[b] = escape
		case 'A' <= b && b <= 'Z':
			all[b] = byte(b) + 'a' - 'A'
		case 'a' <= b && b <= 'z' || '0' <= b && b <= '9':
			all[b] = byte(b)
		}
	}
	return all
}()

// eachWord calls take with each word of a text, which is JSON, with escapes, or plain.
func eachWord(text []byte, isJSON bool, take func([]byte) bool) {
	var room [64]byte
	word := room[:0]
	for i := 0; i < len(text); {
		class := classes[text[i]]
		if class > manyByte {
			word = append(word, class)
			i++
			continue
		}
		var r rune = ' '
		size := 1
		switch {
		case class == escape && isJSON:
			r, size = unescaped(text[i:])
		case class == manyByte:
			r, size = utf8.DecodeRune(text[i:])
		}
		i += size
		alone := isAlone(r)
		if !alone && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) {
			word = utf8.AppendRune(word, unicode.ToLower(r))
			continue
		}
		if len(word) > 0 && !take(word) {
			return
		}
		word = word[:0]
		if alone {
			if word = utf8.AppendRune(word, r); !take(word) {
				return
			}
			word = word[:0]
		}
	}
	if len(word) > 0 {
		take(word)
	}
}

// isAlone says whether a character is a word by itself.
func isAlone(r rune) bool {
	const first = 0x0E00 // of them all
	return r >= first && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar)
}

// unescaped is the character of the escape that JSON begins with, and its size.
func unescaped(text []byte) (rune, int) {
	if len(text) < 2 || text[1] != 'u' {
		return ' ', min(2, len(text)) // a sign or a control character
	}
	if len(text) < 6 {
		return ' ', len(text)
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	if err != nil {
		return ' ', 6
	}
	if n < 0xD800 || n >= 0xE000 {
		return rune(n), 6
	}
	if len(text) >= 12 && text[6] == '\\' && text[7] == 'u' {
		if low, err := strconv.ParseUint(string(text[8:12]), 16, 16); err == nil && n < 0xDC00 && low >= 0xDC00 && low < 0xE000 {
			return rune(n-0xD800)<<10 + rune(low-0xDC00) + 0x10000, 12
		}
	}
	return ' ', 6
}

// argumentsIn is the value of the member args in the text of an event; nil: it has none. It reads the text no further than it must,
// and does not check it: whoever recorded it did.
func argumentsIn(text []byte) []byte {
	i := skipBlanks(text, 0)
	if i >= len(text) || text[i] != '{' {
		return nil
	}
	for i++; ; i++ {
		i = skipBlanks(text, i)
		begin := i
		if i = skipString(text, i); i >= len(text) || text[begin] != '"' {
			return nil
		}
		name := text[begin:i]
		if i = skipBlanks(text, i); i >= len(text) || text[i] != ':' {
			return nil
		}
		value := skipBlanks(text, i+1)
		i = skipValue(text, value)
		if string(name) == `"args"` {
			return text[value:i]
		}
		if i = skipBlanks(text, i); i >= len(text) || text[i] != ',' {
			return nil
		}
	}
}

func skipBlanks(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n') {
		i++
	}
	return i
}

// skipString returns where the string that begins at i ends.
func skipString(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// skipValue returns where the value that begins at i ends.
func skipValue(text []byte, i int) int {
	for depth := 0; i < len(text); {
		switch text[i] {
		case '"':
			if i = skipString(text, i); depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return i
			}
			if depth == 0 {
				return i + 1
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return len(text)
}
