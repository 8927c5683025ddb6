package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// A command in list form is judged as one command, also under none and by operators that negate.
func TestListFormIsOneCommand(t *testing.T) {
	for _, c := range []struct{ conditions, text, list string }{
		{`{operator: runs, value: "git *"}`, `"git status -s"`, `["git","status","-s"]`},
		{`{operator: not_runs, value: "rm *"}`, `"bash -lc 'rm x'"`, `["bash","-lc","rm x"]`},
		{`{operator: not_runs, value: "rm *"}`, `"ls -l x"`, `["ls","-l","x"]`},
		{`{none: [{operator: runs, value: "rm *"}]}`, `"bash -lc 'rm x'"`, `["bash","-lc","rm x"]`},
		{`{none: [{operator: runs, value: "*--dry-run*"}]}`, `"helm delete x --dry-run"`, `["helm","delete","x","--dry-run"]`},
		{`{param_path: command, operator: contains, value: --dry-run}`, `"helm delete --dry-run"`, `["helm","delete","--dry-run"]`},
		{`{param_path: command, operator: not_contains, value: --dry-run}`, `"helm delete --dry-run"`, `["helm","delete","--dry-run"]`},
		{`{none: [{param_path: command, operator: contains, value: --dry-run}]}`, `"helm delete --dry-run"`, `["helm","delete","--dry-run"]`},
		{`{param_path: command, operator: matches, value: "^git (status|log)( |$)"}`, `"git status -s"`, `["git","status","-s"]`},
		{`{param_path: command, operator: host_in, value: github.com}`, `"curl https://github.com/x"`, `["curl","https://github.com/x"]`},
		{`{param_path: command, operator: not_host_in, value: github.com}`, `"curl https://example.com"`, `["curl","https://example.com"]`},
		{`{operator: removes, value: ./x}`, `"rm -r x"`, `["rm","-r","x"]`},
		{`{operator: not_removes, value: ./x}`, `"rm -r y"`, `["rm","-r","y"]`},
	} {
		for _, member := range []string{"command", "cmd", "commands"} {
			if member == "commands" && !strings.Contains(c.list, `"-`) {
				continue // it may be several commands
			}
			conditions := strings.ReplaceAll(c.conditions, "param_path: command", "param_path: "+member)
			for _, verdict := range []string{"allow", "deny"} {
				other := map[string]string{"allow": "deny", "deny": "allow"}[verdict]
				p := mustParse(t, fmt.Sprintf("version: 1\ndefault: %s\nrules:\n- {id: x, tool: Bash, verdict: %s, conditions: %s}\n",
					other, verdict, conditions))
				decide := func(command string) Verdict {
					return p.Decide(Query{Tools: []string{"Bash"}, Args: fmt.Appendf(nil, `{%q:%s}`, member, command)}).Verdict
				}
				if text, list := decide(c.text), decide(c.list); text != list {
					t.Errorf("%s if %s: %s for %s, %s for %s", verdict, conditions, text, c.text, list, c.list)
				}
			}
		}
	}
}

// longTexts are texts of about one size that repeat something.
func longTexts(size int) map[string]string {
	out := map[string]string{}
	for name, unit := range map[string]string{
		"short":      "ls;",
		"words":      "echo some words of text and a path /usr/bin/env; ",
		"files":      "cp src/a.go build/a.go && rm -f build/b.o\n",
		"statements": "psql -c 'select 1'\n",
		"hosts":      "curl https://example.com/x\n",
		"branches":   "if test -f a; then cat a | grep b; fi\n",
	} {
		out[name] = strings.Repeat(unit, size/len(unit))
	}
	return out
}

// inForms are a text for a shell alone, and as a command in list form.
func inForms(t *testing.T, text string) (alone, list Query) {
	t.Helper()
	args, err := json.Marshal(map[string]any{"command": []string{"bash", "-lc", text}})
	if err != nil {
		t.Fatal(err)
	}
	return commandOf(text), Query{Tools: []string{"Bash"}, Args: args}
}

// howOften is how many times a call can be decided until it is all too costly, so it tells how many steps it takes.
func howOften(p *Policy, q Query) (times int) {
	q.Work = &Work{}
	for p.Decide(q).Code != call.CodeTooCostly {
		times++
	}
	return times
}

// A long command takes as many steps in list form as alone, and is decided alike.
func TestListFormCostsTheSame(t *testing.T) {
	need.Long(t)
	p := mustPreset(t, "balanced")
	for name, text := range longTexts(128 << 10) {
		alone, list := inForms(t, text)
		a, b := howOften(p, alone), howOften(p, list)
		if a < 15 || b < a-1 || b > a {
			t.Errorf("128 KiB of %s: alone %d times, in list form %d times", name, a, b)
		}
	}
	for _, size := range []int{100, 10 << 10, 1 << 20, 4 << 20, 8 << 20} {
		for name, text := range longTexts(size) {
			alone, list := inForms(t, text)
			a, b := p.Decide(alone), p.Decide(list)
			if a.Verdict != b.Verdict || a.Code != b.Code || a.Rule != b.Rule {
				t.Errorf("%d bytes of %s: alone %s %s %s, in list form %s %s %s", size, name, a.Verdict, a.Code, a.Rule, b.Verdict, b.Code, b.Rule)
			}
			if tooCostly := a.Code == call.CodeTooCostly; tooCostly != (size > 1<<20) {
				t.Errorf("%d bytes of %s: %s %s", size, name, a.Verdict, a.Code)
			}
		}
	}
}
