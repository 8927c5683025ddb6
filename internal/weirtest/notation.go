package weirtest

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// noLineEnd says that the last line of a file has no line end.
const noLineEnd = "«end»\n"

var notation = regexp.MustCompile(`«([0-9A-F ]+)(?:\*([0-9]+))?»`)

// fromText returns the bytes that a text in a scenario stands for.
func fromText(text []byte) []byte {
	text = bytes.TrimSuffix(text, []byte(noLineEnd))
	return notation.ReplaceAllFunc(text, func(m []byte) []byte {
		parts := notation.FindSubmatch(m)
		b, err := hex.DecodeString(strings.ReplaceAll(string(parts[1]), " ", ""))
		if err != nil {
			return m
		}
		if len(parts[2]) > 0 {
			n, _ := strconv.Atoi(string(parts[2])) // the expression allows digits only
			b = bytes.Repeat(b, n)
		}
		return b
	})
}

// longRun is how many equal bytes are written as one.
const longRun = 200

// toText is the inverse of fromText: it writes what cannot be seen, or is very long, so that it can be read.
func toText(b []byte) []byte {
	var out bytes.Buffer
	for rest := b; len(rest) > 0; {
		if n := runLength(rest); n >= longRun {
			fmt.Fprintf(&out, "«%02X*%d»", rest[0], n)
			rest = rest[n:]
			continue
		}
		r, size := utf8.DecodeRune(rest)
		if r == '\n' || r != utf8.RuneError && unicode.IsPrint(r) {
			out.Write(rest[:size])
		} else {
			fmt.Fprintf(&out, "«% X»", rest[:size])
		}
		rest = rest[size:]
	}
	if len(b) > 0 && b[len(b)-1] != '\n' {
		out.WriteString(noLineEnd)
	}
	return out.Bytes()
}

// runLength counts the bytes at the beginning that are equal.
func runLength(b []byte) int {
	n := 1
	for n < len(b) && b[n] == b[0] {
		n++
	}
	return n
}

// bodyOf returns the bytes of a body in a form.
func bodyOf(text []byte, f form) []byte {
	if f == parcels {
		return packets(text)
	}
	if f == whole || f == array {
		text = bytes.TrimSuffix(text, []byte("\n"))
	}
	return fromText(text)
}

// textOf writes a body of a form for a scenario.
func textOf(body []byte, f form) []byte {
	if f == parcels {
		return packetsText(body)
	}
	if (f == whole || f == array) && len(body) > 0 {
		body = append(bytes.Clone(body), '\n')
	}
	return toText(body)
}
