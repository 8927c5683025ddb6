package script

import "github.com/tdewolff/parse/v2/js"

// each calls visit with the statements and expressions directly inside n, in the order in which they are evaluated. Functions,
// classes, declarations and patterns are left to the caller.
func each(n js.INode, visit func(js.INode)) {
	expr := func(e js.IExpr) {
		if e != nil {
			visit(e)
		}
	}
	stmt := func(s js.IStmt) {
		if s != nil {
			visit(s)
		}
	}
	switch n := n.(type) {
	case *js.ExprStmt:
		expr(n.Value)
	case *js.IfStmt:
		expr(n.Cond)
		stmt(n.Body)
		stmt(n.Else)
	case *js.DoWhileStmt:
		stmt(n.Body)
		expr(n.Cond)
	case *js.WhileStmt:
		expr(n.Cond)
		stmt(n.Body)
	case *js.LabelledStmt:
		stmt(n.Value)
	case *js.ReturnStmt:
		expr(n.Value)
	case *js.ThrowStmt:
		expr(n.Value)
	case *js.EmptyStmt, *js.BranchStmt, *js.DebuggerStmt, *js.DirectivePrologueStmt, *js.Comment,
		*js.LiteralExpr, js.LiteralExpr, *js.NewTargetExpr:
	default:
		eachExpr(n, expr)
	}
}

func eachExpr(n js.INode, expr func(js.IExpr)) {
	switch n := n.(type) {
	case *js.ArrayExpr:
		for _, e := range n.List {
			expr(e.Value)
		}
	case *js.ObjectExpr:
		for _, p := range n.List {
			if p.Name != nil && p.Name.Computed != nil {
				expr(p.Name.Computed)
			}
			expr(p.Value)
			expr(p.Init)
		}
	case *js.TemplateExpr:
		expr(n.Tag)
		for _, part := range n.List {
			expr(part.Expr)
		}
	case *js.GroupExpr:
		expr(n.X)
	case *js.IndexExpr:
		expr(n.X)
		expr(n.Y)
	case *js.DotExpr:
		expr(n.X)
	case *js.NewExpr:
		expr(n.X)
		if n.Args != nil {
			for _, arg := range n.Args.List {
				expr(arg.Value)
			}
		}
	case *js.CallExpr:
		expr(n.X)
		for _, arg := range n.Args.List {
			expr(arg.Value)
		}
	case *js.UnaryExpr:
		expr(n.X)
	case *js.BinaryExpr:
		expr(n.X)
		expr(n.Y)
	case *js.CondExpr:
		expr(n.Cond)
		expr(n.X)
		expr(n.Y)
	case *js.YieldExpr:
		expr(n.X)
	case *js.CommaExpr:
		for _, e := range n.List {
			expr(e)
		}
	default:
		opaque("the text has syntax that is not followed")
	}
}

// unwrap removes the parentheses around an expression.
func unwrap(e js.IExpr) js.IExpr {
	for {
		group, ok := e.(*js.GroupExpr)
		if !ok {
			return e
		}
		e = group.X
	}
}

// private reports whether n reads a private member, with # before its name. Only its class can reach it.
func private(n *js.DotExpr) bool {
	_, ok := n.Y.(*js.Var)
	return ok
}

// dotName is the name of the member that n reads.
func dotName(n *js.DotExpr) string {
	switch y := n.Y.(type) {
	case js.LiteralExpr:
		return identifier(y.Data)
	case *js.LiteralExpr:
		return identifier(y.Data)
	}
	opaque("the text has syntax that is not followed")
	return ""
}
