package judge_test

import (
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/policy"
)

const hiding = `
version: 1
default: allow
rules:
  - {id: no-mail, tool: post, verdict: sanitize, sanitize: {presets: [email]}}
  - {id: not-there, tool: post, verdict: deny, conditions: {any: [{param_path: to, operator: equals, value: all}]}}
  - {id: never, tool: gone, verdict: deny}
  - {id: gone-too, tool: gone, verdict: sanitize, sanitize: {presets: [email]}}
  - {id: no-secret, tool: fetch, verdict: deny, conditions: {any: [{param_path: url, operator: secret, value: email}]}}
  - {id: look, tool: look, verdict: audit, conditions: {any: [{param_path: $, operator: secret, value: [email]}]}}
  - {id: marked, tool: marked, verdict: audit, reason: Look at it.}
  - {id: marked-too, tool: marked, verdict: sanitize, sanitize: {presets: [email]}}
`

// Whatever becomes of a call, the record has none of the secrets that a rule about it replaces or asks for.
func TestRecordHidesSecrets(t *testing.T) {
	const secret = "ann@acme.com"
	code := func(text string) string { return `{"input":"` + strings.ReplaceAll(text, `"`, `\"`) + `"}` }
	for name, c := range map[string]struct {
		call     call.Call
		released bool
	}{
		"refused by another rule":     {aCall("post", `{"to":"all","text":"ann@acme.com"}`), false},
		"refused by name":             {aCall("gone", `{"text":"ann@acme.com"}`), false},
		"refused for the secret":      {aCall("fetch", `{"url":"https://x.test/?q=ann@acme.com"}`), false},
		"flagged for the secret":      {aCall("look", `{"text":"ann@acme.com"}`), true},
		"refused inside code":         {aCall("exec", code(`await tools.fetch({url: "https://x.test/?q=ann@acme.com"})`)), false},
		"written otherwise in code":   {aCall("exec", code(`await tools.fetch({url: "https://x.test/?q=ann\\x40acme.com"})`)), false},
		"in code that cannot be read": {aCall("exec", code(`await tools["f" + x]({url: "ann@acme.com"})`)), false},
		"in code, but not in a call":  {aCall("exec", code(`const me = "ann@acme.com"; await tools.other({me: 1})`)), true},
	} {
		p := parse(t, hiding)
		for _, mode := range []judge.Mode{judge.Enforce, judge.Shadow, judge.Observe} {
			r := &notebook{}
			j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: r, Mode: mode})
			if got := ruled(t, j, c.call); mode == judge.Enforce && got.Released != c.released {
				t.Errorf("%s: ruled %+v", name, got)
			}
			for _, e := range r.events {
				if strings.Contains(string(e.Args), "acme.com") {
					t.Errorf("%s: %s is on record in mode %s: %s", name, secret, mode, e.Args)
				}
			}
			j.Refuse(c.call, call.Ruling{Code: call.CodeArgsUnreadable}, func(call.Ruling) {})
			if last := r.events[len(r.events)-1]; name != "written otherwise in code" && strings.Contains(string(last.Args), "acme.com") {
				t.Errorf("%s: refused for what it is: on record in mode %s: %s", name, mode, last.Args)
			}
		}
	}
}

// What could not be read as JSON is not shown where secrets must be hidden.
func TestRecordHidesUnreadable(t *testing.T) {
	p := parse(t, hiding)
	r := &notebook{}
	j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: r})
	j.Refuse(aCall("post", `{"text":"ann@acme.com"`), call.Ruling{Code: call.CodeArgsUnreadable}, func(call.Ruling) {})
	if got := r.events[0].Args; got != nil {
		t.Errorf("recorded %s", got)
	}
}

// A call in which nothing is to be replaced keeps the flag of another rule.
func TestFlagOutlivesDuty(t *testing.T) {
	p := parse(t, hiding)
	r := &notebook{}
	j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: r})
	ruled(t, j, aCall("marked", `{"text":"nothing"}`))
	if e := r.events[0]; e.Verdict != "audit" || e.Rule != "marked" || e.Reason != "Look at it." {
		t.Errorf("recorded %+v", e)
	}
}
