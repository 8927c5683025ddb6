package policycmd

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/study"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/record/store/sqlitetest"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// A dice makes random policies and calls out of few words, so that they meet often.
type dice struct{ *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 11))} }

func (d dice) pick(words ...string) string { return words[d.IntN(len(words))] }

func (d dice) tool() string {
	return d.pick("Bash", "BASH", "Read", "WebFetch", "exec", "mcp__git__push", "a__b__c", "mcp__a__b__c", "ta\u200bsk", "x*y", "sh%")
}

func (d dice) command() string {
	if d.IntN(3) > 0 {
		return d.pick("ls -l", "git status && make test", "echo hi | grep h", "/usr/bin/cat x")
	}
	return d.pick("ls -l", "git status && make test", "echo hi | grep h", "sudo rm -rf /", "curl https://a.example/x", "$RUN it", "", "A=1",
		"./run.sh", "/usr/bin/env python3 x.py", "if true; then date; fi", "my\\ prog", "bash -c 'cat x'", "echo $(whoami)", "[ -f x ] && ls", "rm *")
}

func (d dice) file() string {
	if d.IntN(3) > 0 {
		return d.pick("/srv/app/a.go", "/srv/app/b/c.go", "/srv/lib/x", "a.go", "~/notes/a")
	}
	return d.pick("/srv/app/a.go", "/srv/app/b/c.go", "/srv/app", "/srv/lib/x", "a.go", "b/c.go", "../x", "~/notes/a", "~/b", "~", "/", "", "/srv/app/../x",
		"/srv/app/$X", "file:///srv/app/a", "C:\\x", "/srv/app/*.go", "/srv/app/a b", "/SRV/app/a", "./a", "/srv//app/x", "/srv/app/é")
}

func (d dice) url() string {
	if d.IntN(3) > 0 {
		return d.pick("https://docs.example/a", "http://api.example:80/x", "https://10.1.2.3/")
	}
	return d.pick("https://docs.example/a", "https://docs.example/b?q=other.example", "http://api.example:80/x", "docs.example", "https://user@evil.example/", "no", "",
		"https://[::1]/", "https://10.1.2.3/", "HTTPS://DOCS.example/", "https://bücher.example/")
}

func (d dice) args(tool string) string {
	switch {
	case tool == "exec":
		return fmt.Sprintf(`{"input":%q}`, d.pick("tools.Bash({command: 'ls -l'})", "tools.Bash({command: x})", "tools.Read({path: '/srv/app/a'})",
			"text('hi')", "tools[x]()", "eval(x)"))
	case d.IntN(30) == 0:
		return d.pick(`{}`, `{"command":["bash","-lc","ls"]}`, `{"path":1}`, `{"Path":"/srv/app/x"}`, `{"command":null}`)
	case strings.EqualFold(tool, "bash"):
		return fmt.Sprintf(`{"command":%q,"cwd":%q}`, d.command(), d.file())
	case tool == "WebFetch":
		return fmt.Sprintf(`{"url":%q}`, d.url())
	case tool == "Read":
		return fmt.Sprintf(`{"file_path":%q}`, d.file())
	default:
		return fmt.Sprintf(`{"path":%q,"text":%q}`, d.file(), d.pick("x", "AKIAIOSFODNN7EXAMPLE", "ann@acme.com"))
	}
}

// calls are of few tools, with few arguments each, so that they have something in common.
func (d dice) calls(n int) (out []call.Call) {
	tools := []string{d.tool(), d.tool(), d.tool(), d.tool()}
	pool := map[string][]string{}
	for range n {
		tool := d.pick(tools...)
		if d.IntN(20) == 0 {
			tool = d.tool()
		}
		for len(pool[tool]) < 3 {
			pool[tool] = append(pool[tool], d.args(tool))
		}
		c := call.Call{
			ID: call.NewID(time.Now()), Surface: call.Response, Tool: tool, Args: []byte(d.pick(pool[tool]...)),
			WireID: fmt.Sprintf("toolu_%d", len(out)), Actor: call.Actor{Team: d.pick("core", "", "web"), Employee: d.pick("ann@acme.com", "")},
		}
		if d.IntN(5) == 0 {
			c.Server = d.pick("git", "Docs")
		}
		if d.IntN(15) == 0 {
			c.Inner = []call.Inner{{Tool: "Read", Args: []byte(`{"file_path":"/srv/app/a.go"}`)}, {Tool: d.pick("Bash", "Read", "mcp__git__push", "a__b__c"), Args: []byte(`{"a":1}`)}}
		}
		if d.IntN(10) == 0 {
			c.Surface, c.Args = call.Inbound, []byte(`{"name":"x"}`)
		}
		c.Ran = d.IntN(15) == 0
		out = append(out, c)
	}
	return out
}

func (d dice) policy() string {
	rules := []string{
		"{id: no-sudo, tool: Bash, conditions: {param_path: command, operator: runs, value: sudo}, verdict: deny, reason: Not as root.}",
		"{id: no-push, tool: 'mcp__*', verdict: deny}",
		"{id: watch, tool: [Read, WebFetch], who: {team: core}, verdict: audit}",
		"{id: clean, tool: '*', verdict: sanitize, sanitize: {presets: [aws_access_key]}}",
		"{id: cap, tool: Read, verdict: cap_cost, cap_cost: {limit: 5, per: session, window: 24h}}",
		"{id: slow, tool: Bash, verdict: allow, rate_limit: {calls_per_minute: 10}}",
		"{id: maybe, tool: '*', server: Docs, verdict: deny, shadow: true}",
		"{id: some, tool: '*', verdict: allow, conditions: {param_path: '**.path', operator: within, value: /srv}}",
		"{id: offers, tool: Bash, surface: inbound, verdict: deny}",
	}
	text := "version: 1\ndefault: " + d.pick("allow", "audit", "deny") + "\nrules:\n"
	for _, i := range d.Perm(len(rules))[:d.IntN(len(rules))+1] {
		text += "  - " + rules[i] + "\n"
	}
	return text
}

// recordCall has calls judged and recorded, as weir does.
func recordCall(t *testing.T, p *policy.Policy, mode judge.Mode, calls []call.Call) *store.View {
	t.Helper()
	path := filepath.Join(t.TempDir(), "weir.db")
	sqlitetest.Create(t, path)
	s, err := store.Open(t.Context(), "sqlite://"+path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	recorder := recorder.New(recorder.Config{Store: s})
	j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: recorder, Mode: mode, RecordLater: true})
	for _, c := range calls {
		j.Judge(t.Context(), c, func(call.Ruling) {})
	}
	if err := recorder.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	return s.View
}

func mustPolicy(t *testing.T, text string) *policy.Policy {
	t.Helper()
	p, err := policy.Parse("policy.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}

func replayAll(t *testing.T, p *policy.Policy, r *store.View) study.Report {
	t.Helper()
	replay := newReplayer(p)
	// Nothing must be excused as unrepeatable: these calls have no names but those on record.
	clear(replay.known)
	if err := replay.all(acts(t.Context(), r, query.Filter{})); err != nil {
		t.Fatal(err)
	}
	return replay.tally.Report()
}

func TestReplayUnderTheSamePolicyChangesNothing(t *testing.T) {
	need.Long(t)
	decided, inexact := 0, 0
	for seed := range uint64(40) {
		d := newDice(seed)
		text := d.policy()
		p := mustPolicy(t, text)
		for _, mode := range []judge.Mode{judge.Enforce, judge.Shadow, judge.Observe} {
			r := recordCall(t, p, mode, d.calls(40))
			report := replayAll(t, p, r)
			if report.Changed != 0 {
				t.Fatalf("seed %d, mode %s:\n%s\n%+v", seed, mode, text, report)
			}
			decided += report.Calls
			for _, n := range report.Inexact {
				inexact += n
			}
		}
	}
	if decided < 3500 || inexact == 0 {
		t.Errorf("only %d calls were decided again, %d could not be: the test shows little", decided, inexact)
	}
}

func TestSuggestedPolicyReleasesWhatWasReleased(t *testing.T) {
	need.Long(t)
	conditions, unchanged := map[string]int{}, 0
	for seed := range uint64(150) {
		d := newDice(seed)
		before := d.policy()
		r := recordCall(t, mustPolicy(t, before), judge.Enforce, d.calls(60))
		text, err := suggestion(acts(t.Context(), r, query.Filter{}))
		if err != nil {
			t.Fatal(err)
		}
		p, err := policy.Parse("suggested", []byte(text))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if strings.Contains(text, "AKIA") {
			t.Fatalf("seed %d: a secret is in it:\n%s", seed, text)
		}
		for _, operator := range []string{"runs", "within", "host_in"} {
			conditions[operator] += strings.Count(text, "operator: "+operator)
		}
		report := replayAll(t, p, r)
		unchanged += report.Unchanged
		for _, g := range report.Groups {
			// Code that cannot be read passes no policy that refuses anything, and no rule can have a name with a wildcard in it.
			if g.Change == study.NewlyRefused && g.Tool != "exec" && !strings.ContainsAny(g.Server+g.Tool, "*%") {
				t.Fatalf("seed %d: %+v\nbefore:\n%s\nsuggested:\n%s", seed, g, before, text)
			}
		}
	}
	if conditions["runs"] < 10 || conditions["within"] < 50 || conditions["host_in"] < 10 || unchanged < 5000 {
		t.Errorf("%v conditions, %d calls unchanged: the test shows little", conditions, unchanged)
	}
}

func TestReplayFindsWhatChanges(t *testing.T) {
	at := func(c call.Call) call.Call {
		c.ID, c.Surface = call.NewID(time.Now()), call.Response
		return c
	}
	r := recordCall(t, mustPolicy(t, `
version: 1
default: allow
rules:
  - {id: old, tool: Drop, verdict: deny}
  - {id: seen, tool: Read, verdict: audit}
  - {id: clean, tool: Mail, verdict: sanitize, sanitize: {presets: [aws_access_key]}}
`), judge.Enforce, []call.Call{
		at(call.Call{Tool: "Drop", Args: []byte(`{}`)}),
		at(call.Call{Tool: "Read", Args: []byte(`{"p":1}`)}),
		at(call.Call{Tool: "Bash", Args: []byte(`{"command":"sudo ls"}`)}),
		at(call.Call{Tool: "Bash", Args: []byte(`{"command":"ls"}`)}),
		at(call.Call{Tool: "push", Server: "git", Args: []byte(`{"key":"AKIAIOSFODNN7EXAMPLE"}`)}),
		at(call.Call{Tool: "Mail", Args: []byte(`{"key":"AKIAIOSFODNN7EXAMPLE"}`)}),
		at(call.Call{Tool: "Mail", Args: []byte(`{"key":"none"}`)}),
		at(call.Call{Tool: "exec", Args: []byte(`{"input":"tools.Bash({command: 'sudo ls'})"}`)}),
		at(call.Call{Tool: "exec", Args: []byte(`{"input":"tools[x]()"}`)}),
	})
	report := replayAll(t, mustPolicy(t, `
version: 1
default: allow
rules:
  - {id: no-sudo, tool: Bash, conditions: {param_path: command, operator: runs, value: sudo}, verdict: deny}
  - {id: keys, tool: push, verdict: sanitize, sanitize: {presets: [aws_access_key]}}
  - {id: idle, tool: Nobody, verdict: deny}
`), r)
	for i := range report.Groups {
		report.Groups[i].Examples = nil
	}
	want := []study.ChangeGroup{
		{Change: study.NewlyRefused, Rule: "no-sudo", Tool: "Bash", Count: 1},
		{Change: study.NewlyRefused, Rule: "no-sudo", Tool: "exec", Count: 1},
		{Change: study.NewlyReleased, Rule: "old", Tool: "Drop", Count: 1},
		{Change: study.NewlySanitized, Rule: "keys", Server: "git", Tool: "push", Count: 1},
		{Change: study.NoLongerMarked, Rule: "seen", Tool: "Read", Count: 1},
	}
	if diff := cmp.Diff(want, report.Groups); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if len(report.Idle) != 1 || report.Idle[0].ID != "idle" {
		t.Errorf("rules that matched no call: %+v", report.Idle)
	}
	wantBare := []study.ToolCount{{Tool: "Mail", Count: 2}, {Tool: "exec", Count: 2}, {Tool: "Drop", Count: 1}, {Tool: "Read", Count: 1}}
	if diff := cmp.Diff(wantBare, report.Bare); diff != "" {
		t.Errorf("tools without a rule (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{"secrets were removed before the call was recorded": 1}, report.Inexact); diff != "" {
		t.Errorf("inexact (-want +got):\n%s", diff)
	}
}
