package policy

import (
	"errors"
	"maps"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/text/wordset"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

type opKind int

const (
	opScalar opKind = iota // compares the selected values themselves
	opText                 // sees the texts inside them
	opNumber
	opExists
	opTyped // knows what kind of thing a text is
	opExpr  // an expression over the whole call
)

// An operator compares what a path selected with the value of the policy.
type operator struct {
	name    string
	kind    opKind
	negated bool   // not_…
	base    string // the name without not_
}

// ofCommands reports an operator that looks at commands, and so needs no param_path: it looks where commands stand.
func (op operator) ofCommands() bool {
	return op.kind == opTyped && slices.Contains([]string{"runs", "surely_runs", "reads", "writes", "removes"}, op.base)
}

// operators are the built ones by name.
var operators = func() map[string]operator {
	out := map[string]operator{}
	add := func(kind opKind, negatable bool, names ...string) {
		for _, base := range names {
			out[base] = operator{name: base, kind: kind, base: base}
			if negatable {
				out["not_"+base] = operator{name: "not_" + base, kind: kind, negated: true, base: base}
			}
		}
	}
	add(opScalar, true, "equals", "in")
	add(opText, true, "matches", "contains", "starts_with", "ends_with")
	add(opExists, true, "exists")
	add(opNumber, false, "gt", "gte", "lt", "lte")
	add(opTyped, true, "within", "host_in", "cidr_in", "runs", "sql", "reads", "writes", "removes", "path_in")
	add(opTyped, false, "secret", "surely_runs")
	add(opExpr, false, "expr")
	return out
}()

var operatorWords = yamlfile.Choice{
	What:  "an operator",
	Words: slices.Sorted(maps.Keys(operators)),
}

// A test says whether one value, or one text of it, satisfies an operator before negation. One field is set.
type test struct {
	value func(*argument.Value) bool
	text  func(string) bool
	typed typedTest
	words []string // of a text: one of them is in every text that satisfies it, in any case of ASCII letters; nil: none are known
}

// test compiles the value of a condition for its operator.
func (c *compiler) test(op operator, n *yamlfile.Node) (test, bool) {
	switch op.kind {
	case opNumber:
		return c.numberTest(op, n)
	case opText:
		return c.textTest(op, n)
	case opTyped:
		return c.typedTest(op, n)
	default:
		return c.scalarTest(op, n)
	}
}

func (c *compiler) numberTest(op operator, n *yamlfile.Node) (test, bool) {
	limit, ok := c.number(n)
	if !ok {
		return test{}, false
	}
	holds := map[string]func(int) bool{
		"gt":  func(order int) bool { return order > 0 },
		"gte": func(order int) bool { return order >= 0 },
		"lt":  func(order int) bool { return order < 0 },
		"lte": func(order int) bool { return order <= 0 },
	}[op.base]
	return test{value: func(v *argument.Value) bool {
		return v.Kind == '0' && holds(argument.ParseDecimal(v.Text).Compare(limit))
	}}, true
}

func (c *compiler) number(n *yamlfile.Node) (argument.Decimal, bool) {
	literal, ok := c.report.Number(n)
	if !ok {
		return argument.Decimal{}, false
	}
	d := argument.ParseDecimal(literal)
	if d.Huge() {
		c.report.Add(n, "the exponent is too large", "write a number that a tool could be given")
		return argument.Decimal{}, false
	}
	return d, true
}

func (c *compiler) textTest(op operator, n *yamlfile.Node) (test, bool) {
	want, ok := c.report.String(n, "a string to look for")
	if !ok {
		return test{}, false
	}
	switch op.base {
	case "contains":
		return test{text: func(s string) bool { return strings.Contains(s, want) }, words: wordsOf(want)}, true
	case "starts_with":
		return test{text: func(s string) bool { return strings.HasPrefix(s, want) }, words: wordsOf(want)}, true
	case "ends_with":
		return test{text: func(s string) bool { return strings.HasSuffix(s, want) }, words: wordsOf(want)}, true
	}
	re, err := regexp.Compile(want)
	if err != nil {
		c.notRegexp(n, err)
		return test{}, false
	}
	return test{text: re.MatchString, words: wordset.Required(re)}, true
}

// notRegexp reports what is wrong with a regular expression.
func (c *compiler) notRegexp(n *yamlfile.Node, err error) {
	message := err.Error()
	var syntaxError *syntax.Error
	if errors.As(err, &syntaxError) {
		message = syntaxError.Code.String() + ": " + yamlfile.Quote(syntaxError.Expr)
	}
	c.report.Add(n, "this is not a regular expression: "+message, "write RE2, which has no look-around and no back-references")
}

// wordsOf are the words of a test for one text.
func wordsOf(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// scalarTest compiles equals and in: a look-up in a set of scalars.
func (c *compiler) scalarTest(op operator, n *yamlfile.Node) (test, bool) {
	wanted := []*yamlfile.Node{n}
	if op.base == "in" {
		var ok bool
		if wanted, ok = c.report.List(n); !ok {
			return test{}, false
		}
	}
	set, fine := map[string]struct{}{}, true
	for _, item := range wanted {
		v, ok := c.scalar(item)
		if !ok {
			fine = false
			continue
		}
		key, _ := v.ScalarKey()
		set[key] = struct{}{}
	}
	return test{value: func(v *argument.Value) bool {
		key, ok := v.ScalarKey()
		_, found := set[key]
		return ok && found
	}}, fine
}

func (c *compiler) scalar(n *yamlfile.Node) (argument.Value, bool) {
	switch n.Kind {
	case yamlfile.String:
		return argument.Value{Kind: '"', Text: n.Text}, true
	case yamlfile.Bool:
		return argument.Value{Kind: map[string]argument.Kind{"true": 't', "false": 'f'}[n.Text]}, true
	case yamlfile.Number:
		_, ok := c.number(n)
		return argument.Value{Kind: '0', Text: n.Text}, ok
	case yamlfile.Null:
		if n.Text == "" {
			c.report.Add(n, "expected a value, found nothing", `write null to mean null, or "" for an empty string`)
			return argument.Value{}, false
		}
		return argument.Value{Kind: 'n'}, true
	default:
		c.report.Add(n, "expected a string, number, true, false or null, found "+n.Kind.String(), "compare arrays with param_path: name[*]")
		return argument.Value{}, false
	}
}
