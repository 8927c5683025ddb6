package script

import "github.com/tdewolff/parse/v2/js"

// A binding is a name that the text declares, in one scope.
type binding struct {
	owner *function // the function it is declared in; nil: none
	decls int       // how often it is declared
	// writes counts the assignments other than the declaration.
	writes int
	// hoisted: it is a var, which can be read before its declaration is reached.
	hoisted bool
	// loose: it is a var that is not declared directly in the body of its function. Its declaration may never be reached.
	loose bool
	// param: it is a parameter of a function.
	param bool
	// counter: its declaration gives it a number. varied: something else may be assigned to it.
	counter, varied bool

	// These are found while interpreting, and stay over its rounds.
	//
	// held are the values given to the binding that could call a tool, or are wild.
	held []value
	// stray: it is read where its value is not followed.
	stray bool
}

// constant reports whether the binding never changes its value.
func (b *binding) constant() bool { return b.decls == 1 && b.writes == 0 }

// settled reports whether the binding, read in fn after its declaration, still has the declared value.
func (b *binding) settled(fn *function) bool {
	return b.constant() && (!b.hoisted || !b.loose && b.owner == fn)
}

// A scope holds the names that are declared in one block or function.
type scope struct {
	parent *scope
	names  map[string]*binding
	fn     *function
}

func (s *scope) child(fn *function) *scope {
	return &scope{parent: s, names: map[string]*binding{}, fn: fn}
}

// lookup finds the binding of name; nil: the text does not declare it.
func (s *scope) lookup(name string) *binding {
	for ; s != nil; s = s.parent {
		if b := s.names[name]; b != nil {
			return b
		}
	}
	return nil
}

// find is lookup for a name that must be declared.
func (s *scope) find(name string) *binding {
	b := s.lookup(name)
	if b == nil {
		opaque("the text has a declaration where none can be")
	}
	return b
}

func (s *scope) declare(name string) *binding {
	b := s.names[name]
	if b == nil {
		b = &binding{owner: s.fn}
		s.names[name] = b
	}
	return b
}

// A function is a function that the text defines.
type function struct {
	params   *js.Params
	body     *js.BlockStmt
	scope    *scope // of its parameters and the declarations in its body
	async    bool
	yields   bool
	arrow    bool // it uses the this of the function around it
	usesThis bool
	inClass  bool // its this is an object of a class
	returns  int  // how many return statements it has
	returned js.IExpr

	// These are for one round of interpreting.
	followed bool // it was followed with the arguments of a call
	escaped  bool // it may be called with other arguments than those that were followed
	active   bool // it is being followed
}

// patternNames calls visit with the names that a pattern binds.
func patternNames(p js.IBinding, visit func(*js.Var)) {
	switch p := p.(type) {
	case nil:
	case *js.Var:
		if p != nil {
			visit(p)
		}
	case *js.BindingArray:
		for _, e := range p.List {
			patternNames(e.Binding, visit)
		}
		patternNames(p.Rest, visit)
	case *js.BindingObject:
		for _, item := range p.List {
			patternNames(item.Value.Binding, visit)
		}
		if p.Rest != nil {
			visit(p.Rest)
		}
	default:
		opaque("the text has a pattern that is not followed")
	}
}

// declareLexical declares the names of let, const, class and function statements of a list.
func (r *reader) declareLexical(list []js.IStmt, s *scope, block bool) {
	for _, stmt := range list {
		for {
			label, ok := stmt.(*js.LabelledStmt)
			if !ok {
				break
			}
			stmt = label.Value
		}
		switch n := stmt.(type) {
		case *js.VarDecl:
			if n.TokenType != js.VarToken {
				r.declareList(n, s, false)
			}
		case *js.ClassDecl:
			r.declared[n] = true
			if n.Name != nil {
				s.declare(identifier(n.Name.Data))
			}
		case *js.FuncDecl:
			if n.Name == nil {
				continue
			}
			r.declared[n] = true
			name := identifier(n.Name.Data)
			if block {
				r.declareBlockFunction(name, s)
			}
			s.declare(name)
		}
	}
}

// declareBlockFunction notes that, outside of strict mode, a function in a block also gets assigned to its name outside of the
// block.
func (r *reader) declareBlockFunction(name string, s *scope) {
	if r.reserved(name) {
		opaque("a function in a block has the name of what reaches tools")
	}
	for outer := s.parent; outer != nil; outer = outer.parent {
		if b := outer.names[name]; b != nil {
			b.writes++
			b.varied = true
		}
	}
}

func (r *reader) declareList(n *js.VarDecl, s *scope, hoisted bool) {
	for _, e := range n.List {
		patternNames(e.Binding, func(v *js.Var) { s.declare(identifier(v.Data)).hoisted = hoisted })
	}
}

// declareVars declares the names of the var statements of a function, at any depth.
func (r *reader) declareVars(n js.INode, s *scope) {
	r.step()
	r.depth++
	defer func() { r.depth-- }()
	inner := func(child js.INode) { r.declareVars(child, s) }
	switch n := n.(type) {
	case *js.VarDecl:
		if n.TokenType == js.VarToken {
			r.declareList(n, s, true)
		}
	case *js.BlockStmt:
		for _, stmt := range n.List {
			inner(stmt)
		}
	case *js.IfStmt, *js.DoWhileStmt, *js.WhileStmt, *js.LabelledStmt:
		each(n, func(child js.INode) {
			if stmt, ok := child.(js.IStmt); ok {
				inner(stmt)
			}
		})
	case *js.ForStmt:
		r.declareHead(n.Init, s)
		inner(n.Body)
	case *js.ForInStmt:
		r.declareHead(n.Init, s)
		inner(n.Body)
	case *js.ForOfStmt:
		r.declareHead(n.Init, s)
		inner(n.Body)
	case *js.SwitchStmt:
		for _, clause := range n.List {
			for _, stmt := range clause.List {
				inner(stmt)
			}
		}
	case *js.TryStmt:
		for _, block := range []*js.BlockStmt{n.Body, n.Catch, n.Finally} {
			if block != nil {
				inner(block)
			}
		}
	}
}

func (r *reader) declareHead(init js.IExpr, s *scope) {
	if decl, ok := init.(*js.VarDecl); ok && decl.TokenType == js.VarToken {
		r.declareList(decl, s, true)
	}
}
