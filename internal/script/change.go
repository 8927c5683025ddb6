package script

import "github.com/tdewolff/parse/v2/js"

// assigned notes that a name, a member or a pattern is assigned to by n: a *js.BinaryExpr, a *js.UnaryExpr, or nil for
// the head of a loop.
func (r *reader) assigned(target js.IExpr, n js.INode, s *scope) {
	switch t := unwrap(target).(type) {
	case *js.Var:
		r.assignedName(identifier(t.Data), n, s)
	case *js.DotExpr:
		if !private(t) {
			if name := dotName(t); name == "toJSON" || forbidden[name] {
				opaque("the text changes how values are read")
			}
		}
		r.memberChanged(t.X, false, s)
	case *js.IndexExpr:
		r.memberChanged(t.X, mayBeFunction(n), s)
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
		b = r.top.declare(name) // outside of strict mode this makes a global variable
		b.loose = true
	}
	b.writes++
	b.counter = b.counter && counts(n)
}

// counts reports whether n assigns a number to a name that stands for a number.
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

// mayBeFunction reports whether what n assigns may be a function.
func mayBeFunction(n js.INode) bool {
	switch n := n.(type) {
	case *js.UnaryExpr:
		return false
	case *js.BinaryExpr:
		switch n.Op {
		case js.EqToken, js.AndEqToken, js.OrEqToken, js.NullishEqToken:
			return !evidentData(n.Y)
		}
		return false
	}
	return true
}

// evidentData reports whether an expression is seen not to be a function.
func evidentData(e js.IExpr) bool {
	switch n := unwrap(e).(type) {
	case *js.LiteralExpr:
		return n.TokenType != js.ThisToken
	case *js.TemplateExpr:
		return n.Tag == nil
	case *js.ObjectExpr, *js.ArrayExpr:
		return true
	case *js.UnaryExpr:
		return n.Op != js.AwaitToken
	case *js.BinaryExpr:
		switch n.Op {
		case js.AndToken, js.OrToken, js.NullishToken:
			return evidentData(n.X) && evidentData(n.Y)
		}
		return !assigns(n.Op) || n.Op != js.EqToken && n.Op != js.OrEqToken && n.Op != js.AndEqToken && n.Op != js.NullishEqToken
	case *js.CondExpr:
		return evidentData(n.X) && evidentData(n.Y)
	}
	return false
}

// memberChanged notes that a member of e is assigned to. function: under a computed name, and possibly with a function.
func (r *reader) memberChanged(e js.IExpr, function bool, s *scope) {
	deep := false
	for {
		switch t := unwrap(e).(type) {
		case *js.DotExpr:
			deep, e = true, t.X
			continue
		case *js.IndexExpr:
			deep, e = true, t.X
			continue
		case *js.Var:
			name := identifier(t.Data)
			b := s.lookup(name)
			if b == nil {
				if deep || r.reserved(name) || harmless[name] {
					opaque("the text changes what it does not declare")
				}
				r.poisoned = true
				return
			}
			r.changes = append(r.changes, change{b, deep})
			if function && (deep || !b.fresh) {
				r.prototypes = true
			}
			return
		case *js.LiteralExpr:
			if t.TokenType == js.ThisToken && s.fn != nil && s.fn.inClass && !deep {
				return
			}
		case *js.ArrayExpr, *js.ObjectExpr:
			if !deep {
				return
			}
		case *js.CallExpr:
			if !deep && makesArray(t) {
				return
			}
		}
		r.poisoned = true
		if function {
			r.prototypes = true
		}
		return
	}
}

// makesArray reports whether a call is seen to make an array of its own: a change of it is seen nowhere else.
func makesArray(n *js.CallExpr) bool {
	dot, ok := unwrap(n.X).(*js.DotExpr)
	if !ok || private(dot) {
		return false
	}
	switch dotName(dot) {
	case "split", "slice", "map", "flatMap", "filter", "concat", "keys", "entries", "values", "from", "flat":
		return true
	}
	return false
}
