package script

import "github.com/tdewolff/parse/v2/js"

// maxLoop is the length of the longest array for which a loop is followed for each element.
const maxLoop = 256

// list interprets statements in the scope of p. Functions are defined from the start.
func (r *reader) list(stmts []js.IStmt, p place) {
	for _, stmt := range stmts {
		for {
			label, ok := stmt.(*js.LabelledStmt)
			if !ok {
				break
			}
			stmt = label.Value
		}
		n, ok := stmt.(*js.FuncDecl)
		if !ok || n.Name == nil {
			continue
		}
		fn := r.functions[n]
		r.pending = append(r.pending, closure{fn, p.frame})
		r.bind(p.scope.find(identifier(n.Name.Data)), value{kind: local, fn: fn, frame: p.frame}, p)
	}
	for _, stmt := range stmts {
		r.do(stmt, p)
	}
}

// do interprets one statement.
func (r *reader) do(n js.INode, p place) {
	r.step()
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > maxDepth {
		opaque("the text nests too deep")
	}
	switch n := n.(type) {
	case *js.FuncDecl:
		if !r.declared[n] { // declared functions and classes were interpreted by list
			r.eval(n, p)
		}
	case *js.ClassDecl:
		r.class(n, p)
	case *js.VarDecl:
		r.declaration(n, p)
	case *js.BlockStmt:
		p.scope = r.scopes[n]
		r.list(n.List, p)
	case *js.ForStmt, *js.ForInStmt, *js.ForOfStmt:
		r.loop(n, p)
	case *js.WhileStmt:
		r.again(p, n.Cond, n.Body)
	case *js.DoWhileStmt:
		r.again(p, n.Body, n.Cond)
	case *js.SwitchStmt:
		r.eval(n.Init, p)
		p.scope = r.scopes[n]
		for _, clause := range n.List {
			if clause.Cond != nil {
				r.eval(clause.Cond, p)
			}
			r.list(clause.List, p)
		}
	case *js.TryStmt:
		r.do(n.Body, p)
		if n.Catch != nil {
			inner := p
			inner.scope = r.scopes[n]
			r.pattern(n.Binding, value{}, inner)
			r.do(n.Catch, inner)
		}
		if n.Finally != nil {
			r.do(n.Finally, p)
		}
	case *js.ReturnStmt:
		r.returns(n, p)
	case *js.ThrowStmt:
		r.release(r.eval(n.Value, p))
	default:
		each(n, func(child js.INode) {
			if e, ok := child.(js.IExpr); ok {
				r.eval(e, p)
				return
			}
			r.do(child, p)
		})
	}
}

func (r *reader) returns(n *js.ReturnStmt, p place) {
	v := value{kind: undefined}
	if n.Value != nil {
		v = r.eval(n.Value, p)
	}
	if p.returned != nil {
		*p.returned = append(*p.returned, v)
		return
	}
	r.release(v)
}

func (r *reader) declaration(n *js.VarDecl, p place) {
	for _, e := range n.List {
		v := value{kind: undefined}
		if e.Default != nil {
			v = r.eval(e.Default, p)
		} else if n.TokenType == js.VarToken {
			continue // it says nothing about the earlier value
		}
		r.pattern(e.Binding, v, p)
	}
}

// pattern gives the names of a pattern their values.
func (r *reader) pattern(b js.IBinding, v value, p place) {
	switch b := b.(type) {
	case *js.Var:
		if b != nil {
			r.bind(p.scope.find(identifier(b.Data)), v, p)
		}
	case *js.BindingArray:
		r.arrayPattern(b, v, p)
	case *js.BindingObject:
		for _, item := range b.List {
			var key value
			switch {
			case item.Key == nil:
				opaque("the text has a pattern that is not followed")
			case item.Key.Computed != nil:
				key = r.eval(item.Key.Computed, p)
			default:
				key = textOf(propertyName(item.Key.Literal))
			}
			r.element(item.Value, r.member(v, key, p), p)
		}
		if b.Rest != nil {
			r.release(v)
			rest := value{}
			if v.kind == data {
				rest = r.part()
			}
			r.pattern(b.Rest, rest, p)
		}
	}
}

func (r *reader) arrayPattern(b *js.BindingArray, v value, p place) {
	if v.kind != array || r.poisoned() { // if poisoned, arrays may give anything
		r.release(v)
	}
	for i, e := range b.List {
		item := r.item(v, i)
		if e.Binding != nil {
			r.element(e, item, p)
		}
	}
	if b.Rest != nil {
		rest := value{}
		if v.kind == array && !r.poisoned() {
			rest = r.made(b, r.arrayOf(v.items[min(len(b.List), len(v.items)):]))
		}
		r.pattern(b.Rest, rest, p)
	}
}

// item is the element of v at index i.
func (r *reader) item(v value, i int) value {
	switch {
	case v.kind == array && !r.poisoned():
		if i < len(v.items) {
			return v.items[i]
		}
		return value{kind: undefined}
	case v.plain():
		return r.part()
	}
	return value{}
}

// element gives a part of a pattern its value, or its default.
func (r *reader) element(e js.BindingElement, v value, p place) {
	if e.Default != nil {
		v = r.either(v, e.Default, v.kind == undefined, v.known() && v.kind != undefined, p)
	}
	r.pattern(e.Binding, v, p)
}

// either is v or, if v is replaced, the value of the expression e. replaced and kept say which one is certain.
func (r *reader) either(v value, e js.IExpr, replaced, kept bool, p place) value {
	other := r.eval(e, p)
	switch {
	case replaced:
		return other
	case kept:
		r.release(other)
		return v
	}
	return r.join(v, other)
}

// join is a value that may be either of two.
func (r *reader) join(a, b value) value {
	if b.kind == wild {
		a, b = b, a
	}
	if a.kind == wild && b.kind != wild {
		r.release(b)
		return a
	}
	r.release(a)
	r.release(b)
	switch {
	case a.plain() && b.plain():
		return value{kind: data}
	case !a.callable() && !b.callable():
		return value{kind: thing}
	}
	return value{}
}

// again interprets parts that may run any number of times.
func (r *reader) again(p place, parts ...js.INode) {
	r.repeats++
	defer func() { r.repeats-- }()
	for _, part := range parts {
		switch n := part.(type) {
		case js.IExpr:
			r.eval(n, p)
		case js.IStmt:
			r.do(n, p)
		}
	}
}

// loop interprets a for statement. A loop over a small known array is followed for each element.
func (r *reader) loop(n js.INode, p place) {
	p.scope = r.scopes[n]
	switch n := n.(type) {
	case *js.ForStmt:
		if decl, ok := n.Init.(*js.VarDecl); ok {
			r.declaration(decl, p)
		} else if n.Init != nil {
			r.eval(n.Init, p)
		}
		r.again(p, n.Cond, n.Body, n.Post)
	case *js.ForInStmt:
		r.eval(n.Value, p)
		r.rounds(n.Init, value{kind: anyString}, n.Body, p)
	case *js.ForOfStmt:
		v := r.stepped(n.Value, p)
		if v.kind == array && !r.poisoned() && !n.Await && len(v.items) <= maxLoop && r.inlined < maxCalls {
			for _, item := range v.items {
				r.inlined++
				r.round(n.Init, item, n.Body, p)
			}
			if len(v.items) > 0 {
				return
			}
		}
		r.release(v)
		item := value{}
		if v.plain() {
			item = r.part()
		}
		r.rounds(n.Init, item, n.Body, p)
	}
}

// stepped is the value that a loop iterates over. The result of array.entries() can be iterated only once, so it is a constant only
// here.
func (r *reader) stepped(e js.IExpr, p place) value {
	call, ok := unwrap(e).(*js.CallExpr)
	if !ok || len(call.Args.List) > 0 {
		return r.eval(e, p)
	}
	dot, ok := unwrap(call.X).(*js.DotExpr)
	if !ok || private(dot) || dotName(dot) != "entries" {
		return r.eval(e, p)
	}
	base := r.eval(dot.X, p)
	if base.kind == array && !r.poisoned() {
		return r.made(call, pairs(base))
	}
	return r.callMember(base, textOf("entries"), call.Args, p)
}

// rounds interprets the body of a loop that may run any number of times.
func (r *reader) rounds(init js.IExpr, item value, body *js.BlockStmt, p place) {
	r.repeats++
	defer func() { r.repeats-- }()
	r.round(init, item, body, p)
}

// round interprets the body of a loop once.
func (r *reader) round(init js.IExpr, item value, body *js.BlockStmt, p place) {
	p.frame = p.frame.child()
	if decl, ok := init.(*js.VarDecl); ok {
		r.pattern(decl.List[0].Binding, item, p)
	} else {
		r.assign(init, item, p)
	}
	r.do(body, p)
}

// class interprets the parts of a class. Its methods may be called from anywhere.
func (r *reader) class(n *js.ClassDecl, p place) {
	p.scope = r.scopes[n]
	r.repeats++
	defer func() { r.repeats-- }()
	if n.Extends != nil {
		r.release(r.eval(n.Extends, p))
	}
	for i := range n.List {
		e := &n.List[i]
		if e.Method != nil {
			r.release(r.method(e.Method, p))
			continue
		}
		if e.Name.Computed != nil {
			r.eval(e.Name.Computed, p)
		}
		fn := r.functions[&e.Field]
		inner := place{scope: fn.scope, frame: p.frame.child(), fn: fn}
		if e.StaticBlock != nil {
			r.do(e.StaticBlock, inner)
		} else if e.Init != nil {
			r.release(r.eval(e.Init, inner))
		}
	}
}

// method is the function of a method.
func (r *reader) method(n *js.MethodDecl, p place) value {
	if n.Name.Computed != nil {
		r.eval(n.Name.Computed, p)
	}
	fn := r.functions[n]
	r.pending = append(r.pending, closure{fn, p.frame})
	return value{kind: local, fn: fn, frame: p.frame}
}
