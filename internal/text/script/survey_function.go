package script

import "github.com/tdewolff/parse/v2/js"

func (r *reader) lookFuncDecl(n *js.FuncDecl, s *scope) {
	fn := &function{params: &n.Params, body: &n.Body, async: n.Async, yields: n.Generator}
	if n.Name != nil {
		name := identifier(n.Name.Data)
		if !r.declared[n] {
			s = s.child(s.fn)
			s.declare(name)
			r.scopes[n] = s
		}
		s.find(name).decls++
	}
	r.lookFunction(n, fn, s)
}

// lookFunction surveys the parameters and the body of a function in one scope. If a default of a parameter and a var of the body
// have the same name, both count as declarations of it, and its value is not followed.
func (r *reader) lookFunction(n js.INode, fn *function, s *scope) {
	r.functions[n] = fn
	fn.scope = s.child(fn)
	patternNames(fn.params.Rest, func(v *js.Var) { fn.scope.declare(identifier(v.Data)).param = true })
	for _, p := range fn.params.List {
		patternNames(p.Binding, func(v *js.Var) { fn.scope.declare(identifier(v.Data)).param = true })
	}
	params := fn.scope
	body := params.child(fn)
	r.scopes[fn.body] = body
	for _, stmt := range fn.body.List {
		r.declareVars(stmt, body)
	}
	r.declareLexical(fn.body.List, body, false)
	for name := range body.names {
		if p := params.names[name]; p != nil {
			p.writes++
			body.names[name] = p
		}
	}
	for _, p := range fn.params.List {
		r.lookPattern(p.Binding, params)
		if p.Default != nil {
			r.look(p.Default, params)
		}
	}
	r.lookPattern(fn.params.Rest, params)
	r.markLoose(fn.body.List, body)
	r.surveyList(fn.body.List, body)
}

func (r *reader) lookMethod(n *js.MethodDecl, inClass bool, s *scope) {
	if n.Name.Computed != nil {
		r.look(n.Name.Computed, s)
	}
	r.lookFunction(n, &function{params: &n.Params, body: &n.Body, async: n.Async, yields: n.Generator, inClass: inClass}, s)
}

func (r *reader) lookClass(n *js.ClassDecl, s *scope) {
	inner := s.child(s.fn)
	r.scopes[n] = inner
	if n.Name != nil {
		name := identifier(n.Name.Data)
		if r.declared[n] {
			s.find(name).decls++
		}
		inner.declare(name).decls++
	}
	if n.Extends != nil {
		r.look(n.Extends, inner)
	}
	for i := range n.List {
		e := &n.List[i]
		switch {
		case e.Method != nil:
			r.lookMethod(e.Method, true, inner)
		default:
			// A field or a static block is a function of its own: it has its own names, this and return statements.
			fn := &function{params: &js.Params{}, body: &js.BlockStmt{}, inClass: true}
			r.functions[&e.Field] = fn
			fn.scope = inner.child(fn)
			if e.StaticBlock != nil {
				for _, stmt := range e.StaticBlock.List {
					r.declareVars(stmt, fn.scope)
				}
				r.look(e.StaticBlock, fn.scope)
				continue
			}
			if e.Name.Computed != nil {
				r.look(e.Name.Computed, inner)
			}
			if e.Init != nil {
				r.look(e.Init, fn.scope)
			}
		}
	}
}
