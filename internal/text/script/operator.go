package script

import (
	"math"
	"strconv"

	"github.com/tdewolff/parse/v2/js"
)

func (r *reader) unary(n *js.UnaryExpr, p place) value {
	switch n.Op {
	case js.TypeofToken:
		if v, ok := unwrap(n.X).(*js.Var); ok && p.scope.lookup(identifier(v.Data)) == nil {
			return value{kind: anyString} // also for a name that does not exist
		}
		r.eval(n.X, p)
		return value{kind: anyString}
	case js.DeleteToken, js.PreIncrToken, js.PreDecrToken, js.PostIncrToken, js.PostDecrToken:
		r.assign(n.X, value{kind: anyNumber}, p)
		return value{kind: anyNumber}
	}
	v := r.eval(n.X, p)
	switch n.Op {
	case js.AwaitToken:
		return r.await(v)
	case js.NegToken, js.PosToken:
		if v.kind == number && n.Op == js.NegToken {
			v.num = -v.num
			return v
		}
		if v.kind == number {
			return v
		}
		return value{kind: anyNumber}
	case js.NotToken:
		if truth, ok := v.condition(); ok {
			return value{kind: boolean, truth: !truth}
		}
		return value{kind: data}
	case js.VoidToken:
		return value{kind: undefined}
	}
	return value{kind: anyNumber}
}

// await is the result of awaiting v. If v has a method then, that would be called.
func (r *reader) await(v value) value {
	_, asked := v.member("then")
	switch v.kind {
	case array, object:
		if asked || r.poisoned() {
			r.release(v)
			return value{}
		}
	case data:
		return r.part()
	case thing:
		return value{}
	}
	return v
}

func (r *reader) binary(n *js.BinaryExpr, p place) value {
	if assigns(n.Op) {
		return r.assignment(n, p)
	}
	if left, ok := n.X.(*js.Var); ok && len(left.Data) > 0 && left.Data[0] == '#' { // #name in object
		r.eval(n.Y, p)
		return value{kind: data}
	}
	x := r.eval(n.X, p)
	switch n.Op {
	case js.AndToken:
		if x.kind == tool { // the text asks whether there is such a tool
			return r.either(value{kind: undefined}, n.Y, false, false, p)
		}
		truth, ok := x.condition()
		return r.either(x, n.Y, ok && truth, ok && !truth, p)
	case js.OrToken:
		truth, ok := x.condition()
		return r.either(x, n.Y, ok && !truth, ok && truth, p)
	case js.NullishToken:
		none := x.kind == null || x.kind == undefined
		return r.either(x, n.Y, none, x.known() && !none, p)
	}
	y := r.eval(n.Y, p)
	switch n.Op {
	case js.AddToken:
		sum := add(x, y)
		r.spend(len(sum.str) / 64)
		return sum
	case js.SubToken, js.MulToken, js.DivToken, js.ModToken:
		return calculate(n.Op, x, y)
	case js.ExpToken, js.BitAndToken, js.BitOrToken, js.BitXorToken, js.LtLtToken, js.GtGtToken, js.GtGtGtToken:
		return value{kind: anyNumber}
	}
	return value{kind: data}
}

func add(x, y value) value {
	if x.kind == number && y.kind == number {
		return numberOf(x.num + y.num)
	}
	if x.kind == text || y.kind == text {
		a, ok := x.string()
		b, ok2 := y.string()
		if ok && ok2 && len(a)+len(b) <= maxText {
			return textOf(a + b)
		}
		return value{kind: anyString}
	}
	if x.numeric() && y.numeric() {
		return value{kind: anyNumber}
	}
	return value{kind: data}
}

func calculate(op js.TokenType, x, y value) value {
	if x.kind != number || y.kind != number {
		return value{kind: anyNumber}
	}
	switch op {
	case js.SubToken:
		return numberOf(x.num - y.num)
	case js.MulToken:
		return numberOf(x.num * y.num)
	case js.DivToken:
		return numberOf(x.num / y.num)
	}
	return numberOf(math.Mod(x.num, y.num))
}

func (r *reader) assignment(n *js.BinaryExpr, p place) value {
	switch n.Op {
	case js.EqToken:
		v := r.eval(n.Y, p)
		r.assign(n.X, v, p)
		return v
	case js.AndEqToken, js.OrEqToken, js.NullishEqToken:
		v := r.join(r.eval(n.X, p), r.eval(n.Y, p))
		r.assign(n.X, v, p)
		return v
	}
	r.eval(n.Y, p)
	r.assign(n.X, value{kind: data}, p)
	return value{kind: data}
}

// assign interprets an assignment of v to a name, a member or a pattern. Names that are assigned to are not followed, so v is
// released.
func (r *reader) assign(target js.IExpr, v value, p place) {
	switch t := unwrap(target).(type) {
	case *js.Var:
		r.release(v)
	case *js.DotExpr:
		r.release(v)
		base := r.eval(t.X, p)
		if private(t) {
			return
		}
		r.assignMember(base, textOf(dotName(t)), v)
	case *js.IndexExpr:
		r.release(v)
		base := r.eval(t.X, p)
		r.assignMember(base, r.eval(t.Y, p), v)
	case *js.ArrayExpr:
		r.release(v)
		for i, e := range t.List {
			if e.Value != nil {
				r.assignPart(e.Value, r.item(v, i), p)
			}
		}
	case *js.ObjectExpr:
		for _, prop := range t.List {
			r.assignProperty(prop, v, p)
		}
	default:
		r.release(v)
		r.eval(target, p)
	}
}

// assignMember interprets an assignment to a member.
func (r *reader) assignMember(base, key, v value) {
	name, ok := key.string()
	if ok && (name == "toJSON" || forbidden[name]) {
		opaque("the text changes how values are read")
	}
	r.change(base, v, ok || key.numeric())
}

func (r *reader) assignProperty(prop js.Property, v value, p place) {
	if prop.Spread {
		r.release(v)
		r.assign(prop.Value, value{}, p)
		return
	}
	key := value{}
	switch {
	case prop.Name == nil:
		opaque("the text has syntax that is not followed")
	case prop.Name.Computed != nil:
		key = r.eval(prop.Name.Computed, p)
	default:
		key = textOf(propertyName(prop.Name.Literal))
	}
	if prop.Init != nil {
		r.release(r.eval(prop.Init, p))
	}
	r.assignPart(prop.Value, r.member(v, key, p), p)
}

func (r *reader) assignPart(target js.IExpr, v value, p place) {
	if withDefault, ok := unwrap(target).(*js.BinaryExpr); ok && withDefault.Op == js.EqToken {
		v = r.join(v, r.eval(withDefault.Y, p))
		target = withDefault.X
	}
	r.assign(target, v, p)
}

// dot reads a member with a literal name.
func (r *reader) dot(n *js.DotExpr, p place) value {
	base := r.eval(n.X, p)
	if private(n) {
		return value{}
	}
	return r.member(base, textOf(dotName(n)), p)
}

// member reads a member of base.
func (r *reader) member(base, key value, p place) value {
	name, ok := key.string()
	if ok && forbidden[name] {
		opaque("the text reads a member through which text can be compiled")
	}
	switch base.kind {
	case tools:
		return toolMember(name, ok)
	case global, receiver:
		return r.globalMember(base, name, ok)
	case builtin:
		if ok {
			return value{kind: builtin, str: base.str + "." + name}
		}
		return value{kind: wild}
	case tool:
		return r.memberOfTool(base, name, ok)
	case array:
		return r.memberOfArray(base, key)
	case object:
		return r.memberOfObject(base, key)
	case thing:
		return value{}
	}
	switch {
	case base.plain() && (ok && !prototypeNames[name] || key.numeric()):
		return r.part()
	case base.plain():
		return value{} // possibly one of its methods
	case !ok && !key.numeric():
		r.lend(false, base.kind == wild)
		return value{kind: wild}
	case ok && trails[name]:
		opaque("the text reads what functions were called with")
	case ok && (mutators[name] || rebinders[name] || name == "assign"):
		r.poison(fatal) // a function that changes any value it is given later
	}
	return value{}
}

// memberOfTool reads a member of a function that calls a tool: tools may be in groups.
func (r *reader) memberOfTool(base value, name string, ok bool) value {
	switch {
	case !ok:
		opaque("the name of a tool is computed")
	case name == "name" || name == "length":
		return value{kind: data}
	case objectNames[name] || rebinders[name] || trails[name]:
		r.release(base)
		return value{}
	}
	return value{kind: tool, str: base.str + "." + name}
}

// memberOfArray reads a member of a constant array.
func (r *reader) memberOfArray(base, key value) value {
	name, ok := key.string()
	switch i, err := strconv.Atoi(name); {
	case ok && err == nil && i >= 0 && i < len(base.items) && strconv.Itoa(i) == name:
		return base.items[i]
	case ok && name == "length":
		return numberOf(float64(len(base.items)))
	case ok:
		return value{} // one of its methods
	}
	r.releaseParts(base)
	if key.numeric() && base.plain() {
		return r.part()
	}
	return value{}
}

// memberOfObject reads a member of a constant object.
func (r *reader) memberOfObject(base, key value) value {
	name, ok := key.string()
	if !ok {
		r.releaseParts(base)
		return value{}
	}
	item, found := base.member(name)
	if !found && r.harm == noHarm && !objectNames[name] {
		return value{kind: undefined}
	}
	return item
}

// toolMember is the tool with that name.
func toolMember(name string, ok bool) value {
	switch {
	case !ok:
		opaque("the name of a tool is computed")
	case name == "valueOf":
		opaque("the object through which tools are called is passed on")
	case name == "hasOwnProperty":
		return value{}
	}
	return value{kind: tool, str: name}
}

// globalMember is a member of the global object, or of this, which may be the global object.
func (r *reader) globalMember(base value, name string, ok bool) value {
	switch {
	case !ok:
		opaque("a member of the global object has a computed name")
	case r.reserved(name):
		return r.free(name)
	}
	if b := r.top.names[name]; b != nil { // outside of modules a var is a member of the global object
		return r.readStray(b)
	}
	if base.kind == receiver {
		return value{}
	}
	return r.free(name)
}
