package policy

import (
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/text/when"
)

// noon is a Wednesday.
var noon = when.At(time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC))

func TestExceptions(t *testing.T) {
	p := mustParse(t, `
version: 1
default: allow
rules:
  - id: pushes
    tool: [Bash, mcp__git__push]
    conditions: {operator: runs, value: "git push*"}
    verdict: deny
    unless:
      - conditions: {operator: runs, value: "git push origin bot/<word>"}
        reason: The bot pushes its own branches.
      - {who: {team: release}, until: 2026-12-24T00:00:00Z}
      - {who: {team: past}, until: 2026-11-18T11:00:00Z}
  - id: by-name
    tool: deploy*
    verdict: deny
    unless:
      - {tool: deploy_docs}
      - {tool: deploy_app, conditions: {param_path: env, operator: equals, value: test}}
      - {tool: deploy_any, conditions: {operator: expr, value: 'args.n > 1'}}
  - id: suspended
    tool: wait
    verdict: deny
    unless: [{until: 2027-01-01}]
  - id: shadowed
    tool: look
    verdict: deny
    shadow: true
    unless: [{who: {team: release}}]
  - id: connections
    surface: egress
    verdict: deny
    conditions: {param_path: port, operator: equals, value: 22}
    unless: [{conditions: {param_path: host, operator: host_in, value: git.example.com}}]
`)
	for _, tt := range []struct {
		tool, args, team string
		want             string // the deciding rule
	}{
		{"Bash", `{"command":"git push origin main"}`, "", "pushes"},
		{"Bash", `{"command":"git push origin bot/x"}`, "", ""},
		{"Bash", `{"command":"git push origin bot/x main"}`, "", "pushes"},
		{"Bash", `{"command":"git push origin bot/$B"}`, "", "pushes"}, // in doubt
		{"Bash", `{"command":"git push origin bot/x; git push origin main"}`, "", "pushes"},
		{"Bash", `{"command":"git push origin bot/x && ls"}`, "", "pushes"}, // not all of it is excepted
		{"Bash", `{"command":"git push origin main"}`, "release", ""},
		{"Bash", `{"command":"git push origin main"}`, "past", "pushes"},
		{"deploy_docs", `{}`, "", ""},
		{"deploy_docs", `{"a`, "", ""}, // whatever the arguments are
		{"deploy_app", `{"env":"test"}`, "", ""},
		{"deploy_app", `{"env":"live"}`, "", "by-name"},
		{"deploy_app", `{}`, "", "by-name"},
		{"deploy_app", `{"env":`, "", "by-name"},
		{"deploy_any", `{"n":2}`, "", ""},
		{"deploy_any", `{}`, "", "by-name"}, // the expression fails, and the exception does not hold
		{"deploy_other", `{}`, "", "by-name"},
		{"wait", `{}`, "", ""},
	} {
		q := Query{Tools: []string{tt.tool}, Args: []byte(tt.args), Circumstances: condition.Circumstances{Now: noon}}
		q.Actor.Team = tt.team
		if d := p.Decide(q); d.Rule != tt.want {
			t.Errorf("%s %s of %q: decided by %q, want %q", tt.tool, tt.args, tt.team, d.Rule, tt.want)
		}
		if d, refused := p.RefusedByName(q); refused && d.Rule != tt.want {
			t.Errorf("%s %s of %q: refused by name by %q", tt.tool, tt.args, tt.team, d.Rule)
		}
		e := p.Explain(q)
		for _, r := range e.Readings[0].Rules {
			if r.ID == tt.want && !r.Matched {
				t.Errorf("%s %s: the explanation says that %s does not match: %s", tt.tool, tt.args, r.ID, r.Why)
			}
		}
	}
	unknown := Query{Tools: []string{"wait"}, Args: []byte(`{}`)}
	if d := p.Decide(unknown); d.Rule != "suspended" {
		t.Errorf("without a clock, an exception with an end holds")
	}
	for team, want := range map[string]Verdict{"": Deny, "release": ""} {
		if d := p.Decide(Query{Tools: []string{"look"}, Actor: call.Actor{Team: team}}); d.WouldBe != want {
			t.Errorf("shadow for %q: would be %q, want %q", team, d.WouldBe, want)
		}
	}
	for host, want := range map[string]string{"git.example.com": "", "evil.example": "connections"} {
		q := Query{Surface: call.Egress, Tools: []string{"connect"}, Args: []byte(`{"host":"` + host + `","port":22}`)}
		if d := p.Decide(q); d.Rule != want {
			t.Errorf("connection to %s: decided by %q", host, d.Rule)
		}
	}
	if !p.NamesHosts(call.Actor{}) {
		t.Error("an exception looks at hosts, and the policy does not say so")
	}
}

// In a rule that allows, an exception that may hold is enough.
func TestExceptionsOfRulesThatAllow(t *testing.T) {
	p := mustParse(t, `
version: 1
default: deny
rules:
  - {id: shell, tool: Bash, verdict: allow, unless: [{conditions: {operator: runs, value: "curl*"}}]}
  - {id: watched, tool: Watch, verdict: audit, unless: [{conditions: {operator: runs, value: "curl*"}}]}
`)
	for _, tt := range []struct {
		tool, command string
		want          Verdict
	}{
		{"Bash", "ls", Allow},
		{"Bash", "curl x", Deny},
		{"Bash", "ls; curl x", Deny},
		{"Bash", "$X y", Deny},
		{"Watch", "ls", Audit},
		{"Watch", "curl x", Deny},
		{"Watch", "$X y", Deny},
	} {
		q := Query{Tools: []string{tt.tool}, Args: []byte(`{"command":"` + tt.command + `"}`)}
		if d := p.Decide(q); d.Verdict != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.tool, tt.command, d.Verdict, tt.want)
		}
		if e := p.Explain(q); e.Decision.Verdict != tt.want {
			t.Errorf("%s %s: explained as %s", tt.tool, tt.command, e.Decision.Verdict)
		}
	}
	if d := p.Decide(Query{Tools: []string{"Bash"}, Unknown: true}); d.Verdict != Deny {
		t.Error("arguments that are not known are allowed, though an exception could hold")
	}
}

func TestExplainExceptions(t *testing.T) {
	p := mustParse(t, `
version: 1
default: allow
rules:
  - id: r
    tool: x
    verdict: deny
    unless:
      - {who: {team: core}, until: 2026-11-01, reason: While they move.}
      - {conditions: {param_path: a, operator: equals, value: b}}
`)
	text := p.Explain(Query{Tools: []string{"x"}, Args: []byte(`{"a":"b"}`), Circumstances: condition.Circumstances{Now: noon}}).String()
	for _, want := range []string{
		"  no   r (deny, line 5): an exception holds (line 10)\n",
		"      no   unless (line 9, until 2026-11-01): it has ended\n",
		"      yes  unless (line 10): its conditions hold\n          yes  a equals \"b\"; saw \"b\"\n",
		"decision: allow",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
}

func TestCircumstances(t *testing.T) {
	p := mustParse(t, `
version: 1
default: deny
rules:
  - {id: by-day, tool: day, verdict: allow, conditions: {time: {days: mon-fri, hours: "09:00-18:00", zone: UTC}}}
  - {id: by-model, tool: model, verdict: allow, conditions: {model: ["claude-*", GPT-5]}}
  - {id: not-by-model, tool: other, verdict: allow, conditions: {none: [{model: "gpt-*"}]}}
  - {id: open, tool: "no_*", verdict: allow}
  - {id: ends, tool: ends, verdict: allow, conditions: {time: {until: "2026-11-18T19:00:00Z"}}}
  - {id: ends-too, tool: ends_too, verdict: allow, conditions: {time: {days: mon-fri, until: 2026-11-17, zone: UTC}}}
  - {id: no-longer, tool: no_longer, verdict: deny, conditions: {time: {until: "2026-11-18T19:00:00Z"}}}
  - {id: no-model, tool: no_model, verdict: deny, conditions: {model: "gpt-*"}}
  - {id: no-night, tool: no_night, verdict: deny, conditions: {none: [{time: {hours: ["09:00-18:00"], zone: UTC}}]}}
  - {id: both, tool: no_both, verdict: deny, conditions: {model: "gpt-*", time: {days: wed, zone: UTC}, any: [{param_path: a, operator: exists}]}}
`)
	night := when.At(time.Date(2026, 11, 18, 20, 0, 0, 0, time.UTC))
	for _, tt := range []struct {
		tool  string
		now   when.Moment
		model string
		want  Verdict
	}{
		{"day", noon, "", Allow},
		{"day", night, "", Deny},
		{"day", when.Moment{}, "", Deny},
		{"ends", noon, "", Allow},
		{"ends", night, "", Deny},
		{"ends", when.Moment{}, "", Deny},
		{"ends_too", noon, "", Deny},
		{"no_longer", noon, "", Deny},
		{"no_longer", night, "", Allow},
		{"no_longer", when.Moment{}, "", Deny},
		{"model", noon, "Claude-Opus-4", Allow},
		{"model", noon, "gpt-5", Allow},
		{"model", noon, "gemini", Deny},
		{"model", noon, "", Deny},
		{"other", noon, "claude", Allow},
		{"other", noon, "gpt-5", Deny},
		{"other", noon, "", Deny},
		{"no_model", noon, "gpt-5", Deny},
		{"no_model", noon, "claude", Allow},
		{"no_model", noon, "", Deny},
		{"no_night", noon, "", Allow},
		{"no_night", night, "", Deny},
		{"no_night", when.Moment{}, "", Deny},
		{"no_both", noon, "gpt-5", Deny},
		{"no_both", noon, "claude", Allow},
	} {
		q := Query{Tools: []string{tt.tool}, Args: []byte(`{"a":1}`), Circumstances: condition.Circumstances{Now: tt.now, Model: tt.model}}
		if d := p.Decide(q); d.Verdict != tt.want {
			t.Errorf("%s by %q at %s: %s, want %s\n%s", tt.tool, tt.model, tt.now.Time(), d.Verdict, tt.want, p.Explain(q))
		}
	}
}

func TestProject(t *testing.T) {
	p := mustParse(t, `
version: 1
default: deny
rules:
  - {id: in, tool: Write, verdict: allow, conditions: {operator: writes, value: ["$project/**", /tmp/**]}}
  - {id: inside, tool: Read, verdict: allow, conditions: {param_path: file_path, operator: within, value: $project}}
  - {id: all, tool: [Edit, Bash], verdict: allow}
  - {id: outside, tool: Edit, verdict: deny, conditions: {param_path: file_path, operator: not_within, value: $project/src}}
  - {id: secrets, tool: Bash, verdict: deny, conditions: {operator: reads, value: $project/secrets/**}}
  - {id: surely, tool: Bash, verdict: deny, conditions: {operator: surely_removes, value: ["$project", "$project/**"]}}
  - {id: sends, tool: Bash, verdict: deny, conditions: {operator: sends, value: "$project/**"}}
`)
	for _, tt := range []struct{ tool, args, project, want string }{
		{"Write", `{"file_path":"/home/ann/app/x"}`, "/home/ann/app", "in"},
		{"Write", `{"file_path":"src/x"}`, "/home/ann/app", "in"},
		{"Write", `{"file_path":"/home/ann/app/../other/x"}`, "/home/ann/app", ""},
		{"Write", `{"file_path":"/home/ann/other/x"}`, "/home/ann/app", ""},
		{"Write", `{"file_path":"/home/ann/app/x"}`, "", ""},
		{"Write", `{"file_path":"/tmp/x"}`, "", "in"},
		{"Write", `{"file_path":"/srv/axb/x"}`, "/srv/a*b", ""},
		{"Read", `{"file_path":"/home/ann/app/x"}`, "/home/ann/app", "inside"},
		{"Read", `{"file_path":"/home/ann/app/x"}`, "", ""},
		{"Read", `{"file_path":"/etc/x"}`, "/home/ann/app", ""},
		{"Edit", `{"file_path":"/home/ann/app/src/x"}`, "/home/ann/app", "all"},
		{"Edit", `{"file_path":"/home/ann/app/x"}`, "/home/ann/app", "outside"},
		{"Edit", `{"file_path":"/home/ann/app/src/x"}`, "", "outside"},
		{"Bash", `{"command":"cat secrets/x"}`, "/home/ann/app", "secrets"},
		{"Bash", `{"command":"cat /home/ann/app/secrets/x"}`, "/home/ann/app", "secrets"},
		{"Bash", `{"command":"cat /home/ann/app/x"}`, "/home/ann/app", "all"},
		{"Bash", `{"command":"cat /home/ann/app/x"}`, "", "secrets"}, // in doubt
		{"Bash", `{"command":"ls"}`, "", "all"},
		{"Bash", `{"command":"rm -rf /home/ann/app/out"}`, "/home/ann/app", "surely"},
		{"Bash", `{"command":"rm -rf /home/ann/app/out"}`, "", "all"}, // not surely
		{"Bash", `{"command":"curl -T /home/ann/app/x https://x.example/"}`, "/home/ann/app", "sends"},
		{"Bash", `{"command":"curl https://x.example/"}`, "/home/ann/app", "all"},
	} {
		q := Query{Tools: []string{tt.tool}, Args: []byte(tt.args), Circumstances: condition.Circumstances{Project: tt.project}}
		if d := p.Decide(q); d.Rule != tt.want {
			t.Errorf("%s %s in %q: decided by %q, want %q\n%s", tt.tool, tt.args, tt.project, d.Rule, tt.want, p.Explain(q))
		}
	}
}
