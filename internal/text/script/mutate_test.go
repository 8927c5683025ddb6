package script

import (
	"fmt"
	"strings"
	"testing"
)

// A mutator writes random programs that make arrays and objects, change them in as many ways as the language has, and give
// them to tools. V stands for a variable, E for an expression, K for the name of a method or member, and F for a function.
type mutator struct {
	writer
	depth int
}

// makers are values that later statements change.
var makers = []string{
	`[{cmd: "ls"}, {cmd: E}]`, `["ls", E]`, `{cmd: "ls", l: ["ls"], o: {cmd: "ls"}}`, `{cmd: E}`, `[V, E]`, `{...V, o: V}`, `[...V, E]`,
	`"ls -l".split(" ")`, `["a", "ls"].map((p) => E)`, `Object.entries(V)`, `Object.values(V)`, `Object.keys(V)`, `V.slice()`, `V.o`, `V[0]`, `V`,
	`Object.freeze(V)`, `V.filter(() => true)`, `V.concat(V)`, `JSON.parse("[{\"cmd\":\"ls\"}]")`, `JSON.parse("{\"cmd\":\"ls\",\"l\":[]}")`,
	`await Promise.all([V, E])`, `await V`, `Array.from(V)`, `new Map([["k", V]])`, `load("x") ? V : V`, `V ?? E`, `(() => V)()`, `await (async () => V)()`,
	`[][load("p")]`, `({})[load("p")]`, `({})[load("ctor")]`, `V?.[load("p")]`, `[V].at(0)`, `structuredClone(V)`, `V.l ?? V`, `[V, V].reverse()[0]`,
	`{l: ["ls"], cmd: "ls", add(p) { this.l.push(p); }, get() { return this; }, toString() { this.cmd = E; return "k"; }}`,
	`{cmd: "ls", push: [].push, l: V, f: F, then: undefined}`, `{f: F, l: ["ls"]}`, `function () { return V; }`, `F`, `Object.assign`, `[].push`, `V.push`, `V[K]`,
	`{get cmd() { return E; }}`, `class { static l = V; static f = F; }`, `(function* () { yield V; yield E; })()`, `{[K]: E, cmd: "ls"}`, `{cmd: "ls", [load("j")]: F}`,
	`new (class { constructor(p) { this.l = p; this.cmd = "ls"; } add(p) { this.l.push(p); } })(V)`, `[V].flatMap((p) => p)`, `V.values()`, `V.entries()`,
}

// changes are statements that may change values.
var changes = []string{
	`V["push"](E);`, `V["pu" + "sh"](E);`, `V[K](E);`, `V?.[K]?.(E);`, `V[K][K](V, E);`, `V["push"]["call"](V, E);`, `V.push.apply(V, [E]);`, `V.push.bind(V)(E);`,
	`[][K].call(V, E);`, `[].push.call(V, E);`, `Array.prototype.push.call(V, E);`, `Object["assign"](V, {cmd: E});`, `Object.assign(V, V);`, `Object.assign(V, {[K]: F});`,
	`V(V, {cmd: E});`, `V(E);`, `V?.(V);`, `V.splice(0, 1, E);`, `V["fill"](E);`, `V.unshift(E);`, `V.pop();`, `V.shift();`, `V.reverse();`, `V.sort();`, `V.length = 1;`, `V["len" + "gth"]--;`,
	`V.cmd = E;`, `V[K] = E;`, `V[0] = E;`, `V.cmd += E;`, `V.cmd ??= E;`, `V.o.cmd = E;`, `V.l.push(E);`, `delete V.cmd;`, `delete V[K];`, `[V.cmd] = [E];`, `({x: V.cmd} = {x: E});`, `({cmd: V[0]} = V);`,
	`for (V.cmd of [E]);`, `for (V[0] in V);`, `for (const p of V) p.cmd = E;`, `for (const p of V) { p.push?.(E); }`, `for (const [k, p] of Object.entries(V)) { p.cmd = E; }`,
	`V.forEach((p) => { p.cmd = E; });`, `V.forEach((p, i, all) => { all[0] = E; });`, `V.map((p, i, all) => all.push(E) > 5);`, `V.find((p) => p).cmd = E;`, `V.at(0).cmd = E;`, `V.filter(() => 1)[0].cmd = E;`,
	`V.reduce((p, q) => { p.cmd = E; return p; });`, `V.reduce(Object.assign);`, `V.toSorted((p) => { p.cmd = E; });`, `[...V][0].cmd = E;`, `({...V}).o.cmd = E;`, `[V][0].cmd = E;`, `(0, V).cmd = E;`, `(V || E).cmd = E;`, `(load("x") ? V : E).cmd = E;`,
	`Object.values(V)[0].cmd = E;`, `Array.from(V, (p) => { p.cmd = E; });`, `new Set([V]).forEach((p) => { p.cmd = E; });`, `V.get("k").cmd = E;`, `V.get?.().l.push(E);`, `V.add(E);`, `V.l.add?.(E);`,
	`await Promise.resolve(V).then((p) => { p.cmd = E; });`, `await V.then((p) => { p.cmd = E; });`, `(await (async () => V)()).cmd = E;`, `setTimeout((p) => { p.cmd = E; }, 0, V);`, `await {then(f) { V.cmd = E; f(); }};`,
	`((p) => { p.cmd = E; })(V);`, `((p = V) => { p.cmd = E; })();`, `((...p) => { p[0].cmd = E; })(V);`, `(({o: p}) => { p.cmd = E; })(V);`, `(function () { arguments[0].cmd = E; })(V);`, `(function () { this.cmd = E; }).call(V);`, `(function (p) { p.push(E); }).apply(null, [V]);`,
	`((s, p) => { p.cmd = E; })` + "`${V}`" + `;`, `V.add` + "`x`" + `;`, "`${V}`;", `V + "";`, `JSON.stringify(V, (k, p) => { if (p?.cmd) p.cmd = E; return p; });`, `JSON.stringify(V);`, `String(V);`,
	`try { throw V; } catch (p) { p.cmd = E; }`, `switch (1) { case (V.cmd = E): }`, `{ const p = V; p.cmd = E; }`, `let V1; V1 = V; V1.cmd = E;`, `{ var u = V; u.cmd = E; }`, `out: { V.cmd = E; break out; }`, `for (let i = 0; i < 2; i++) { V.push?.(E); }`, `do { V.cmd = E; } while (0);`,
	`V[Symbol.iterator] = function* () { yield E; };`, `V.toString = F;`, `V.then = F;`, `V.join = F;`, `V.map = F;`, `V[K] = F;`, `V.f = F;`, `V.f(V);`, `V.f?.(V);`, `V.f[K](V, E);`, `[V].map(F);`, `F(V);`, `V.set?.("k", E);`, `V.copyWithin(0, 1);`,
	`const h = {set x(p) { p.cmd = E; }}; h.x = V;`, `const g = {get x() { return V; }}; g.x.cmd = E;`, `const it = {*[Symbol.iterator]() { yield V; }}; for (const p of it) p.cmd = E;`, `class A { constructor(p) { p.cmd = E; } } new A(V);`, `class A { static { V.cmd = E; } }`, `class A { go(p = V) { p.cmd = E; } } new A().go();`,
	`store("k", V);`, `text(V);`, `V.valueOf().cmd = E;`, `Object.preventExtensions(V).cmd = E;`, `[V.cmd, V.x] = [V.x, V.cmd];`, `[V[0], V[1]] = [V[1], V[0]];`, `V.next?.(V).value.cmd = E;`, `V.prototype[K] = F;`, `V.assign(V, {cmd: E});`, `const {assign} = V; assign(V, {join: F});`,
	`{ function FN() { return E; } }`, `var FN = F;`, `VAR = E;`, `VAR.cmd = E;`, `(VAR = V).cmd = E;`, `[VAR] = [E];`, `({cmd: VAR} = V);`, `for (VAR of [E]);`, `VAR ||= E;`,
}

// uses give values to tools.
var uses = []string{
	`await tools.exec(V);`, `tools.exec({cmd: V});`, `tools.exec({cmd: V.cmd});`, `tools.exec({cmd: V[0]});`, `tools.exec({cmd: V.join(" ")});`, `tools.exec({...V});`, `tools.exec({cmd: "ls", o: V});`, `tools.exec({cmd: "ls", l: [...V]});`,
	`for (const p of V) await tools.exec(p);`, `for (const cmd of V) tools.exec({cmd});`, `for (const cmd of V.l) tools.exec({cmd});`, `for (const [k, cmd] of Object.entries(V)) tools.exec({cmd, k});`, `V.map((p) => tools.exec(p));`, `V.forEach(tools.exec);`, `V.l.forEach((cmd) => tools.exec({cmd}));`,
	`{ const {cmd = "d", o} = V; tools.exec({cmd, o}); }`, `{ const [p, ...q] = V; tools.exec({cmd: p, q}); }`, `(({cmd}) => tools.exec({cmd}))(V);`, `((...p) => tools.exec({cmd: p}))(...V);`, `tools.exec({cmd: JSON.stringify(V)});`, "tools.exec({cmd: `${V[0]} ${V.length}`});", `tools.exec({cmd: Object.keys(V)});`,
	`tools.exec({cmd: V.missing ?? "ls"});`, `tools.exec(V.o);`, `tools.exec(V[0], V[1]);`, `tools.exec(V.at?.(0));`, `tools.exec(await V);`, `tools.ns.other({cmd: V[K]});`, `tools.exec({cmd: V.f?.(V)});`, `tools.exec({cmd: FN()});`, `tools.exec({cmd: VAR});`, `tools.exec(VAR);`, `tools.exec({cmd: VAR.cmd});`,
	`tools.exec({cmd: Object.values(V)[0]});`, `tools.exec({cmd: V.split?.(" ")});`, `tools.exec({cmd: String(V.cmd)});`, `tools.exec({cmd: V.length ? "a" : "b"});`, `V[K]?.[load("ctor")]?.("tools.exec({cmd: 'compiled'})")?.();`,
}

func (m *mutator) fill(template string) string {
	var out strings.Builder
	for i := 0; i < len(template); i++ {
		word := template[i:]
		boundary := i == 0 || !wordByte(template[i-1])
		alone := func(name string) bool {
			return boundary && strings.HasPrefix(word, name) && (len(word) == len(name) || !wordByte(word[len(name)]))
		}
		switch {
		case alone("V"):
			out.WriteString(m.value())
		case alone("E"):
			out.WriteString(m.small())
		case alone("K"):
			out.WriteString(m.pick(`"push"`, `"cmd"`, `"0"`, `0`, `"l"`, `"o"`, `load("push")`, `load("cmd")`, `load("zero")`, `load("j")`, `load("ctor")`, `load("p")`, `"pu" + "sh"`, `k`, `load("join")`, `"splice"`, `"call"`, `load("__defineGetter__")`))
		case alone("F"):
			out.WriteString(m.function())
		default:
			out.WriteByte(template[i])
			continue
		}
	}
	return out.String()
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (m *mutator) value() string {
	if len(m.names) == 0 {
		return `["v"]`
	}
	return m.names[m.rnd.IntN(len(m.names))]
}

func (m *mutator) small() string {
	return m.pick(`"rm"`, `"rm"`, `{cmd: "rm"}`, `["rm"]`, m.value(), `1`, `load("x")`, `() => "rm"`)
}

func (m *mutator) function() string {
	if m.depth > 2 {
		return `() => "rm"`
	}
	m.depth++
	defer func() { m.depth-- }()
	body := m.with("p", func() string { return m.statement() })
	return m.pick(`() => "rm"`, `(p) => p`, `(p) => { p.cmd = "rm"; return p; }`, `function (p) { return this; }`, `(p) => { try { `+body+` } catch {} return "rm"; }`, `async (p) => { `+body+` }`, `function (p) { `+body+` }`)
}

func (m *mutator) statement() string {
	switch n := m.rnd.IntN(10); {
	case n < 5:
		return m.fill(changes[m.rnd.IntN(len(changes))])
	case n < 9:
		return m.fill(uses[m.rnd.IntN(len(uses))])
	}
	return fmt.Sprintf("for (const q of [1, 2]) { %s }", m.fill(uses[m.rnd.IntN(len(uses))]))
}

func (m *mutator) program() string {
	lines := []string{`const k = "push"; let VAR = "ls"; var FN = () => "ls";`}
	for range 1 + m.rnd.IntN(3) {
		name, maker := m.fresh("v"), m.fill(makers[m.rnd.IntN(len(makers))])
		if strings.HasPrefix(maker, "{") {
			maker = "(" + maker + ")"
		}
		lines = append(lines, fmt.Sprintf("%s %s = %s;", m.pick("const", "const", "const", "let", "var"), name, maker))
		m.names = append(m.names, name)
	}
	for range 1 + m.rnd.IntN(3) {
		line := m.statement()
		switch m.rnd.IntN(6) {
		case 0:
			line = fmt.Sprintf("const %s = () => { %s }; %[1]s();", m.fresh("f"), line)
		case 1:
			line = fmt.Sprintf("function %s() { %s } %[1]s();", m.fresh("f"), line)
		}
		lines = append(lines, "try { "+line+" } catch {}")
	}
	for range 1 + m.rnd.IntN(2) {
		lines = append(lines, "try { "+m.fill(uses[m.rnd.IntN(len(uses))])+" } catch {}")
	}
	return strings.Join(lines, "\n")
}

// TestNodeMutated: what programs do that change what they have made is in their readings.
func TestNodeMutated(t *testing.T) {
	rnd := seed(t)
	var programs []program
	for tries := 0; len(programs) < 2000 && tries < 100_000; tries++ {
		m := &mutator{writer: writer{rnd: rnd}}
		source := m.program()
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
