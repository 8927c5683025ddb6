package main

import (
	"encoding/base64"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// leaked says what of a refused call is in what the client got, in any reading of it; "": nothing is.
func (c *cell) leaked(body []byte) string {
	id := c.turn().id
	for _, text := range readings(string(body)) {
		switch {
		case strings.Contains(text, mark):
			return "arguments of the call are in it"
		case strings.Contains(text, "call_"+id):
			return "the id of the call is in it"
		case strings.Count(text, c.verdict.tool) != told(text, c.verdict.tool):
			return "the name of the tool is in it other than in the notice"
		}
	}
	return ""
}

// told is how often a text says that a tool was refused.
func told(text, tool string) int {
	return strings.Count(text, `[weir] The call to "`+tool+`"`) + strings.Count(text, `[weir] The call to \"`+tool+`\"`) +
		strings.Count(text, `[weir] The call to \\\"`+tool+`\\\"`)
}

// readings are a text as it stands, with its escapes undone, once and twice, and what is in base64 in each of these.
func readings(text string) []string {
	once := unescaped(text)
	list := []string{text, once, unescaped(once)}
	for _, t := range list[:2] {
		if hidden := unpacked(t); hidden != "" {
			list = append(list, hidden, unescaped(hidden), unescaped(unescaped(hidden)))
		}
	}
	return list
}

// short are the escapes of one letter that do not stand for that letter.
var short = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f'}

// unescaped undoes the escapes of JSON wherever they are.
func unescaped(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for len(text) > 0 {
		plain, rest, found := strings.Cut(text, `\`)
		b.WriteString(plain)
		if !found || rest == "" {
			break
		}
		text = rest[1:]
		switch c := rest[0]; {
		case c == 'u' && len(rest) >= 5:
			r, n := character(rest)
			b.WriteRune(r)
			text = rest[n:]
		case short[c] != 0:
			b.WriteByte(short[c])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// character is what a text that begins with u and four digits stands for, if it stands behind a backslash, and how long it
// is: a second escape may be part of it.
func character(text string) (r rune, n int) {
	r, n = unit(text[1:5]), 5
	if utf16.IsSurrogate(r) && len(text) >= 11 && text[5:7] == `\u` {
		return utf16.DecodeRune(r, unit(text[7:11])), 11
	}
	return r, n
}

// unit is the number that four digits stand for.
func unit(digits string) rune {
	n, err := strconv.ParseUint(digits, 16, 16)
	if err != nil {
		return unicode.ReplacementChar
	}
	return rune(n)
}

var packed = regexp.MustCompile(`[A-Za-z0-9+/_-]{16,}`)

// unpacked is what stands in base64 in a text, line by line.
func unpacked(text string) string {
	var b strings.Builder
	plain := strings.NewReplacer("-", "+", "_", "/")
	for _, run := range packed.FindAllString(text, -1) {
		run = plain.Replace(run)
		if out, err := base64.RawStdEncoding.DecodeString(run[:len(run)-len(run)%4]); err == nil {
			b.Write(out)
			// The last piece of a run that is not whole.
			if rest, err := base64.RawStdEncoding.DecodeString(run[len(run)-len(run)%4:]); err == nil {
				b.Write(rest)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}
