package judge_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/dialect"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/policy"
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
	} {
		p, r := parse(t, codeRules), &record{}
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

// Where no rule restricts anything, code may compute what it likes; and a tool of that name with other arguments is no code.
func TestCodeModeUnrestricted(t *testing.T) {
	p := parse(t, "version: 1\ndefault: allow\nrules: [{id: seen, tool: '*', verdict: audit}]")
	j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: &record{}})
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
