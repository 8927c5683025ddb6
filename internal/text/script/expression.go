package script

import (
	"math"

	"github.com/tdewolff/parse/v2/js"
)

// known reports whether v is one known value. Its parts may still be unknown.
func (v value) known() bool {
	switch v.kind {
	case undefined, null, boolean, number, text, array, object, local, tool, tools, builtin:
		return true
	}
	return false
}

// eval interprets an expression and returns its value.
func (r *reader) eval(e js.IExpr, p place) value {
	r.step()
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > maxDepth {
		opaque("the text nests too deep")
	}
	switch n := e.(type) {
	case *js.GroupExpr:
		return r.eval(n.X, p)
	case *js.Var:
		return r.name(identifier(n.Data), p)
	case *js.LiteralExpr:
		return r.literal(n, p)
	case *js.TemplateExpr:
		return r.template(n, p)
	case *js.ArrayExpr:
		return r.array(n, p)
	case *js.ObjectExpr:
		return r.object(n, p)
	case *js.FuncDecl, *js.ArrowFunc:
		return r.closure(n, p)
	case *js.MethodDecl:
		return r.method(n, p)
	case *js.ClassDecl:
		r.class(n, p)
		return value{}
	case *js.DotExpr:
		return r.dot(n, p)
	case *js.IndexExpr:
		base := r.eval(n.X, p)
		return r.member(base, r.eval(n.Y, p), p)
	case *js.CallExpr:
		return r.call(n, p)
	case *js.NewExpr:
		return r.construct(n, p)
	case *js.UnaryExpr:
		return r.unary(n, p)
	case *js.BinaryExpr:
		return r.binary(n, p)
	case *js.CondExpr:
		return r.conditional(n, p)
	case *js.CommaExpr:
		var last value
		for _, item := range n.List {
			last = r.eval(item, p)
		}
		return last
	case *js.YieldExpr:
		if n.X != nil {
			r.release(r.eval(n.X, p))
		}
		return value{}
	case *js.VarDecl:
		r.declaration(n, p)
		return value{}
	case *js.NewTargetExpr:
		return value{}
	}
	opaque("the text has syntax that is not followed")
	return value{}
}

// closure is the function that an expression creates here.
func (r *reader) closure(n js.IExpr, p place) value {
	fn := r.functions[n]
	if s := r.scopes[n]; s != nil { // a function that can refer to itself by name
		decl := n.(*js.FuncDecl)
		p.scope, p.frame = s, p.frame.child()
		r.bind(s.names[identifier(decl.Name.Data)], value{kind: local, fn: fn, frame: p.frame}, p)
	}
	r.pending = append(r.pending, closure{fn, p.frame})
	return value{kind: local, fn: fn, frame: p.frame}
}

// name is the value of an identifier.
func (r *reader) name(name string, p place) value {
	if b := p.scope.lookup(name); b != nil {
		return r.read(b, p)
	}
	if name == "arguments" && p.fn != nil {
		for fn := p.fn; fn != nil; fn = fn.scope.parent.fn {
			fn.escaped = true // arguments.callee is the function
			if !fn.arrow {
				break
			}
		}
		return value{kind: thing}
	}
	return r.free(name)
}

// free is the value of a name that the text does not declare.
func (r *reader) free(name string) value {
	switch {
	case r.entry[name]:
		return value{kind: tools}
	case globals[name]:
		return value{kind: global}
	case name == "undefined":
		return value{kind: undefined}
	case name == "NaN":
		return numberOf(math.NaN())
	case name == "Infinity":
		return numberOf(math.Inf(1))
	case name == "ALL_TOOLS":
		return value{kind: data}
	case harmless[name]:
		return value{kind: builtin, str: name}
	case dangerous[name]:
		opaque("the text uses what compiles text, loads modules or reads members by computed names")
	}
	opaque("the text uses a name that it does not declare")
	return value{}
}

func (r *reader) literal(n *js.LiteralExpr, p place) value {
	switch n.TokenType {
	case js.StringToken:
		if s, ok := stringValue(n.Data); ok {
			return textOf(s)
		}
		return value{kind: anyString}
	case js.NullToken:
		return value{kind: null}
	case js.TrueToken, js.FalseToken:
		return value{kind: boolean, truth: n.TokenType == js.TrueToken}
	case js.ThisToken:
		if p.fn != nil && p.fn.inClass {
			return value{}
		}
		return value{kind: receiver}
	case js.RegExpToken:
		return value{kind: thing}
	case js.SuperToken:
		return value{}
	}
	if js.IsNumeric(n.TokenType) {
		if f, ok := numberValue(n.Data); ok {
			return numberOf(f)
		}
		return value{kind: data}
	}
	opaque("the text has syntax that is not followed")
	return value{}
}

func (r *reader) template(n *js.TemplateExpr, p place) value {
	raw := false
	if n.Tag != nil {
		tag := r.callee(n.Tag, p)
		raw = tag.kind == builtin && tag.str == "String.raw" && !r.poisoned()
		if !raw {
			r.invoke(tag, given{unknown: true}, p)
		}
	}
	whole, known := "", n.Tag == nil || raw
	add := func(s string, ok bool) {
		if known = known && ok && len(whole)+len(s) <= maxText; known {
			r.spend((len(whole) + len(s)) / 64)
			whole += s
		}
	}
	for _, part := range n.List {
		add(templateValue(part.Value, raw))
		v := r.eval(part.Expr, p)
		if n.Tag != nil && !raw {
			r.release(v)
		}
		add(v.string())
	}
	add(templateValue(n.Tail, raw))
	switch {
	case known:
		return textOf(whole)
	case n.Tag == nil || raw:
		return value{kind: anyString}
	}
	return value{}
}

func (r *reader) array(n *js.ArrayExpr, p place) value {
	out := value{kind: array}
	known := true
	for _, e := range n.List {
		if e.Value == nil { // a missing member may be inherited
			known = false
			continue
		}
		v := r.keep(r.eval(e.Value, p))
		switch {
		case !e.Spread:
			if !out.add(v) {
				r.release(v)
				known = false
			}
		case v.kind == array && !r.poisoned():
			r.spend(len(v.items))
			for _, item := range v.items {
				if !out.add(item) {
					r.release(item)
					known = false
				}
			}
		default:
			r.release(v)
			known = false
		}
	}
	if known {
		return r.made(n, out)
	}
	r.release(out)
	return value{kind: thing}
}

// keep releases values that must not be stored in an array or object. Functions that are tools, and functions of the text, may be
// stored.
func (r *reader) keep(v value) value {
	switch v.kind {
	case tools, global, receiver, wild:
		r.release(v)
		return value{}
	}
	return v
}

func (r *reader) object(n *js.ObjectExpr, p place) value {
	out := value{kind: object}
	known := true
	for _, prop := range n.List {
		if prop.Spread {
			v := r.keep(r.eval(prop.Value, p))
			if v.kind != object || r.poisoned() {
				r.release(v)
				known = known && (v.kind == undefined || v.kind == null)
				continue
			}
			r.spend(len(v.items) * len(v.items))
			if known = known && len(out.keys)+len(v.keys) <= maxItems && out.extra+v.extra <= maxExtra; !known {
				r.release(v)
				continue
			}
			for i, key := range v.keys {
				out.set(key, v.items[i])
			}
			continue
		}
		r.spend(len(out.keys) / 16)
		key, ok := r.propertyKey(prop, p)
		if prop.Init != nil {
			opaque("the text has syntax that is not followed")
		}
		v := r.keep(r.eval(prop.Value, p))
		if conversions[key] {
			r.release(v)
			known = known && !v.usesThis()
		}
		if m, isMethod := prop.Value.(*js.MethodDecl); isMethod {
			known = known && !m.Get && !m.Set
		}
		if known = known && ok && len(out.keys) < maxItems && out.extra+v.extra < maxExtra; known {
			out.set(key, v)
		} else {
			r.release(v)
		}
	}
	if known {
		return r.made(n, out)
	}
	r.release(out)
	return value{kind: thing}
}

// propertyKey is the name of a member in an object literal.
func (r *reader) propertyKey(prop js.Property, p place) (key string, ok bool) {
	name := prop.Name
	if m, isMethod := prop.Value.(*js.MethodDecl); isMethod {
		name = &m.Name.PropertyName
	}
	switch {
	case name == nil:
		return "", false
	case name.Computed == nil:
		return propertyName(name.Literal), name.Literal.TokenType != js.DecimalToken || canonical(name.Literal.Data)
	}
	if _, isMethod := prop.Value.(*js.MethodDecl); isMethod {
		return "", false // it is interpreted with the method
	}
	return r.eval(name.Computed, p).string()
}

// canonical reports whether a number is written as JavaScript prints it. The parser does not distinguish numbers from strings that
// look like numbers.
func canonical(number []byte) bool {
	f, ok := numberValue(number)
	return ok && formatNumber(f) == string(number)
}

// propertyName is the name of a member whose name is not computed.
func propertyName(n js.LiteralExpr) string {
	switch {
	case n.TokenType == js.StringToken:
		s, ok := stringValue(n.Data)
		if !ok {
			opaque("a name has an escape that cannot be read")
		}
		return s
	case js.IsNumeric(n.TokenType):
		f, ok := numberValue(n.Data)
		if !ok {
			opaque("a member has a number for a name that cannot be read")
		}
		return formatNumber(f)
	}
	return identifier(n.Data)
}

func (r *reader) conditional(n *js.CondExpr, p place) value {
	truth, ok := r.eval(n.Cond, p).condition()
	x, y := r.eval(n.X, p), r.eval(n.Y, p)
	switch {
	case ok && truth:
		r.release(y)
		return x
	case ok:
		r.release(x)
		return y
	}
	return r.join(x, y)
}
