package script

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// A writer writes random programs that keep, change, pass on and call what they can reach.
type writer struct {
	rnd   *rand.Rand
	names []string // of variables
	funcs []string // of functions of one parameter
	n     int
}

func (w *writer) pick(options ...string) string { return options[w.rnd.IntN(len(options))] }

func (w *writer) fresh(prefix string) string {
	w.n++
	return fmt.Sprintf("%s%d", prefix, w.n)
}

func (w *writer) variable() string {
	if len(w.names) == 0 {
		return `"v"`
	}
	return w.names[w.rnd.IntN(len(w.names))]
}

// expr is an expression of any kind.
func (w *writer) expr(depth int) string {
	if depth <= 0 {
		return w.pick(`"a"`, `"b"`, "1", "true", "null", "undefined", "{}", "[]", w.variable(), w.variable(), "tools", "tools.exec", `load("n")`, `load("ctor")`, `{cmd: "ls"}`)
	}
	sub := func() string { return w.expr(depth - 1 - w.rnd.IntN(2)) }
	switch w.rnd.IntN(24) {
	case 0:
		return fmt.Sprintf("(%s + %s)", sub(), sub())
	case 1:
		return fmt.Sprintf("`x${%s}y`", sub())
	case 2:
		return fmt.Sprintf("({cmd: %s, ...%s})", sub(), sub())
	case 3:
		return fmt.Sprintf("[%s, %s]", sub(), sub())
	case 4:
		return fmt.Sprintf("(%s ? %s : %s)", sub(), sub(), sub())
	case 5:
		return fmt.Sprintf("(%s %s %s)", sub(), w.pick("||", "&&", "??", ","), sub())
	case 6:
		return fmt.Sprintf("%s?.%s", w.variable(), w.pick("cmd", "exec", "a", "length", "map", "t"))
	case 7:
		return fmt.Sprintf("%s?.[%s]", w.variable(), sub())
	case 8:
		return fmt.Sprintf("await tools.%s(%s)", w.pick("exec", "other"), sub())
	case 9:
		return fmt.Sprintf("tools[%s]?.(%s)", w.pick(`"exec"`, `"ex" + "ec"`, w.variable()), sub())
	case 10, 11:
		if len(w.funcs) > 0 {
			return fmt.Sprintf("%s(%s)", w.funcs[w.rnd.IntN(len(w.funcs))], sub())
		}
		return sub()
	case 12:
		return fmt.Sprintf("(%s)?.(%s)", w.variable(), sub())
	case 13:
		return fmt.Sprintf("((p) => %s)(%s)", w.with("p", func() string { return w.expr(depth - 1) }), sub())
	case 14:
		return fmt.Sprintf("[%s, %s].%s((p) => %s)", sub(), sub(), w.pick("map", "filter", "forEach", "find"), w.with("p", func() string { return w.expr(depth - 1) }))
	case 15:
		return fmt.Sprintf("[%s].join(%s)", sub(), sub())
	case 16:
		return fmt.Sprintf("Object.%s(%s ?? {})", w.pick("keys", "values", "entries", "assign", "freeze"), sub())
	case 17:
		return fmt.Sprintf("JSON.stringify(%s)", sub())
	case 18:
		return fmt.Sprintf("(function () { return %s; })()", w.pick("this", "this?.tools", "arguments", sub()))
	case 19:
		return fmt.Sprintf("globalThis.%s", w.pick("tools", "load", "x"))
	case 20:
		return fmt.Sprintf("({get cmd() { return %s; }, m(p) { return %s; }})", sub(), w.with("p", func() string { return w.expr(depth - 1) }))
	case 21:
		return fmt.Sprintf("tools.exec({cmd: %s})", sub())
	case 22:
		return fmt.Sprintf("[%s].map(%s)", sub(), w.pick("tools.exec", "String", w.variable()))
	}
	return w.expr(0)
}

// with writes something in which a name is declared.
func (w *writer) with(name string, write func() string) string {
	w.names = append(w.names, name)
	defer func() { w.names = w.names[:len(w.names)-1] }()
	return write()
}

func (w *writer) stmt(depth int) string {
	sub := func() string { return w.block(depth-1, 1+w.rnd.IntN(2)) }
	switch w.rnd.IntN(16) {
	case 0, 1, 2, 3:
		e, name := w.expr(2), w.fresh("v")
		w.names = append(w.names, name)
		return fmt.Sprintf("%s %s = %s;", w.pick("const", "const", "let", "var"), name, e)
	case 4:
		name := w.fresh("f")
		body := w.with("p", func() string { return w.block(depth-1, 1) + " return " + w.expr(2) + ";" })
		w.funcs = append(w.funcs, name)
		if w.rnd.IntN(2) == 0 {
			return fmt.Sprintf("function %s(p) { %s }", name, body)
		}
		return fmt.Sprintf("const %s = (p%s) => { %s };", name, w.pick("", ` = "d"`), body)
	case 5:
		return fmt.Sprintf("try { %s = %s; } catch {}", w.variable2(), w.expr(2))
	case 6:
		return fmt.Sprintf("try { %s.%s = %s; } catch {}", w.variable2(), w.pick("cmd", "a", "x", "join", "t"), w.expr(2))
	case 7:
		return fmt.Sprintf("try { %s[%s] = %s; } catch {}", w.variable2(), w.expr(1), w.expr(2))
	case 8:
		return fmt.Sprintf("for (const q of [%s, %s]) { %s }", w.expr(1), w.expr(1), w.with("q", sub))
	case 9:
		return fmt.Sprintf("if (%s) { %s } else { %s }", w.expr(1), sub(), sub())
	case 10:
		a, e := w.fresh("v"), w.expr(1)
		w.names = append(w.names, a)
		return fmt.Sprintf("const {%s: %s = %s} = %s ?? {};", w.pick("cmd", "exec", "t", `["ex" + "ec"]`), a, w.expr(1), e)
	case 11:
		return fmt.Sprintf("try { %s } catch (e) { %s }", sub(), sub())
	case 12:
		return fmt.Sprintf("try { %s.push(%s); } catch {}", w.variable2(), w.expr(1))
	case 13:
		return fmt.Sprintf("try { await tools.exec(%s); } catch {}", w.expr(2))
	}
	return fmt.Sprintf("try { %s; } catch {}", "void "+w.expr(3))
}

// variable2 is a variable that may be assigned to.
func (w *writer) variable2() string {
	if len(w.names) == 0 {
		return "vv"
	}
	return w.variable()
}

// block writes statements whose names are not seen after it.
func (w *writer) block(depth, n int) string {
	if depth <= 0 {
		return fmt.Sprintf("try { tools.exec({cmd: %s}); } catch {}", w.expr(1))
	}
	names, funcs := len(w.names), len(w.funcs)
	var out []string
	for range n {
		out = append(out, w.stmt(depth))
	}
	w.names, w.funcs = w.names[:names], w.funcs[:funcs]
	return strings.Join(out, "\n")
}

// TestNodeGenerated: what random programs do when they run is in their readings.
func TestNodeGenerated(t *testing.T) {
	rnd := seed(t)
	var programs []program
	for len(programs) < 3000 {
		w := &writer{rnd: rnd}
		source := w.block(3, 2+rnd.IntN(5))
		// Most programs that pass the tools around are opaque: more of those that do less are wanted.
		if r := Read(source, []string{"tools"}); r.Opaque && rnd.IntN(20) > 0 {
			continue
		}
		programs = append(programs, program{source, rnd.IntN(2) == 0})
	}
	certain, count := compare(t, programs)
	t.Logf("%d of %d programs are clear and make %d calls", certain, len(programs), count)
	if certain < len(programs)/2 || count < len(programs)/2 {
		t.Errorf("%d of %d programs are clear and make %d calls", certain, len(programs), count)
	}
}
