// Package notation is how scenarios write bytes: what cannot be seen by its numbers, and the messages of binary event streams line by line.
package notation

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

// Bytes returns the bytes that a text in a scenario stands for.
func Bytes(text []byte) []byte {
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

// Text is the inverse of Bytes: it writes what cannot be seen, or is very long, so that it can be read.
func Text(b []byte) []byte {
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
