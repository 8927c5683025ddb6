package warn

import (
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A rule is a rule as it is written, with its parts at hand.
type rule struct {
	policy.WrittenRule
	id       string
	verdict  policy.Verdict
	surfaces []string
	scope
	conditions *test // nil: none
	unless     []exception
	shadow     bool
	limited    bool // it has a rate
}

// A scope is which calls a rule or an exception is about, whatever their arguments are.
type scope struct {
	tools, notTools, servers []*yamlfile.Node
	who                      []yamlfile.Entry
	hints                    *yamlfile.Node // nil: none
}

// An exception is an exception of a rule.
type exception struct {
	node *yamlfile.Node
	scope
	conditions *test          // nil: none
	until      *yamlfile.Node // nil: it has no end
}

// A test is a condition: a block of conditions, or one test of arguments or circumstances.
type test struct {
	node  *yamlfile.Node
	block string // any, all or none; "": it is one test
	of    []*test

	operator string // without not_
	negated  bool
	paths    []string // nil: where the operator usually looks
	values   []*yamlfile.Node
}

// These are the blocks, and the names of tests of circumstances.
const (
	blockAny  = "any"
	blockAll  = "all"
	blockNone = "none"
	opTime    = "time"
	opModel   = "model"
	opExpr    = "expr"
)

func newRule(w policy.WrittenRule) *rule {
	r := &rule{WrittenRule: w, id: textOf(w.Get("id")), verdict: policy.Verdict(textOf(w.Get("verdict"))), scope: newScope(w.Node)}
	for _, n := range items(w.Get("surface")) {
		r.surfaces = append(r.surfaces, n.Text)
	}
	if r.surfaces == nil {
		r.surfaces = []string{string(call.Response), string(call.MCP)}
	}
	if n := w.Get("conditions"); n != nil {
		r.conditions = newTest(n)
	}
	for _, n := range items(w.Get("unless")) {
		x := exception{node: n, scope: newScope(n), until: n.Get("until")}
		if c := n.Get("conditions"); c != nil {
			x.conditions = newTest(c)
		}
		r.unless = append(r.unless, x)
	}
	r.shadow = textOf(w.Get("shadow")) == "true"
	r.limited = w.Get("rate_limit") != nil
	return r
}

func newScope(n *yamlfile.Node) scope {
	s := scope{tools: items(n.Get("tool")), notTools: items(n.Get("not_tool")), servers: items(n.Get("server")), hints: n.Get("hints")}
	if who := n.Get("who"); who != nil {
		s.who = who.Entries
	}
	return s
}

func newTest(n *yamlfile.Node) *test {
	if op := n.Get("operator"); op != nil {
		t := &test{node: n, operator: op.Text, negated: condition.Negates(op.Text), values: items(n.Get("value"))}
		if t.negated {
			t.operator = t.operator[len("not_"):]
		}
		for _, p := range items(n.Get("param_path")) {
			t.paths = append(t.paths, p.Text)
		}
		return t
	}
	both := &test{node: n, block: blockAll}
	for _, e := range n.Entries {
		if e.Name == opTime || e.Name == opModel {
			both.of = append(both.of, &test{node: e.Value, operator: e.Name})
			continue
		}
		part := &test{node: e.Value, block: e.Name}
		for _, item := range e.Value.Items {
			part.of = append(part.of, newTest(item))
		}
		both.of = append(both.of, part)
	}
	if len(both.of) == 1 {
		return both.of[0]
	}
	return both
}

// items are the items of a list, or the one text in its place.
func items(n *yamlfile.Node) []*yamlfile.Node {
	switch {
	case n == nil:
		return nil
	case n.Kind == yamlfile.List:
		return n.Items
	default:
		return []*yamlfile.Node{n}
	}
}

func textOf(n *yamlfile.Node) string {
	if n == nil {
		return ""
	}
	return n.Text
}

// ofCalls says whether the rule is about calls, not only about what requests offer, or connections.
func (r *rule) ofCalls() bool {
	return slices.Contains(r.surfaces, string(call.Response)) || slices.Contains(r.surfaces, string(call.MCP))
}

// refuses says whether the rule refuses calls that match it.
func (r *rule) refuses() bool { return r.verdict == policy.Deny || r.verdict == policy.PendingApproval }

// A position says what a test in a rule does if it holds.
type position struct {
	// grants says that a call that satisfies it passes for that reason: it is part of what a rule allows, or of an exception to what
	// a rule refuses.
	grants bool
	// none says that it is under an odd number of blocks none.
	none bool
}

// eachTest visits the tests of the rule's conditions and exceptions.
func (r *rule) eachTest(visit func(t *test, at position)) {
	allows := r.verdict == policy.Allow
	if r.conditions != nil {
		r.conditions.each(position{grants: allows}, visit)
	}
	for _, x := range r.unless {
		if x.conditions != nil {
			x.conditions.each(position{grants: !allows}, visit)
		}
	}
}

func (t *test) each(at position, visit func(t *test, at position)) {
	if t.block == "" {
		visit(t, at)
		return
	}
	if t.block == blockNone {
		at = position{grants: !at.grants, none: !at.none}
	}
	for _, part := range t.of {
		part.each(at, visit)
	}
}

// eachBlock visits the blocks of the rule's conditions and exceptions. Some says that one value is enough for its tests.
func (r *rule) eachBlock(visit func(t *test, some bool)) {
	var blocks func(t *test, some bool)
	blocks = func(t *test, some bool) {
		if t == nil || t.block == "" {
			return
		}
		visit(t, some)
		for _, part := range t.of {
			blocks(part, some != (t.block == blockNone))
		}
	}
	restricts := r.verdict != policy.Allow
	blocks(r.conditions, restricts)
	for _, x := range r.unless {
		blocks(x.conditions, !restricts)
	}
}

// names says whether the rule is about the tool of a name that is no server's, or may be.
func (r *rule) names(tool string) bool {
	matches := func(n *yamlfile.Node) bool {
		g := toolname.NewGlob(n.Text)
		return g.Matches(tool)
	}
	if r.hints != nil || len(r.servers) > 0 && !slices.ContainsFunc(r.servers, isAnything) {
		return false
	}
	return slices.ContainsFunc(r.tools, matches) && !slices.ContainsFunc(r.notTools, matches)
}

// isAnything says that a glob matches every name.
func isAnything(n *yamlfile.Node) bool {
	g := toolname.NewGlob(n.Text)
	return g.Anything()
}
