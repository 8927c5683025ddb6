package script

import "github.com/tdewolff/parse/v2/js"

// survey finds out, before anything is followed, which binding every name has and whether it ever changes.
func (r *reader) survey(top *js.BlockStmt) {
	r.top = (*scope)(nil).child(nil)
	r.scopes[top] = r.top
	for _, stmt := range top.List {
		r.declareVars(stmt, r.top)
	}
	r.declareLexical(top.List, r.top, false)
	for name, b := range r.top.names {
		if b.hoisted && (r.reserved(name) || timers[name]) {
			opaque("a variable has the name of what reaches tools") // in a script, the variable is exactly that
		}
	}
	r.markLoose(top.List, r.top)
	r.surveyList(top.List, r.top)
}

// markLoose marks the vars that are not declared directly in the body of their function.
func (r *reader) markLoose(list []js.IStmt, s *scope) {
	direct := map[string]bool{}
	for _, stmt := range list {
		if n, ok := stmt.(*js.VarDecl); ok {
			for _, e := range n.List {
				patternNames(e.Binding, func(v *js.Var) { direct[identifier(v.Data)] = true })
			}
		}
	}
	for name, b := range s.names {
		b.loose = !direct[name]
	}
}

func (r *reader) surveyList(list []js.IStmt, s *scope) {
	for _, stmt := range list {
		r.look(stmt, s)
	}
}

// look surveys one statement or expression.
func (r *reader) look(n js.INode, s *scope) {
	r.step()
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > maxDepth {
		opaque("the text nests too deep")
	}
	switch n := n.(type) {
	case *js.Var:
		r.lookName(n, s)
	case *js.LiteralExpr:
		r.lookLiteral(n, s)
	case *js.VarDecl:
		r.lookDecl(n, s)
	case *js.BlockStmt:
		inner := s.child(s.fn)
		r.scopes[n] = inner
		r.declareLexical(n.List, inner, true)
		r.surveyList(n.List, inner)
	case *js.FuncDecl:
		r.lookFuncDecl(n, s)
	case *js.ArrowFunc:
		r.lookFunction(n, &function{params: &n.Params, body: &n.Body, async: n.Async, arrow: true, inClass: s.fn != nil && s.fn.inClass}, s)
	case *js.MethodDecl:
		r.lookMethod(n, false, s)
	case *js.ClassDecl:
		r.lookClass(n, s)
	case *js.ForStmt, *js.ForInStmt, *js.ForOfStmt:
		r.lookLoop(n, s)
	case *js.SwitchStmt:
		r.lookSwitch(n, s)
	case *js.TryStmt:
		r.lookTry(n, s)
	case *js.WithStmt:
		opaque("a with statement makes names stand for anything")
	case *js.ImportMetaExpr, *js.ImportStmt, *js.ExportStmt:
		opaque("the text loads or gives out a module")
	case *js.ReturnStmt:
		if s.fn != nil {
			s.fn.returns++
			s.fn.returned = n.Value
		}
		each(n, func(child js.INode) { r.look(child, s) })
	default:
		r.lookExpr(n, s)
	}
}

// lookExpr surveys expressions, in particular those that change something.
func (r *reader) lookExpr(n js.INode, s *scope) {
	switch n := n.(type) {
	case *js.BinaryExpr:
		if assigns(n.Op) {
			r.assigned(n.X, n, s)
		}
	case *js.UnaryExpr:
		switch n.Op {
		case js.PreIncrToken, js.PreDecrToken, js.PostIncrToken, js.PostDecrToken, js.DeleteToken:
			r.assigned(n.X, n, s)
		}
	case *js.TemplateExpr:
		for _, part := range n.List {
			r.literals = append(r.literals, part.Value)
		}
		r.literals = append(r.literals, n.Tail)
	case *js.ObjectExpr:
		for _, p := range n.List {
			if p.Name != nil && p.Name.Computed == nil {
				r.literals = append(r.literals, p.Name.Literal.Data)
				if propertyName(p.Name.Literal) == "__proto__" {
					opaque("an object is given a prototype")
				}
			}
		}
	}
	each(n, func(child js.INode) { r.look(child, s) })
}

func assigns(op js.TokenType) bool {
	switch op {
	case js.EqToken, js.MulEqToken, js.DivEqToken, js.ModEqToken, js.ExpEqToken, js.AddEqToken, js.SubEqToken, js.LtLtEqToken,
		js.GtGtEqToken, js.GtGtGtEqToken, js.BitAndEqToken, js.BitXorEqToken, js.BitOrEqToken, js.AndEqToken, js.OrEqToken, js.NullishEqToken:
		return true
	}
	return false
}

func (r *reader) lookLiteral(n *js.LiteralExpr, s *scope) {
	switch n.TokenType {
	case js.ThisToken, js.SuperToken:
		for fn := s.fn; fn != nil; fn = fn.scope.parent.fn {
			fn.usesThis = true
			if !fn.arrow {
				break
			}
		}
	case js.StringToken, js.RegExpToken:
		r.literals = append(r.literals, n.Data)
	case js.ImportToken:
		opaque("the text loads a module")
	}
}

func (r *reader) lookName(n *js.Var, s *scope) {
	name := identifier(n.Data)
	if name == "arguments" && s.lookup(name) == nil {
		r.rebinds = true
	}
}

// lookDecl surveys a declaration that is not the head of a for-of or for-in loop.
func (r *reader) lookDecl(n *js.VarDecl, s *scope) {
	for _, e := range n.List {
		r.lookPattern(e.Binding, s)
		if e.Default == nil {
			continue
		}
		if v, ok := e.Binding.(*js.Var); ok {
			if literal, ok := unwrap(e.Default).(*js.LiteralExpr); ok {
				s.find(identifier(v.Data)).counter = js.IsNumeric(literal.TokenType)
			}
		}
		r.look(e.Default, s)
	}
}

// lookPattern counts the declarations in a pattern and surveys its expressions.
func (r *reader) lookPattern(p js.IBinding, s *scope) {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > maxDepth {
		opaque("the text nests too deep")
	}
	element := func(e js.BindingElement) {
		r.lookPattern(e.Binding, s)
		if e.Default != nil {
			r.look(e.Default, s)
		}
	}
	switch p := p.(type) {
	case *js.Var:
		if p != nil {
			s.find(identifier(p.Data)).decls++
		}
	case *js.BindingArray:
		for _, e := range p.List {
			element(e)
		}
		r.lookPattern(p.Rest, s)
	case *js.BindingObject:
		for _, item := range p.List {
			if item.Key != nil && item.Key.Computed != nil {
				r.look(item.Key.Computed, s)
			}
			element(item.Value)
		}
		if p.Rest != nil {
			r.lookPattern(p.Rest, s)
		}
	}
}

func (r *reader) lookLoop(n js.INode, s *scope) {
	inner := s.child(s.fn)
	r.scopes[n] = inner
	head := func(init js.IExpr) {
		decl, ok := init.(*js.VarDecl)
		switch {
		case ok && decl.TokenType != js.VarToken:
			r.declareList(decl, inner, false)
			fallthrough
		case ok:
			r.lookDecl(decl, inner)
		case init != nil:
			if _, plain := n.(*js.ForStmt); !plain {
				r.assigned(init, nil, inner)
			}
			r.look(init, inner)
		}
	}
	var body *js.BlockStmt
	switch n := n.(type) {
	case *js.ForStmt:
		head(n.Init)
		for _, e := range []js.IExpr{n.Cond, n.Post} {
			if e != nil {
				r.look(e, inner)
			}
		}
		body = n.Body
	case *js.ForInStmt:
		head(n.Init)
		r.look(n.Value, inner)
		body = n.Body
	case *js.ForOfStmt:
		head(n.Init)
		r.look(n.Value, inner)
		body = n.Body
	}
	r.look(body, inner)
}

func (r *reader) lookSwitch(n *js.SwitchStmt, s *scope) {
	r.look(n.Init, s)
	inner := s.child(s.fn)
	r.scopes[n] = inner
	for _, clause := range n.List {
		r.declareLexical(clause.List, inner, true)
	}
	for _, clause := range n.List {
		if clause.Cond != nil {
			r.look(clause.Cond, inner)
		}
		r.surveyList(clause.List, inner)
	}
}

func (r *reader) lookTry(n *js.TryStmt, s *scope) {
	r.look(n.Body, s)
	if n.Catch != nil {
		inner := s.child(s.fn)
		r.scopes[n] = inner
		patternNames(n.Binding, func(v *js.Var) { inner.declare(identifier(v.Data)) })
		r.lookPattern(n.Binding, inner)
		r.look(n.Catch, inner)
	}
	if n.Finally != nil {
		r.look(n.Finally, s)
	}
}
