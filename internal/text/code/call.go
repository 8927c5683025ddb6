package code

import (
	"slices"
	"strings"
)

// An invocation is a call of a function with a meaning.
type invocation struct {
	name string // as the text writes it, without the value that it is called on
	on   *value // the value that it is called on; nil: none
	args []argument
}

// arg is the positional argument with an index.
func (c invocation) arg(i int) value {
	for _, a := range c.args {
		if a.key != "" {
			continue
		}
		if i == 0 {
			return a.value
		}
		i--
	}
	return value{}
}

// count is the number of positional arguments.
func (c invocation) count() int {
	n := 0
	for _, a := range c.args {
		if a.key == "" {
			n++
		}
	}
	return n
}

// key is the argument with one of these names, also in an object that is an argument.
func (c invocation) key(names ...string) (value, bool) {
	for _, a := range c.args {
		if slices.Contains(names, a.key) {
			return a.value, true
		}
		for _, name := range names {
			if v, ok := a.member(name); ok {
				return v, true
			}
		}
	}
	return value{}, false
}

// first is the first positional argument, or the one with a name.
func (c invocation) first(names ...string) value {
	if v := c.arg(0); v.known() || v.list || len(v.names) > 0 {
		return v
	}
	if v, ok := c.key(names...); ok {
		return v
	}
	return c.arg(0)
}

// taint is where the arguments come from.
func (c invocation) taint() taint {
	var t taint
	for _, a := range c.args {
		t = t.with(a.whole())
	}
	return t
}

// builtins are the objects through which functions without a module can be called.
var builtins = strings.NewReplacer("__builtins__.", "", "builtins.", "", "globalThis.", "", "window.", "", "CORE.GLOBAL.", "", "CORE.", "",
	"globals().", "", "Kernel.", "", "java.lang.", "")

// meaning is what a function of a name means.
func (e *evaluator) meaning(name string) (effect, bool) {
	if name = builtins.Replace(name); !strings.HasSuffix(name, ".!") {
		name = strings.TrimSuffix(name, "!")
	}
	for _, table := range []map[string]effect{index[e.language], index[nil]} {
		if found, ok := lookup(table, name); ok {
			return found, true
		}
	}
	return nil, false
}

func lookup(table map[string]effect, name string) (effect, bool) {
	if table == nil {
		return nil, false
	}
	if !strings.Contains(name, ".") {
		if found, ok := table["="+name]; ok {
			return found, true
		}
		found, ok := table[name]
		return found, ok
	}
	for rest := name; ; {
		if found, ok := table[rest]; ok && strings.Contains(rest, ".") {
			return found, true
		}
		cut := strings.IndexByte(rest, '.')
		if cut < 0 {
			break
		}
		rest = rest[cut+1:]
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if found, ok := table["."+last]; ok {
		return found, true
	}
	found, ok := table[last]
	return found, ok
}

// meaningful reports whether a value is a function with a meaning.
func (e *evaluator) meaningful(v value) bool {
	return slices.ContainsFunc(v.names, func(name string) bool {
		_, ok := e.meaning(name)
		return ok || e.functions[name] != nil
	})
}

// called evaluates a call.
func (e *evaluator) called(f value, args []argument) value {
	c := invocation{on: f.over, args: args}
	if e.language == PHP && len(f.texts) > 0 {
		f.names = more(f.texts, f.names, 2*maxNames) // the text of a variable is the name of a function
	}
	out := value{taint: f.whole().with(c.taint())}
	found := false
	for _, name := range f.names {
		last := name[strings.LastIndexByte(name, '.')+1:]
		if params, ok := e.functions[last]; ok {
			for i, param := range params {
				if i < c.count() {
					e.set(param, c.arg(i))
				}
			}
		}
		e.opensDatabase(name, c)
		if does, ok := e.meaning(name); ok && !found {
			c.name, found = name, true
			result := does(e, c)
			result.taint = result.taint.with(out.taint)
			result.names = slices.Clone(result.names)
			out = result
		}
	}
	if !found && len(f.names) > 0 {
		e.handsOn(f.names[0], c)
	}
	for _, name := range f.names {
		out.names = more(out.names, []string{short(name) + "()"}, maxNames+1)
	}
	out.made, out.over = args, f.over
	for _, arg := range args {
		for _, param := range arg.params {
			if t := out.whole(); t.any() {
				e.set(param, value{taint: t})
			}
		}
	}
	return e.fixed(out)
}

// short is a name with its last parts only, so that chains of calls do not grow.
func short(name string) string {
	const most = 4
	for strings.Count(name, ".") >= most {
		_, name, _ = strings.Cut(name, ".")
	}
	if len(name) > maxText>>8 {
		return ""
	}
	return name
}

// again reads a text as code of the same language.
func (e *evaluator) again(source string) {
	if e.nested++; e.nested <= maxNested && e.spend(passes*len(source)) {
		e.source(source)
	}
	e.nested--
}
