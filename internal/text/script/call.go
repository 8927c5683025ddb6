package script

import "github.com/tdewolff/parse/v2/js"

// given are the arguments of a call.
type given struct {
	args []value
	// unknown: the arguments and their number are not known. Those that were known have been released.
	unknown bool
}

// at is the argument at index i.
func (g given) at(i int) value {
	switch {
	case g.unknown:
		return value{}
	case i < len(g.args):
		return g.args[i]
	}
	return value{kind: undefined}
}

// whole is data if all arguments are data, and otherwise anything.
func (g given) whole() value {
	for _, arg := range g.args {
		if !arg.plain() {
			return value{}
		}
	}
	if g.unknown {
		return value{}
	}
	return value{kind: data}
}

func (r *reader) releaseAll(g given) {
	for _, v := range g.args {
		r.release(v)
	}
}

// given evaluates arguments.
func (r *reader) given(args js.Args, p place) given {
	var g given
	for _, arg := range args.List {
		v := r.eval(arg.Value, p)
		switch {
		case !arg.Rest:
			g.args = append(g.args, v)
		case v.kind == array && !r.poisoned() && len(g.args)+len(v.items) <= maxItems:
			g.args = append(g.args, v.items...)
		default:
			r.release(v)
			g.unknown = true
		}
	}
	if g.unknown {
		r.releaseAll(g)
		g.args = nil
	}
	return g
}

// call interprets a call.
func (r *reader) call(n *js.CallExpr, p place) value {
	var result value
	switch callee := unwrap(n.X).(type) {
	case *js.DotExpr:
		base := r.eval(callee.X, p)
		if private(callee) {
			r.release(base)
			r.releaseAll(r.given(n.Args, p))
			return value{}
		}
		result = r.callMember(base, textOf(dotName(callee)), n.Args, p)
	case *js.IndexExpr:
		base := r.eval(callee.X, p)
		result = r.callMember(base, r.eval(callee.Y, p), n.Args, p)
	case *js.Var:
		if name := identifier(callee.Data); r.outside(name, p) {
			return r.callOutside(name, r.given(n.Args, p))
		}
		result = r.invoke(r.eval(callee, p), r.given(n.Args, p), p)
	case *js.LiteralExpr:
		if callee.TokenType == js.SuperToken {
			r.releaseAll(r.given(n.Args, p))
			return value{}
		}
		result = r.invoke(r.eval(callee, p), r.given(n.Args, p), p)
	default:
		result = r.invoke(r.eval(callee, p), r.given(n.Args, p), p)
	}
	return r.made(n, result)
}

// callee is the function that an expression gives. Its call is not followed.
func (r *reader) callee(e js.IExpr, p place) value {
	var base, key value
	switch n := unwrap(e).(type) {
	case *js.DotExpr:
		base = r.eval(n.X, p)
		if private(n) {
			r.release(base)
			return value{}
		}
		key = textOf(dotName(n))
	case *js.IndexExpr:
		base = r.eval(n.X, p)
		key = r.eval(n.Y, p)
	default:
		return r.eval(e, p)
	}
	member := r.member(base, key, p)
	r.exposes(base, member)
	return member
}

// exposes releases base if member, called as a method of base, could use it as this.
func (r *reader) exposes(base, member value) {
	if base.mutable() && member.usesThis() {
		r.release(base)
	}
}

// usesThis reports whether v, called as a method, could use its object.
func (v value) usesThis() bool {
	if v.kind == local {
		return v.fn.usesThis && !v.fn.arrow
	}
	return v.callable()
}

// outside reports whether neither the text nor the language defines name.
func (r *reader) outside(name string, p place) bool {
	return p.scope.lookup(name) == nil && !r.reserved(name) && !harmless[name] && name != "arguments"
}

// callOutside reports the call of a function that only the runtime can define.
func (r *reader) callOutside(name string, g given) value {
	args, known := g.at(0), !g.unknown && len(g.args) <= 1
	if name == "fetch" || name == "WebSocket" || name == "EventSource" {
		args, known = value{kind: object}, !g.unknown
		args.set("url", g.at(0))
		args.set("options", g.at(1))
	}
	r.hand(g)
	r.report(name, args, known)
	return value{}
}

// invoke interprets the call of a value.
func (r *reader) invoke(v value, g given, p place) value {
	switch v.kind {
	case tool:
		return r.callTool(v.str, g)
	case wild:
		opaque("a member with a computed name is called")
	case local:
		return r.inline(v, g)
	case builtin:
		return r.callBuiltin(v.str, g, p)
	}
	r.releaseAll(g)
	return value{}
}

// hand passes arguments to code outside of the text. That neither stores nor changes them, but may call the functions in them.
func (r *reader) hand(g given) {
	for _, arg := range g.args {
		if arg.mutable() {
			r.hand(given{args: arg.items})
		} else {
			r.release(arg)
		}
	}
}

// callTool reports the call of a tool. A tool takes one argument. Any further argument that could be meant counts as another call.
func (r *reader) callTool(name string, g given) value {
	for _, arg := range g.args {
		if arg.kind != wild && arg.kind != tools { // tools and wild values are no arguments
			r.hand(given{args: []value{arg}})
		}
	}
	r.report(name, g.at(0), !g.unknown)
	for _, extra := range g.args[min(1, len(g.args)):] {
		switch extra.kind {
		case undefined, null, boolean, number, anyNumber, array:
		default:
			r.report(name, extra, true)
		}
	}
	return value{kind: data}
}

// inline follows a function with the arguments of a call.
func (r *reader) inline(v value, g given) value {
	if g.unknown || v.fn.active || r.inlined >= maxCalls {
		r.release(v)
		r.releaseAll(g)
		return value{}
	}
	v.fn.followed = true
	for _, arg := range g.args {
		switch arg.kind {
		case tools, tool, global, receiver, wild:
			r.lend(true, false)
		}
	}
	return r.follow(v.fn, v.frame, g)
}

// lend notes that a function is given a value that reaches tools, or that members with computed names are read, through which one
// function may see the arguments of another: f.caller.arguments.
func (r *reader) lend(given, seen bool) {
	if given && !r.lent || seen && !r.seen {
		r.changed = true
	}
	r.lent, r.seen = r.lent || given, r.seen || seen
	if r.lent && r.seen {
		opaque("the text may read what functions were called with")
	}
}

// follow interprets the body of a function. Its parameters are unknown if the arguments are.
func (r *reader) follow(fn *function, outer *frame, g given) value {
	r.inlined++
	fn.active = true
	defer func() { fn.active = false }()
	var returned []value
	p := place{scope: fn.scope, frame: outer.child(), fn: fn}
	if !g.unknown {
		p.returned = &returned
	}
	for i, param := range fn.params.List {
		r.element(param, g.at(i), p)
	}
	for _, extra := range g.args[min(len(fn.params.List), len(g.args)):] {
		if fn.params.Rest != nil {
			r.keep(extra)
		}
		if r.rebinds {
			r.release(extra) // reached through the arguments object
		}
	}
	if fn.params.Rest != nil {
		rest := value{kind: thing}
		if !g.unknown {
			rest = r.made(fn.params, r.arrayOf(g.args[min(len(fn.params.List), len(g.args)):]))
		}
		r.pattern(fn.params.Rest, rest, p)
	}
	p.scope = r.scopes[fn.body]
	r.list(fn.body.List, p)
	return r.result(fn, returned)
}

// result is the value that a followed function returns.
func (r *reader) result(fn *function, returned []value) value {
	if fn.returns == 1 && !fn.async && !fn.yields && len(returned) == 1 {
		if last, ok := fn.body.List[len(fn.body.List)-1].(*js.ReturnStmt); ok && last.Value == fn.returned {
			return returned[0]
		}
	}
	plain := !fn.yields
	for _, v := range returned {
		r.release(v)
		plain = plain && v.plain()
	}
	if plain {
		return r.part()
	}
	return value{}
}

// settle is the name of the functions that settle a promise.
const settle = "settle"

// construct interprets new.
func (r *reader) construct(n *js.NewExpr, p place) value {
	var args js.Args
	if n.Args != nil {
		args = *n.Args
	}
	if name, ok := unwrap(n.X).(*js.Var); ok && r.outside(identifier(name.Data), p) {
		return r.callOutside(identifier(name.Data), r.given(args, p))
	}
	callee := r.eval(n.X, p)
	g := r.given(args, p)
	switch {
	case callee.kind == builtin && callee.str == "Promise" && g.at(0).kind == local:
		resolve := value{kind: builtin, str: settle}
		r.inline(g.at(0), given{args: []value{resolve, resolve}})
		return value{}
	case callee.kind == builtin:
		r.poison(harmOf(callee.str))
		r.releaseAll(g)
		return value{kind: thing}
	case callee.kind == local:
		r.release(callee)
		r.releaseAll(g)
		return value{}
	}
	return r.invoke(callee, g, p)
}
