package expr

import (
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
)

// reads are what an expression looks at.
type reads struct {
	members []string // names of members of args
	all     bool     // it uses args without naming a member
	server  bool
}

// ReadsMember says whether a member of args could change the result of the expression.
func (e *Expression) ReadsMember(name string) bool {
	for _, member := range e.reads.members {
		if strings.EqualFold(member, name) {
			return true
		}
	}
	return e.reads.all
}

// ReadsServer says whether the expression looks at server.
func (e *Expression) ReadsServer() bool { return e.reads.server }

// readsOf walks through an expression.
func readsOf(root ast.Expr) (r reads) {
	named := map[int64]bool{} // ids of args before a member's name
	ast.PreOrderVisit(root, ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.SelectKind:
			if s := e.AsSelect(); isArgs(s.Operand()) {
				r.members = append(r.members, s.FieldName())
				named[s.Operand().ID()] = true
			}
		case ast.CallKind:
			c := e.AsCall()
			if c.FunctionName() != operators.Index || len(c.Args()) != 2 || !isArgs(c.Args()[0]) || c.Args()[1].Kind() != ast.LiteralKind {
				return
			}
			if name, ok := c.Args()[1].AsLiteral().Value().(string); ok {
				r.members = append(r.members, name)
				named[c.Args()[0].ID()] = true
			}
		case ast.IdentKind:
			r.all = r.all || isArgs(e) && !named[e.ID()]
			r.server = r.server || e.AsIdent() == "server"
		}
	}))
	return r
}

func isArgs(e ast.Expr) bool { return e.Kind() == ast.IdentKind && e.AsIdent() == "args" }
