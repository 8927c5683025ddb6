// Package yamlfile parses YAML and JSON files strictly and reports everything that is wrong with them at once.
package yamlfile

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

const (
	maxSize  = 4 << 20 // bytes of a file
	maxDepth = 64      // lists and mappings inside each other
	// maxCompact is how many list dashes and colons a line may have outside brackets: "- - - a: b" nests without
	// indentation, and the parser recurses for each.
	maxCompact = 16
)

// Parse parses one file. The node is nil if the file cannot be parsed at all; the report says why. If other problems leave the rest
// usable, such as a key given twice, it returns a node as well, so that the caller can report more.
func Parse(file string, data []byte) (*Node, *Report) {
	r := &Report{file: file}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !r.checkBytes(data) {
		return nil, r
	}
	tokens, body := r.parse(data)
	if body == nil {
		if r.Clean() {
			r.Add(nil, "the file is empty", "write a mapping of keys to values")
		}
		return nil, r
	}
	c := converter{report: r}
	root := c.convert(body, &Node{file: file})
	if r.Clean() && c.scalars != countScalars(tokens) {
		// The parser left something out without an error. An incomplete policy is worse than none.
		r.Add(nil, "part of the file was not understood", "write it in plain block style, or as JSON")
	}
	if c.broken {
		return nil, r
	}
	return root, r
}

// checkBytes reports bytes that no parser should get.
func (r *Report) checkBytes(data []byte) bool {
	if len(data) > maxSize {
		r.Add(nil, fmt.Sprintf("the file has %d bytes", len(data)), fmt.Sprintf("keep it under %d", maxSize))
		return false
	}
	line, column := 1, 1
	for rest := data; len(rest) > 0; {
		c, size := utf8.DecodeRune(rest)
		if c == utf8.RuneError && size == 1 {
			r.at(line, column, "this is not UTF-8 text", "save the file as UTF-8")
			return false
		}
		if c == 0 || (c < ' ' && c != '\n' && c != '\r' && c != '\t') || c == 0x7f {
			r.at(line, column, fmt.Sprintf("control character %U", c), `remove it, or write it as an escape in double quotes ("\u0000")`)
			return false
		}
		if rest = rest[size:]; c == '\n' {
			line, column = line+1, 1
		} else {
			column++
		}
	}
	return true
}

// parse runs the YAML parser. Its panics on odd input become problems.
func (r *Report) parse(data []byte) (tokens token.Tokens, body ast.Node) {
	defer func() {
		if recover() != nil {
			r.Add(nil, "this is not YAML that can be read", "write it in plain block style, or as JSON")
			tokens, body = nil, nil
		}
	}()
	tokens = lexer.Tokenize(string(data))
	if !r.checkTokens(tokens) {
		return nil, nil
	}
	// All duplicate keys are found in the tree; the parser would report only the first.
	f, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		r.syntax(err)
		return nil, nil
	}
	for _, doc := range f.Docs {
		if doc.Body == nil {
			continue
		}
		if body != nil {
			line, column := place(doc.Body)
			r.at(line, column, "a second document begins here", "keep one document in a file")
			return nil, nil
		}
		body = doc.Body
	}
	return tokens, body
}

// syntax reports an error of the YAML parser, without the source lines that it would print: they may have secrets.
func (r *Report) syntax(err error) {
	var syntaxError yaml.Error
	if !errors.As(err, &syntaxError) || syntaxError.GetToken() == nil {
		r.Add(nil, "this is not YAML", "check quotes, brackets and indentation")
		return
	}
	message := syntaxError.GetMessage()
	pos := syntaxError.GetToken().Position
	if strings.Contains(message, "reserved character") {
		r.at(pos.Line, pos.Column, "a plain value cannot begin with this character", "put the value in quotes")
		return
	}
	r.at(pos.Line, pos.Column, message, "check quotes, brackets and indentation here and just before")
}

// checkTokens reports syntax that weir's files do not use, and nesting that is too deep for the recursive parser.
func (r *Report) checkTokens(tokens token.Tokens) bool {
	depth, compact, line := 0, 0, 0
	for _, t := range tokens {
		pos := t.Position
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			depth, compact = depth+1, 0
		case token.SequenceEndType, token.MappingEndType:
			depth, compact = depth-1, 0
		case token.CollectEntryType:
			compact = 0
		case token.SequenceEntryType, token.MappingValueType:
			if depth <= 0 && pos.Line != line {
				compact, line = 0, pos.Line
			}
			compact++
		default:
			if message, cure := unused(t); message != "" {
				r.at(pos.Line, pos.Column, message, cure)
			}
		}
		if depth > maxDepth || compact > maxCompact {
			r.at(pos.Line, pos.Column, "values are nested too deeply", fmt.Sprintf("keep to %d levels", maxDepth))
			return false
		}
	}
	return r.Clean()
}

// unused says why a kind of token is not accepted; "": it is accepted.
func unused(t *token.Token) (message, cure string) {
	switch t.Type {
	case token.AnchorType:
		return "anchors (&name) are not supported", "write the value out, or put it in quotes if it begins with &"
	case token.AliasType:
		return "aliases (*name) are not supported", `write the value out, or put a glob in quotes: "*"`
	case token.MergeKeyType:
		return "merge keys (<<) are not supported", "write the keys out"
	case token.TagType:
		return "tags (!name) are not supported", "leave the tag out, or put the value in quotes if it begins with !"
	case token.DirectiveType:
		return "directives (%NAME) are not supported", "leave the line out, or put a glob in quotes"
	case token.MappingKeyType:
		return "keys introduced by ? are not supported", "write key: value"
	default:
		return "", ""
	}
}

// countScalars counts the scalars that the tree must have.
func countScalars(tokens token.Tokens) int {
	n := 0
	for _, t := range tokens {
		switch t.Type {
		case token.SingleQuoteType, token.DoubleQuoteType, token.NullType, token.InfinityType, token.NanType, token.IntegerType,
			token.BinaryIntegerType, token.OctetIntegerType, token.HexIntegerType, token.FloatType, token.StringType, token.BoolType:
			n++
		}
	}
	return n
}

func place(n ast.Node) (line, column int) {
	// The token of a block mapping is its first colon, but people look for its first key.
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		n = m.Values[0].Key
	}
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line, t.Position.Column
	}
	return 0, 0
}
