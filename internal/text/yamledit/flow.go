package yamledit

import (
	"bytes"
	"strings"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// flowStart returns the position of a list or mapping that is written with brackets; false: it is not.
func (e *editing) flowStart(n *yamlfile.Node, bracket byte) (at int, flow bool) {
	if n.Line < 1 || n.Line > len(e.lines) {
		return 0, false
	}
	for _, line := range e.lines[:n.Line-1] {
		at += len(line)
	}
	column := 1
	for i := range e.lines[n.Line-1] {
		if column == n.Column {
			return at + i, e.text[at+i] == bracket
		}
		column++
	}
	return 0, false
}

// insertFlow inserts a member or an item before the bracket that closes what begins at a position.
func (e *editing) insertFlow(start int, text string) {
	end := e.closing(start)
	if end < 0 {
		e.odd = true
		return
	}
	inside := bytes.TrimRight(e.text[start+1:end], " \t\r\n")
	comma := ", "
	if len(inside) == 0 || inside[len(inside)-1] == ',' {
		comma = ""
	}
	at := start + 1 + len(inside)
	e.text = bytes.Join([][]byte{e.text[:at], []byte(comma + text), e.text[at:]}, nil)
}

// closing returns the position of the bracket that closes the one at a position; -1: it is not found.
func (e *editing) closing(start int) int {
	depth := 0
	var quote, before byte // before is the last character that is not a blank
	for i := start; i < len(e.text); i++ {
		c := e.text[i]
		switch {
		case quote == '"' && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && strings.IndexByte("[{,:", before) >= 0:
			quote = c
		case c == '#' && i > 0 && strings.IndexByte(" \t\n", e.text[i-1]) >= 0:
			next := bytes.IndexByte(e.text[i:], '\n')
			if next < 0 {
				return -1
			}
			i += next
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			if depth--; depth == 0 {
				return i
			}
		}
		if strings.IndexByte(" \t\r\n", c) < 0 {
			before = c
		}
	}
	return -1
}
