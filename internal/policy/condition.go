package policy

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy/expr"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A condition is a block of conditions (any, all, none) or one test of arguments.
type condition struct {
	block string // "" for a test
	of    []condition

	path int // place in Policy.paths
	op   operator
	test test
	expr *expr.Expression // of the operator expr
	// secrets are what the operator secret looks for; the record must not have them.
	secrets *sanitizer
	// words are the places, among those of the path, of words of which one must be in a text; nil: none are known.
	words []int
	want  string // the value of the policy, as JSON, for explanations
}

// The blocks.
const (
	blockAny  = "any"
	blockAll  = "all"
	blockNone = "none"
)

var (
	blocks     = []string{blockAny, blockAll, blockNone}
	blockShape = yamlfile.Shape{Optional: blocks}
	testShape  = yamlfile.Shape{Required: []string{"operator"}, Optional: []string{"param_path", "value"}}
)

// condition compiles a block or a test. It returns nil when it reported something that leaves nothing to evaluate.
func (c *compiler) condition(n *yamlfile.Node) *condition {
	if n.Kind != yamlfile.Map || len(n.Entries) == 0 {
		c.report.Add(n, "expected a condition", "write any, all or none with a list, or param_path with operator and value")
		return nil
	}
	isBlock := slices.ContainsFunc(n.Entries, func(e yamlfile.Entry) bool { return slices.Contains(blocks, e.Name) })
	if !isBlock {
		return c.leaf(n)
	}
	if !c.report.Mapping(n, blockShape) {
		return nil
	}
	// Several blocks side by side must all hold.
	both := condition{block: blockAll}
	for _, e := range n.Entries {
		if slices.Contains(blocks, e.Name) {
			both.of = append(both.of, c.listed(e))
		}
	}
	if len(both.of) == 1 {
		return &both.of[0]
	}
	return &both
}

func (c *compiler) listed(e yamlfile.Entry) condition {
	out := condition{block: e.Name}
	items, _ := c.report.List(e.Value)
	for _, item := range items {
		if sub := c.condition(item); sub != nil {
			out.of = append(out.of, *sub)
		}
	}
	return out
}

// leaf compiles one test.
func (c *compiler) leaf(n *yamlfile.Node) *condition {
	if !c.report.Mapping(n, testShape) {
		return nil
	}
	out := &condition{}
	op, known := c.operator(n.Get("operator"))
	at := n.Get("param_path")
	if known && op.kind == opExpr {
		return c.exprLeaf(n, op)
	}
	if at == nil && known && op.ofCommands() && !c.ofConnections {
		at = commandPaths
	}
	if at == nil && known {
		c.report.Add(n, yamlfile.Quote(op.name)+" needs a param_path", "name the parameter, or write $ for all of them")
	}
	if at == nil || !known {
		if at != nil {
			c.path(at, false)
		}
		return nil
	}
	place, ok := c.path(at, op.kind == opText)
	if !ok {
		return nil
	}
	out.path, out.op = place, op
	if c.policy.paths[place].takesAll() && op.kind != opText && op.kind != opTyped {
		c.report.Add(n.Get("operator"), yamlfile.Quote(op.name)+" does not fit $, which is always an object",
			"use a string operator, or name a parameter")
		return nil
	}
	value := n.Get("value")
	switch {
	case op.kind == opExists && value != nil:
		c.report.Add(value, yamlfile.Quote(op.name)+" takes no value", "remove the key")
		return nil
	case op.kind == opExists:
		return out
	case value == nil:
		c.report.Add(n, yamlfile.Quote(op.name)+" needs a value", "add the key value")
		return nil
	}
	if out.test, ok = c.test(op, value); !ok {
		return nil
	}
	out.words = c.wordPlaces(place, out.test.words)
	out.want = string(value.JSON())
	out.secrets = c.hides(op, place, value)
	return out
}

func (c *compiler) operator(n *yamlfile.Node) (operator, bool) {
	if n == nil {
		return operator{}, false
	}
	word, ok := c.report.Word(n, operatorWords)
	if !ok {
		return operator{}, false
	}
	return operators[word], true
}

// wordPlaces notes words that a test of a path needs, and returns their places.
func (c *compiler) wordPlaces(path int, words []string) []int {
	var places []int
	for _, w := range words {
		key := wordKey{path, strings.ToLower(w)}
		place, known := c.words[key]
		if !known {
			p := &c.policy.paths[path]
			place = len(p.words)
			c.words[key] = place
			p.words = append(p.words, w)
		}
		places = append(places, place)
	}
	return places
}

// A wordKey is a word that some test of a path needs.
type wordKey struct {
	path int
	word string
}
