package yamlfile

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// A converter turns the YAML parser's tree into nodes.
type converter struct {
	report  *Report
	depth   int
	scalars int  // scalars and keys in the file
	broken  bool // the tree is incomplete
}

// convert fills out. It already has its position in the tree, so that problems further down can name it.
func (c *converter) convert(n ast.Node, out *Node) *Node {
	out.Line, out.Column = place(n)
	if c.depth++; c.depth > maxDepth {
		c.fail(out, "values are nested too deeply", fmt.Sprintf("keep to %d levels", maxDepth))
		return out
	}
	defer func() { c.depth-- }()
	switch n := n.(type) {
	case *ast.MappingNode:
		out.Kind = Map
		c.entries(out, n.Values)
	case *ast.MappingValueNode:
		out.Kind = Map
		c.entries(out, []*ast.MappingValueNode{n})
	case *ast.SequenceNode:
		out.Kind = List
		for i, v := range n.Values {
			out.Items = append(out.Items, c.convert(v, &Node{parent: out, index: i}))
		}
	case *ast.LiteralNode:
		c.scalars++
		out.Kind, out.Text = String, n.Value.Value
	default:
		c.scalar(out, n)
	}
	return out
}

// entries fills a mapping. A key that occurs twice is reported, and its first value counts.
func (c *converter) entries(out *Node, values []*ast.MappingValueNode) {
	first := make(map[string]int, len(values))
	for _, v := range values {
		key := v.Key.GetToken()
		if key == nil || key.Position == nil {
			c.fail(out, "a key cannot be read", "write key: value")
			return
		}
		c.scalars++
		value := c.convert(v.Value, &Node{parent: out, name: key.Value})
		entry := Entry{Name: key.Value, Line: key.Position.Line, Col: key.Position.Column, Value: value}
		if line, twice := first[entry.Name]; twice {
			c.report.problems = append(c.report.problems, Problem{
				File: c.report.file, Line: entry.Line, Column: entry.Col, Key: value.Key(),
				Message: fmt.Sprintf("this key is given twice, first on line %d", line), Cure: "remove one of them",
			})
			continue
		}
		first[entry.Name] = entry.Line
		out.Entries = append(out.Entries, entry)
	}
}

// scalar fills a scalar. The parser's own recognition of numbers is not used: it takes long numbers and 1e3 for strings.
func (c *converter) scalar(out *Node, n ast.Node) {
	t := n.GetToken()
	if t == nil {
		c.fail(out, "a value cannot be read", "write it in quotes")
		return
	}
	out.Text = t.Value
	switch t.Type {
	case token.ImplicitNullType:
		out.Kind, out.Text = Null, ""
		return
	case token.NullType:
		out.Kind = Null
	case token.BoolType:
		out.Kind, out.Text = Bool, strings.ToLower(t.Value)
	case token.IntegerType, token.BinaryIntegerType, token.OctetIntegerType, token.HexIntegerType, token.FloatType,
		token.InfinityType, token.NanType:
		out.Kind = Number
	case token.SingleQuoteType, token.DoubleQuoteType:
		out.Kind = String
	case token.StringType:
		out.Kind = String
		if isJSONNumber(t.Value) {
			out.Kind = Number
		}
	default:
		c.fail(out, "this kind of value is not supported", "write a string, number, list or mapping")
		return
	}
	c.scalars++
}

func (c *converter) fail(n *Node, message, cure string) {
	c.broken = true
	c.report.at(n.Line, n.Column, message, cure)
}
