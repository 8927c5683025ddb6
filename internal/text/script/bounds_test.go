package script

import (
	"fmt"
	"strings"
	"testing"
)

// TestBounds: texts that would take too much are opaque, whatever is in them.
func TestBounds(t *testing.T) {
	deep := func(open, inner, end string) string {
		return strings.Repeat(open, 90_000) + inner + strings.Repeat(end, 90_000)
	}
	doubling := `const s0 = "x";`
	for i := range 40 {
		doubling += fmt.Sprintf("const s%d = s%d + s%d;", i+1, i, i)
	}
	sharing, spreading, repeating := `const a0 = [1];`, "const a = ["+strings.Repeat("1,", 1_000)+"];", `const s = "`+strings.Repeat("x", 500_000)+`";`
	for i := range 60 {
		sharing += fmt.Sprintf("const a%d = [a%d, a%d];", i+1, i, i)
	}
	branching := "const f0 = () => tools.exec({});"
	for i := range 40 {
		branching += fmt.Sprintf("const f%d = () => { f%d(); f%d(); };", i+1, i, i)
	}
	for _, tt := range []struct {
		name, source string
		opaque       bool
	}{
		{"long", "tools.exec({});" + strings.Repeat(" ", maxSource), true},
		{"long string", `tools.exec({cmd: "` + strings.Repeat("x", 900_000) + `"})`, false},
		{"brackets", strings.Repeat("[];", maxBrackets+1), true},
		{"deep arrays", deep("[", "", "]"), true},
		{"deep patterns", "let " + deep("[", "a", "]") + " = 1", true},
		{"deep parameters", "(" + deep("[", "a", "]") + ") => 1", true},
		{"deep parentheses", deep("(", "1", ")"), true},
		{"deep blocks", deep("{", "", "}"), true},
		{"deep functions", deep("()=>{", "", "}"), true},
		{"deep templates", deep("`${", "1", "}`"), true},
		{"deep operators", strings.Repeat("!", 200_000) + "1", true},
		{"deep members", "a" + strings.Repeat(".b", 200_000), true},
		{"deep conditions", strings.Repeat("a?b:", 200_000) + "c", true},
		{"deep else", strings.Repeat("if(1);else ", 100_000) + ";", true},
		{"too many calls", strings.Repeat("tools.exec({});", maxCalls+1), true},
		{"many calls", strings.Repeat("tools.exec({});", maxCalls), false},
		{"doubling strings", doubling + "tools.exec({cmd: s40})", false},
		{"sharing arrays", sharing + "tools.exec({a: a60})", false},
		{"spreading arrays", spreading + strings.Repeat("[...a];", 50_000), true},
		{"repeating strings", repeating + strings.Repeat("s + 1;", 50_000), true},
		{"sharing parameters", "const w = (...r) => r; const a0 = w(1);" + strings.NewReplacer("[a", "w(a", "];", ");").Replace(sharing[len("const a0 = [1];"):]), false},
		{"doubling calls", branching + "f40()", false},
		{"nested loops", strings.Repeat("for (const a of [1,2,3,4,5,6,7,8]) ", 12) + "{ tools.exec({a: 1}) }", false},
		{"invalid UTF-8", "tools.exec({cmd: \"\xff\"})", true},
		{"program file", "#!/usr/bin/env node\ntools.exec({})", true},
		{"empty", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Read(tt.source, []string{"tools"})
			if r.Opaque != tt.opaque {
				t.Errorf("opaque: %v (%s), with %d calls", r.Opaque, r.Why, len(r.Calls))
			}
			strict(t, r)
		})
	}
}

// TestEntry: tools are called through the names that are given, and no others.
func TestEntry(t *testing.T) {
	r := Read(`codemode.read({path: "a"}); const tools = {x() {}}; tools.x({});`, []string{"codemode"})
	if got, want := calls(r), "read {\"path\":\"a\"}\n"; got != want || r.Opaque {
		t.Errorf("calls are %q, opaque %v (%s)", got, r.Opaque, r.Why)
	}
	if r := Read(`tools.x({});`, []string{"codemode"}); !r.Opaque {
		t.Errorf("a name that is not declared is clear: %v", r.Calls)
	}
}

// FuzzRead: nothing panics, and arguments that are known are strict JSON.
func FuzzRead(f *testing.F) {
	for _, source := range corpus(f) {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		r := Read(source, []string{"tools"})
		if r.Opaque != (r.Why != "") {
			t.Errorf("opaque is %v because of %q", r.Opaque, r.Why)
		}
		strict(t, r)
	})
}

func BenchmarkRead(b *testing.B) {
	patch := "await tools.apply_patch(`*** Begin Patch\n" + strings.Repeat("+some line of text {}\n", 5_000) + "*** End Patch`)"
	for _, bm := range []struct{ name, source string }{
		{"one call", `const r = await tools.exec_command({cmd: "ls -la", workdir: "/r"}); text(r.output);`},
		{"patch of 110 KB", patch},
		{"1,000 calls", strings.Repeat("tools.exec({cmd: \"ls\"});\n", 1_000)},
		{"helper", `const sh = async (cmd) => (await tools.exec({cmd})).output; for (const f of ["a", "b", "c"]) text(await sh("cat " + f));`},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.SetBytes(int64(len(bm.source)))
			b.ReportAllocs()
			for b.Loop() {
				Read(bm.source, []string{"tools"})
			}
		})
	}
}
