// Package condition compiles the conditions of rules and says whether they hold for the arguments of a call.
package condition

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/policy/expr"
	"github.com/weir-gate/weir/internal/text/redact"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A Condition is a block of conditions (any, all, none) or one test of arguments.
type Condition struct {
	block string // "" for a test
	of    []Condition

	path int // index in the paths of the policy
	op   operator
	test test
	expr *expr.Expression // of the operator expr
	// under is the test of a condition on circumstances; nil: it is another one.
	under circumstance
	// words are indexes among the words of the path. A text must have one of these words; nil: none are known.
	words []int
	want  string // the value in the policy, as JSON, for explanations
}

// These are the blocks.
const (
	blockAny  = "any"
	blockAll  = "all"
	blockNone = "none"
)

var (
	blocks     = []string{blockAny, blockAll, blockNone}
	blockKeys  = append(slices.Clone(blocks), circumstanceKeys...)
	blockShape = yamlfile.Shape{Optional: blockKeys}
	testShape  = yamlfile.Shape{Required: []string{"operator"}, Optional: []string{"param_path", "value"}}
)

// A Compiler compiles the conditions of one policy. They share paths and words.
type Compiler struct {
	report *yamlfile.Report
	list   Paths
	places map[string]int  // param_path to its index in the list
	words  map[wordKey]int // a word to its index among those of its path
	// OfConnections says that the conditions being compiled are about connections.
	OfConnections bool
}

// NewCompiler returns a compiler that adds problems to report.
func NewCompiler(report *yamlfile.Report) *Compiler {
	return &Compiler{report: report, places: map[string]int{}, words: map[wordKey]int{}}
}

// Compile compiles a block or a test. It returns nil if a reported problem leaves nothing to evaluate.
func (c *Compiler) Compile(n *yamlfile.Node) *Condition {
	if n.Kind != yamlfile.Map || len(n.Entries) == 0 {
		c.report.Add(n, "expected a condition", "write any, all or none with a list, time, model, or param_path with operator and value")
		return nil
	}
	isBlock := slices.ContainsFunc(n.Entries, func(e yamlfile.Entry) bool { return slices.Contains(blockKeys, e.Name) })
	if !isBlock {
		return c.leaf(n)
	}
	if !c.report.Mapping(n, blockShape) {
		return nil
	}
	// Several blocks side by side must all hold.
	both := Condition{block: blockAll}
	for _, e := range n.Entries {
		switch {
		case slices.Contains(blocks, e.Name):
			both.of = append(both.of, c.listed(e))
		case slices.Contains(circumstanceKeys, e.Name):
			if of, ok := c.circumstance(e); ok {
				both.of = append(both.of, of)
			}
		}
	}
	if len(both.of) == 1 {
		return &both.of[0]
	}
	return &both
}

func (c *Compiler) listed(e yamlfile.Entry) Condition {
	out := Condition{block: e.Name}
	items, _ := c.report.List(e.Value)
	for _, item := range items {
		if sub := c.Compile(item); sub != nil {
			out.of = append(out.of, *sub)
		}
	}
	return out
}

// leaf compiles one test.
func (c *Compiler) leaf(n *yamlfile.Node) *Condition {
	if !c.report.Mapping(n, testShape) {
		return nil
	}
	out := &Condition{}
	op, known := c.operator(n.Get("operator"))
	at := n.Get("param_path")
	if known && op.kind == opExpr {
		return c.exprLeaf(n, op)
	}
	if at == nil && known && !c.OfConnections {
		at = op.usual
		if op.ofClients != nil {
			op.compile = op.ofClients
		}
	}
	if at == nil && known {
		c.report.Add(n, yamlfile.Quote(op.name)+" needs a param_path", "name the parameter, or write $ for all of them")
	}
	if at == nil || !known {
		if at != nil {
			c.Path(at, false)
		}
		return nil
	}
	place, ok := c.Path(at, op.kind == opText)
	if !ok {
		return nil
	}
	out.path, out.op = place, op
	if c.list[place].takesAll() && op.kind != opText && op.kind != opTyped {
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
	if out.test, ok = op.compile(c, value); !ok {
		return nil
	}
	out.words = c.wordPlaces(place, out.test.words)
	out.want = string(value.JSON())
	return out
}

func (c *Compiler) operator(n *yamlfile.Node) (operator, bool) {
	if n == nil {
		return operator{}, false
	}
	word, ok := c.report.Word(n, operatorWords)
	if !ok {
		return operator{}, false
	}
	return operatorNamed(word), true
}

// wordPlaces registers the words that a test of a path needs, and returns their indexes.
func (c *Compiler) wordPlaces(path int, words []string) []int {
	var places []int
	for _, w := range words {
		key := wordKey{path, strings.ToLower(w)}
		place, known := c.words[key]
		if !known {
			p := &c.list[path]
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

// A Secret is a set of secrets that a condition looks for and that must not be recorded, and its path.
type Secret struct {
	Set  *redact.Set
	Path int
}

// Secrets are the secrets that the conditions of a rule look for and that must not be recorded.
func (c *Condition) Secrets() (found []Secret) {
	if c == nil {
		return nil
	}
	if c.test.secrets != nil {
		found = append(found, Secret{c.test.secrets, c.path})
	}
	for i := range c.of {
		found = append(found, c.of[i].Secrets()...)
	}
	return found
}

// Line formats a condition on one line.
func (c *Condition) Line(p Paths) string {
	if c.block == "" {
		return c.testLine(p)
	}
	joint := map[string]string{blockAny: " or ", blockAll: " and ", blockNone: " or "}[c.block]
	parts := make([]string, len(c.of))
	for i := range c.of {
		parts[i] = c.of[i].Line(p)
		if inner := c.of[i].block; len(c.of[i].of) > 1 && len(c.of) > 1 && inner != blockNone {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	text := strings.Join(parts, joint)
	if c.block == blockNone {
		return "not (" + text + ")"
	}
	return text
}

func (c *Condition) testLine(p Paths) string {
	text := c.op.name
	if c.op.kind != opExpr && c.op.kind != opCircumstance {
		text = p[c.path].text + " " + text
	}
	if c.want != "" {
		text += " " + argument.Shorten(argument.Clip(c.want))
	}
	return text
}
