package policy

import (
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/call"
)

func TestApprovalProblems(t *testing.T) {
	for name, test := range map[string]struct {
		block string
		want  []string
	}{
		"not a time": {"{wait: soon}", []string{`:7:22: rules[0].approval.wait: "soon" is not such a time; write a time up to 1h, such as 4m; 0s asks without waiting`}},
		"no unit":    {"{wait: 240}", []string{`:7:22: rules[0].approval.wait: a time needs a unit; write a time up to 1h, such as 4m; 0s asks without waiting`}},
		"too long":   {"{wait: 2h}", []string{`:7:22: rules[0].approval.wait: "2h" is not such a time; write a time up to 1h, such as 4m; 0s asks without waiting`}},
		"below":      {"{expires: 10s}", []string{`:7:25: rules[0].approval.expires: "10s" is not such a time; write a time from 1m to 31d, such as 24h`}},
		"beyond":     {"{grant_expires: 2d}", []string{`:7:31: rules[0].approval.grant_expires: "2d" is not such a time; write a time from 10s to 24h, such as 15m`}},
		"unknown person": {"{approvers: [ann, 'role:', 'group:x']}", []string{
			`:7:28: rules[0].approval.approvers[0]: "ann" names no approver; write role:NAME, team:NAME or user:NAME, such as role:approver`,
			`:7:33: rules[0].approval.approvers[1]: "role:" names no approver; write role:NAME, team:NAME or user:NAME, such as role:approver`,
			`:7:42: rules[0].approval.approvers[2]: "group:x" names no approver; write role:NAME, team:NAME or user:NAME, such as role:approver`,
		}},
		"no votes":         {"{votes: 0}", []string{`:7:23: rules[0].approval.votes: this is not a number of votes; write a whole number from 1 to 16`}},
		"too many votes":   {"{approvers: ['user:ann', 'user:Ann'], votes: 2}", []string{`:7:60: rules[0].approval.votes: 2 votes are needed, and there are only 1 who may vote; name more approvers, or ask for fewer votes`}},
		"scope to come":    {"{scopes: [once, always]}", []string{`:7:31: rules[0].approval.scopes[1]: "always" is not built yet; use once or session`}},
		"factor to come":   {"{step_up: webauthn}", []string{`:7:25: rules[0].approval.step_up: "webauthn" is not built yet; use totp or none`}},
		"allow by default": {"{on_expiry: allow}", []string{`:7:27: rules[0].approval.on_expiry: "allow" is not a word for what nobody decided; use deny`}},
		"no path":          {"{same: ['a..b']}", []string{`:7:23: rules[0].approval.same[0]: "a..b" is not a path; a name is missing: write a.b, without dots at the ends or next to each other`}},
		"unknown key":      {"{waits: 4m}", []string{`:7:16: rules[0].approval.waits: unknown key; did you mean wait?`}},
	} {
		t.Run(name, func(t *testing.T) {
			checkProblems(t, withRule("id: r", "tool: x", "verdict: pending_approval", "approval: "+test.block), test.want)
		})
	}
	checkProblems(t, withRule("id: r", "tool: x", "verdict: deny", "approval: {}"), []string{
		`:7:15: rules[0].approval: the key approval is for the verdict pending_approval; change the verdict, or remove the key`,
	})
}

const askingPolicy = `version: 1
default: allow
rules:
  - {id: plain, tool: plain, verdict: pending_approval}
  - id: full
    tool: [full, both]
    verdict: pending_approval
    approval: {wait: 0s, expires: 1h, grant_expires: 1m, approvers: ["team:platform", "user:ann"], votes: 2, self: allow,
      scopes: [once, session], same: [command, cwd], step_up: none, on_expiry: deny}
  - {id: also, tool: both, verdict: pending_approval, approval: {approvers: "role:security"}}
  - {id: cleans, tool: plain, verdict: sanitize, sanitize: {presets: [email]}}
  - {id: wins, tool: denied, verdict: deny}
  - {id: loses, tool: denied, verdict: pending_approval}
  - {id: shadowed, tool: shadowed, verdict: pending_approval, shadow: true}
`

func TestApprovalTerms(t *testing.T) {
	p, err := Parse("p.yaml", []byte(askingPolicy))
	if err != nil {
		t.Fatal(err)
	}
	plain := approval.Terms{
		Wait: 240, Expires: 86400, GrantExpires: 900, Scopes: []approval.Scope{"once"}, StepUp: approval.TOTP,
		Demands: []approval.Demand{{Rule: "plain", Approvers: []string{"role:approver"}, Votes: 1}},
	}
	full := approval.Terms{
		Expires: 3600, GrantExpires: 60, Self: true, Scopes: []approval.Scope{"once", "session"}, StepUp: approval.NoFactor,
		Demands: []approval.Demand{{Rule: "full", Approvers: []string{"team:platform", "user:ann"}, Votes: 2}},
	}
	both := approval.Terms{
		Expires: 3600, GrantExpires: 60, Scopes: []approval.Scope{"once"}, StepUp: approval.TOTP,
		Demands: []approval.Demand{full.Demands[0], {Rule: "also", Approvers: []string{"role:security"}, Votes: 1}},
	}
	for tool, want := range map[string]*approval.Terms{
		"plain": &plain, "full": &full, "both": &both, "denied": nil, "shadowed": nil, "other": nil,
	} {
		d := p.Decide(Query{Tools: []string{tool}, Args: jsontext.Value(`{}`)})
		switch {
		case (d.Approval == nil) != (want == nil):
			t.Errorf("%s: %+v", tool, d.Approval)
		case want != nil:
			if diff := cmp.Diff(*want, d.Approval.Terms); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tool, diff)
			}
		}
	}
	if d := p.Decide(Query{Tools: []string{"plain"}, Args: jsontext.Value(`{}`)}); d.Obligations == nil {
		t.Error("a call that a person is asked about is not sanitized first")
	}
	if d := p.Decide(Query{Tools: []string{"both"}}); !slices.Equal(d.Approval.Rules, []string{"full", "also"}) {
		t.Errorf("asked by %v", d.Approval.Rules)
	}
}

// TestApprovalText: a yes is for the rule as it is written, wherever it stands.
func TestApprovalText(t *testing.T) {
	text := func(rules ...string) string {
		t.Helper()
		all := "version: 1\ndefault: allow\nrules:\n"
		for _, r := range rules {
			all += "  - " + r + "\n"
		}
		p, err := Parse("p.yaml", []byte(all))
		if err != nil {
			t.Fatal(err)
		}
		return p.Decide(Query{Tools: []string{"x"}}).Approval.Text
	}
	const ask = "{id: ask, tool: x, verdict: pending_approval}"
	want := text(ask)
	if got := text("{id: other, tool: y, verdict: deny}", ask); got != want {
		t.Error("another rule changes what a yes is for")
	}
	for _, changed := range [][]string{
		{"{id: ask, tool: [x, y], verdict: pending_approval}"},
		{"{id: ask, tool: x, verdict: pending_approval, approval: {votes: 2}}"},
		{ask, "{id: more, tool: x, verdict: pending_approval}"},
	} {
		if text(changed...) == want {
			t.Errorf("%q: a yes for the old rule stands", changed)
		}
	}
}

func TestSameArgs(t *testing.T) {
	p, err := Parse("p.yaml", []byte(askingPolicy))
	if err != nil {
		t.Fatal(err)
	}
	same := func(tool, args string) string {
		t.Helper()
		a := p.Decide(Query{Tools: []string{"full"}}).Approval
		if tool != "full" {
			a = p.Decide(Query{Tools: []string{"plain"}}).Approval
		}
		v, err := p.SameArgs(a, call.Call{Tool: tool, Args: jsontext.Value(args)})
		if err != nil {
			t.Fatal(err)
		}
		c, err := approval.Canonical(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(c)
	}
	for _, test := range []struct {
		name, tool, one, other string
		want                   bool
	}{
		{"all count", "plain", `{"a":1}`, `{"a":1,"b":2}`, false},
		{"no order", "plain", `{"a":1,"b":2}`, `{"b":2,"a":1}`, true},
		{"words of the model", "Bash", `{"command":"ls","description":"List"}`, `{"command":"ls","description":"Look"}`, true},
		{"in another tool", "plain", `{"command":"ls","description":"List"}`, `{"command":"ls","description":"Look"}`, false},
		{"no words", "Bash", `{"command":"ls","description":{"run":1}}`, `{"command":"ls","description":{"run":2}}`, false},
		{"deeper", "Bash", `{"command":"ls","a":{"description":"x"}}`, `{"command":"ls","a":{"description":"y"}}`, false},
		{"Codex", "exec_command", `{"cmd":"ls","justification":"a"}`, `{"cmd":"ls"}`, true},
		{"what is named", "full", `{"command":"ls","n":1}`, `{"command":"ls","n":2}`, true},
		{"what is named, elsewhere", "full", `{"command":"ls"}`, `{"cwd":"ls"}`, false},
		{"a second one", "full", `{"command":"ls","cwd":"/a"}`, `{"command":"ls"}`, false},
		{"nothing of it is there", "full", `{"n":1}`, `{"n":2}`, false},
		{"escapes", "full", `{"command":"\u006cs"}`, `{"command":"ls"}`, true},
	} {
		if got := same(test.tool, test.one) == same(test.tool, test.other); got != test.want {
			t.Errorf("%s: %s and %s are the same: %v", test.name, test.one, test.other, got)
		}
	}
	if ProseOf("fs", "Bash") != nil || ProseOf("", "Bash") == nil {
		t.Error("words of the model are known of tools of agents only")
	}
}

func TestAskingProblems(t *testing.T) {
	p, err := Parse("p.yaml", []byte(`version: 1
default: allow
rules:
  - {id: plain, tool: a, verdict: pending_approval}
  - {id: two, tool: b, verdict: pending_approval, approval: {votes: 2}}
  - {id: team, tool: c, verdict: pending_approval, approval: {approvers: ["team:platform", "role:approver"]}}
  - {id: long, tool: d, verdict: pending_approval, approval: {wait: 20m}}
`))
	if err != nil {
		t.Fatal(err)
	}
	ann, bob := approval.Person{User: "ann", Roles: []string{"approver"}}, approval.Person{User: "bob", Teams: []string{"platform"}}
	for name, test := range map[string]struct {
		people []approval.Person
		hold   approval.Seconds
		want   []string
	}{
		"one": {[]approval.Person{ann}, 600, []string{
			"rule two needs 2 votes, and people in weir.yaml has only 1 who may vote (role:approver)",
			"rule team names the approver team:platform, and people in weir.yaml has none such; add one, or correct approvers",
			"rule long waits 1200 seconds, and bounds.hold in weir.yaml is 600; lower the one or raise the other",
		}},
		"enough": {[]approval.Person{ann, bob, {User: "eve", Roles: []string{"approver"}}}, 1200, nil},
	} {
		if diff := cmp.Diff(test.want, p.AskingProblems(test.people, test.hold)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
