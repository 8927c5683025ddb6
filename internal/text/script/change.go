package script

import "github.com/tdewolff/parse/v2/js"

// assigned notes that a name or a pattern is assigned to by n: a *js.BinaryExpr, a *js.UnaryExpr, or nil for the head of a loop.
// Assignments to members are handled when the text is interpreted.
func (r *reader) assigned(target js.IExpr, n js.INode, s *scope) {
	switch t := unwrap(target).(type) {
	case *js.Var:
		r.assignedName(identifier(t.Data), n, s)
	case *js.ArrayExpr:
		for _, e := range t.List {
			if e.Value != nil {
				r.assignedPart(e.Value, s)
			}
		}
	case *js.ObjectExpr:
		for _, p := range t.List {
			r.assignedPart(p.Value, s)
		}
	}
}

// assignedPart notes an assignment to a part of a pattern.
func (r *reader) assignedPart(target js.IExpr, s *scope) {
	if withDefault, ok := unwrap(target).(*js.BinaryExpr); ok && withDefault.Op == js.EqToken {
		target = withDefault.X
	}
	r.assigned(target, nil, s)
}

func (r *reader) assignedName(name string, n js.INode, s *scope) {
	b := s.lookup(name)
	if b == nil {
		if r.reserved(name) || harmless[name] || name == "arguments" {
			opaque("the text assigns to what it does not declare")
		}
		b = r.top.declare(name) // outside of strict mode this creates a global variable
		b.loose = true
	}
	b.writes++
	b.varied = b.varied || !counts(n)
}

// counts reports whether n assigns a number to a name that has a number.
func counts(n js.INode) bool {
	switch n := n.(type) {
	case *js.UnaryExpr:
		return n.Op != js.DeleteToken
	case *js.BinaryExpr:
		literal, ok := unwrap(n.Y).(*js.LiteralExpr)
		switch n.Op {
		case js.SubEqToken, js.MulEqToken, js.DivEqToken, js.ModEqToken:
			return true
		case js.AddEqToken, js.EqToken:
			return ok && js.IsNumeric(literal.TokenType)
		}
	}
	return false
}
