package condition

import (
	"github.com/weir-gate/weir/internal/policy/expr"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// exprLeaf compiles a condition that is an expression.
func (c *Compiler) exprLeaf(n *yamlfile.Node, op operator) *Condition {
	if at := n.Get("param_path"); at != nil {
		c.report.Add(at, "expr looks at the whole call", "remove param_path, and write args.NAME in the expression")
		return nil
	}
	v := n.Get("value")
	if v == nil {
		c.report.Add(n, `"expr" needs a value`, "add the key value with an expression in CEL")
		return nil
	}
	source, ok := c.report.String(v, "an expression in CEL")
	if !ok {
		return nil
	}
	e, err := expr.Compile(source)
	if err != nil {
		c.report.Add(v, "this is not an expression that can be evaluated: "+err.Error(),
			"use tool, server, args, actor and session, and compare to get true or false")
		return nil
	}
	return &Condition{op: op, expr: e, want: string(v.JSON())}
}

// exprHolds evaluates an expression. If it fails or costs too much, the call is refused. The quantifier matters if the call can be
// seen in several ways: a host with several names.
func (f *Facts) exprHolds(e *expr.Expression, q quantifier) bool {
	f.work.spend(stepsPerExpr * f.size)
	if f.native == nil {
		f.native = f.args.Native()
	}
	as, a := f.As, f.As.Actor
	in := expr.Input{
		Tool: as.Tool, Server: as.Server, Session: a.Session,
		Actor: map[string]string{"org": a.Org, "team": a.Team, "employee": a.Employee, "key": a.Key, "session": a.Session},
	}
	held := q == EveryValue
	for _, in.Args = range as.eachHost(f.native) {
		// Every way is evaluated, so that no failure goes unnoticed.
		one, err := e.Eval(in)
		f.Failed = f.Failed || err != nil
		if one == (q == AnyValue) {
			held = one
		}
	}
	return held
}
