package policy

import (
	"slices"

	"github.com/weir-gate/weir/internal/yamlfile"
)

// A condition is a block of conditions (any, all, none) or one test of arguments.
type condition struct {
	block string // "" for a test
	of    []condition

	path int // place in Policy.paths
	op   operator
	test test
	want string // the value of the policy, as JSON, for explanations
}

// The blocks.
const (
	blockAny  = "any"
	blockAll  = "all"
	blockNone = "none"
)

var blocks = []string{blockAny, blockAll, blockNone}

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
	if !c.report.Mapping(n, yamlfile.Shape{Optional: blocks}) {
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
	if !c.report.Mapping(n, yamlfile.Shape{Required: []string{"param_path", "operator"}, Optional: []string{"value"}}) {
		return nil
	}
	out := &condition{}
	op, known := c.operator(n.Get("operator"))
	at := n.Get("param_path")
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
	if len(c.policy.paths[place].steps) == 0 && op.kind != opText {
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
	out.want = string(value.JSON())
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
