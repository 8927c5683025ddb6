package judge_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/limit"
	"github.com/weir-gate/weir/internal/record"
)

const codeRules = `
version: 1
default: allow
rules:
  - {id: no-rm, tool: exec_command, verdict: deny, conditions: {all: [{param_path: cmd, operator: runs, value: rm}]}}
  - {id: no-patch, tool: apply_patch, verdict: deny}
`

// The calls in a piece of code are judged each, by name and arguments; code that hides them is refused where a rule could.
func TestCodeMode(t *testing.T) {
	for i, tt := range []struct {
		name, source string
		code, rule   string // "": released
		calls        int    // on record, the outer one included
	}{
		{"a plain call", `const r = await tools.exec_command({cmd: "ls -la"}); text(r.output)`, "", "", 2},
		{"a refused one", `await tools.exec_command({cmd: "cd x && rm -rf y"})`, call.CodeArgsDenied, "no-rm", 2},
		{"refused by name", `await tools.apply_patch("*** Begin Patch")`, call.CodeToolDenied, "no-patch", 2},
		{"one of two", `await Promise.all([tools.exec_command({cmd: "ls"}), tools.exec_command({cmd: "rm x"})])`, call.CodeArgsDenied, "no-rm", 3},
		{"arguments that are not known", `await tools.exec_command({cmd: await load("x")})`, call.CodeOpaqueCode, "no-rm", 2},
		{"of a tool that no rule restricts", `await tools.view_image({path: await load("x")})`, "", "", 2},
		{"a computed name", `await tools["exec_" + x]({cmd: "ls"})`, call.CodeOpaqueCode, "", 1},
		{"char codes", `tools[String.fromCharCode(101) + "xec_command"]({cmd: "rm"})`, call.CodeArgsDenied, "no-rm", 2},
		{"no JavaScript", `rm -rf / ;;; (`, call.CodeOpaqueCode, "", 1},
		{"no calls", `text("hello")`, "", "", 1},
		{"changed by a computed member", `const l = [{cmd: "ls"}]; l["pu" + "sh"]({cmd: "rm"}); for (const a of l) await tools.exec_command(a)`, call.CodeOpaqueCode, "no-rm", 2},
		{"a computed member that no rule reads", `await tools.exec_command({cmd: "ls", session_id: await load("x")})`, "", "", 2},
		{"a computed member beside a refused one", `await tools.exec_command({cmd: "rm x", session_id: await load("x")})`, call.CodeArgsDenied, "no-rm", 2},
		{"a computed part of a member", "await tools.exec_command({cmd: `ls ${load('x')}`})", call.CodeOpaqueCode, "no-rm", 2},
		{"another argument", `await tools.exec_command({cmd: "ls"}, {cmd: "rm x"})`, call.CodeArgsDenied, "no-rm", 3},
		{"code in code", `await tools.exec("tools.exec_command({cmd: 'rm x'})")`, call.CodeArgsDenied, "no-rm", 3},
		{"computed code", `await tools.exec(load("x"))`, call.CodeOpaqueCode, "", 2},
		{"a wrapper", `await tools.multi_tool_use.parallel({tool_uses: [{recipient_name: "functions.exec_command", parameters: {cmd: "rm x"}}]})`, call.CodeArgsDenied, "no-rm", 3},
		{"a wrapper that computes", `await tools.multi_tool_use.parallel({tool_uses: [{recipient_name: "functions.exec_command", parameters: load("x")}]})`, call.CodeOpaqueCode, "no-rm", 3},
		{"a wrapper of what is allowed", `await tools.multi_tool_use.parallel({tool_uses: [{recipient_name: "functions.exec_command", parameters: {cmd: "ls"}}]})`, "", "", 3},
		{"in a group", `await tools.shell.exec_command({cmd: "rm x"})`, call.CodeArgsDenied, "no-rm", 2},
	} {
		p, r := parse(t, codeRules), &notebook{}
		j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: r})
		got := ruled(t, j, aCall([]string{"exec", "functions.exec"}[i%2], `{"input":`+dialect.Quote(tt.source)+`}`))
		if got.Released != (tt.code == "") || got.Code != tt.code || got.Rule != tt.rule {
			t.Errorf("%s: ruled %+v", tt.name, got)
		}
		if tt.code != call.CodeOpaqueCode && len(r.events) != tt.calls {
			t.Errorf("%s: %d events", tt.name, len(r.events))
		}
	}
}

// The wrapper is read whoever calls it.
func TestWrapper(t *testing.T) {
	p := parse(t, codeRules)
	j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: &notebook{}})
	for args, code := range map[string]string{
		`{"tool_uses":[{"recipient_name":"functions.exec_command","parameters":{"cmd":"ls"}}]}`:                                                                               "",
		`{"tool_uses":[{"recipient_name":"functions.ls","parameters":{}},{"recipient_name":"functions.exec_command","parameters":{"cmd":"rm x"}}]}`:                           call.CodeArgsDenied,
		`{"tool_uses":[{"recipient_name":"apply_patch","parameters":{}}]}`:                                                                                                    call.CodeToolDenied,
		`{"tool_uses":[{"recipient_name":1,"parameters":{}}]}`:                                                                                                                call.CodeOpaqueCode,
		`{"tool_uses":[{"recipient_name":"functions.exec","parameters":{"input":"tools.apply_patch('x')"}}]}`:                                                                 call.CodeToolDenied,
		`{"tool_uses":[{"recipient_name":"multi_tool_use.parallel","parameters":{"tool_uses":[{"recipient_name":"functions.exec_command","parameters":{"cmd":"rm"}}]}}]}`:     call.CodeArgsDenied,
		`{"tool_uses":[{"recipient_name":"multi_tool_use.parallel","parameters":{"tool_uses":[{"recipient_name":"functions.exec_command","parameters":{"cmd":"ls /rm"}}]}}]}`: "",
	} {
		if got := ruled(t, j, aCall("multi_tool_use.parallel", args)); got.Code != code || got.Released != (code == "") {
			t.Errorf("%s: ruled %+v", args, got)
		}
	}
}

const rateRules = `
version: 1
default: allow
rules:
  - {id: slowly, tool: exec_command, verdict: allow, rate_limit: {calls_per_minute: 1, burst: 3}}
  - {id: no-patch, tool: apply_patch, verdict: deny}
`

// Code counts by the calls that it makes; where their number cannot be seen, nothing can be counted.
func TestCodeModeRates(t *testing.T) {
	for _, tt := range []struct{ name, source, code string }{
		{"one", `await tools.exec_command({cmd: "ls"})`, ""},
		{"as many as may be", `for (const cmd of ["a", "b", "c"]) await tools.exec_command({cmd})`, ""},
		{"too many", `for (const cmd of ["a", "b", "c", "d"]) await tools.exec_command({cmd})`, call.CodeRateLimited},
		{"a helper", `const sh = (cmd) => tools.exec_command({cmd}); await sh("a"); await sh("b");`, ""},
		{"a helper called too often", `const sh = (cmd) => tools.exec_command({cmd}); sh("a"); sh("b"); sh("c"); sh("d");`, call.CodeRateLimited},
		{"a loop", `for (let i = 0; i < 3; i++) await tools.exec_command({cmd: "ls"})`, call.CodeOpaqueCode},
		{"a loop over results", `for (const f of (await tools.list({})).files) await tools.exec_command({cmd: "ls"})`, call.CodeOpaqueCode},
		{"recursion", `const f = () => { tools.exec_command({cmd: "ls"}); f(); }; f()`, call.CodeOpaqueCode},
		{"a function that is passed on", `const f = () => tools.exec_command({cmd: "ls"}); setInterval(f, 1)`, call.CodeOpaqueCode},
		{"a loop of what is not limited", `while (load("x")) await tools.list({})`, ""},
		{"code in a loop", `while (load("x")) await tools.exec("tools.exec_command({cmd: 'ls'})")`, call.CodeOpaqueCode},
	} {
		p := parse(t, rateRules)
		j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: &notebook{}, Rates: limit.NewRates(limit.RatesConfig{})})
		if got := ruled(t, j, aCall("exec", `{"input":`+dialect.Quote(tt.source)+`}`)); got.Code != tt.code || got.Released != (tt.code == "") {
			t.Errorf("%s: ruled %+v", tt.name, got)
		}
	}
}

// The record says which arguments code computes, and which calls it repeats.
func TestCodeModeRecord(t *testing.T) {
	p, r := parse(t, codeRules), &notebook{}
	j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: r})
	ruled(t, j, aCall("exec", `{"input":"while (load('x')) tools.exec_command({cmd: 'ls', id: load('y')})"}`))
	if len(r.events) != 2 {
		t.Fatalf("%d events", len(r.events))
	}
	want := record.ToolCall{Holes: []string{"/id"}, Repeats: true}
	if diff := cmp.Diff(want, r.events[1].Detail); diff != "" || string(r.events[1].Args) != `{"cmd":"ls","id":null}` {
		t.Errorf("recorded %s; detail (-want +got):\n%s", r.events[1].Args, diff)
	}
}

// Secrets cannot be replaced in what code computes.
func TestCodeModeSecrets(t *testing.T) {
	p := parse(t, "version: 1\ndefault: allow\nrules: [{id: keep, tool: send, verdict: sanitize, sanitize: {presets: [email], paths: [body]}}]")
	j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: &notebook{}})
	for source, code := range map[string]string{
		`tools.send({body: "hello"})`:                    "",
		`tools.send({body: "ann@example.com"})`:          call.CodeArgsDenied,
		`tools.send({body: "hello", to: load("x")})`:     "",
		`tools.send({body: load("x"), to: "ann"})`:       call.CodeOpaqueCode,
		`tools.send({body: {a: [load("x")]}})`:           call.CodeOpaqueCode,
		`tools.send(load("x"))`:                          call.CodeOpaqueCode,
		`tools.send({to: "ann@example.com", body: "x"})`: "",
	} {
		if got := ruled(t, j, aCall("exec", `{"input":`+dialect.Quote(source)+`}`)); got.Code != code || got.Released != (code == "") {
			t.Errorf("%s: ruled %+v", source, got)
		}
	}
}

// Where no rule restricts anything, code may compute what it likes; and a tool of that name with other arguments is no code.
func TestCodeModeUnrestricted(t *testing.T) {
	p := parse(t, "version: 1\ndefault: allow\nrules: [{id: seen, tool: '*', verdict: audit}]")
	j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: &notebook{}})
	if got := ruled(t, j, aCall("exec", `{"input":"tools[x]()"}`)); !got.Released {
		t.Errorf("ruled %+v", got)
	}
	p = parse(t, codeRules)
	for _, args := range []string{`{"command":"("}`, `{"input":"(","timeout":1}`, `{"input":["("]}`} {
		if got := ruled(t, j, aCall("exec", args)); !got.Released {
			t.Errorf("%s: ruled %+v", args, got)
		}
	}
}

// Code that computes what no rule of the starter policy asks for passes, and code that computes a command does not.
func TestBalancedReadsCode(t *testing.T) {
	p := mustPreset(t, "balanced")
	j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: &notebook{}})
	for source, code := range map[string]string{
		`const r = await tools.exec_command({cmd: "make", tty: true}); text(await tools.write_stdin({session_id: r.session_id, chars: ""}))`:       "",
		`let r = await tools.exec_command({cmd: "make"}); while (r.session_id) r = await tools.write_stdin({session_id: r.session_id, chars: ""})`: "",
		`const n = Number(load("n")); text(await tools.exec_command({cmd: "ls", session_id: load("id"), max_output_tokens: n}))`:                   "",
		`const r = await tools.exec_command({cmd: "ls"}); await tools.write_stdin({session_id: r.session_id, chars: r.output})`:                    call.CodeOpaqueCode,
		`await tools.exec_command({cmd: load("cmd")})`:                    call.CodeOpaqueCode,
		`await tools.exec_command({cmd: "rm -rf /", n: load("n")})`:       call.CodeArgsDenied,
		`await tools.exec_command({...load("options"), cmd: "ls"})`:       call.CodeOpaqueCode,
		`await tools.exec_command({cmd: "ls", [load("name")]: "rm -rf"})`: call.CodeOpaqueCode,
	} {
		if got := ruled(t, j, aCall("exec", `{"input":`+dialect.Quote(source)+`}`)); got.Code != code || got.Released != (code == "") {
			t.Errorf("%s: ruled %+v", source, got)
		}
	}
}
