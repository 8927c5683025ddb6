package policy

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/preset"
)

// oneTest is a policy of one rule with one condition; it returns whether the rule decides for the arguments.
func oneTest(t *testing.T, verdict Verdict, conditions, args string) bool {
	t.Helper()
	fallback := Allow
	if verdict == Allow {
		fallback = Deny
	}
	p := mustParse(t, fmt.Sprintf("version: 1\ndefault: %s\nrules:\n- {id: r, tool: T, verdict: %s, conditions: %s}\n", fallback, verdict, conditions))
	return p.Decide(Query{Tools: []string{"T"}, Args: []byte(args)}).Rule == "r"
}

func TestOperators(t *testing.T) {
	tests := []struct {
		test, args string
		deny       bool // the condition holds in a deny rule
		allow      bool // and in an allow rule
	}{
		// Scalars.
		{"operator: equals, value: x", `{"a":"x"}`, true, true},
		{"operator: equals, value: x", `{"a":"\u0078"}`, true, true},
		{"operator: equals, value: x", `{"a":"X"}`, false, false},
		{"operator: equals, value: x", `{"a":["x"]}`, false, false},
		{"operator: equals, value: x", `{}`, false, false},
		{"operator: not_equals, value: x", `{}`, true, true},
		{"operator: not_equals, value: x", `{"a":["x"]}`, true, true},
		{"operator: not_equals, value: x", `{"a":"x"}`, false, false},
		{"operator: equals, value: 1", `{"a":1.0}`, true, true},
		{"operator: equals, value: 1", `{"a":10e-1}`, true, true},
		{"operator: equals, value: 1e0", `{"a":1}`, true, true},
		{"operator: equals, value: 1", `{"a":"1"}`, false, false},
		{"operator: equals, value: '1'", `{"a":1}`, false, false},
		{"operator: equals, value: 0", `{"a":-0.0e5}`, true, true},
		{"operator: equals, value: 9007199254740993", `{"a":9007199254740992}`, false, false},
		{"operator: equals, value: 9007199254740993", `{"a":9007199254740993.0}`, true, true},
		{"operator: equals, value: 123456789012345678901234567890", `{"a":123456789012345678901234567890}`, true, true},
		{"operator: equals, value: 1", `{"a":1e99999999999999999999}`, false, false},
		{"operator: equals, value: null", `{"a":null}`, true, true},
		{"operator: equals, value: null", `{}`, false, false},
		{"operator: equals, value: true", `{"a":true}`, true, true},
		{"operator: equals, value: true", `{"a":"true"}`, false, false},
		{"operator: equals, value: ''", `{"a":""}`, true, true},
		{"operator: in, value: [x, 2, null]", `{"a":2.0}`, true, true},
		{"operator: in, value: [x, 2]", `{"a":"y"}`, false, false},
		{"operator: not_in, value: [x, 2]", `{"a":"y"}`, true, true},
		{"operator: not_in, value: [x, 2]", `{"a":"x"}`, false, false},
		{"operator: not_in, value: [x, 2]", `{}`, true, true},

		// Texts.
		{"operator: contains, value: sudo", `{"a":"x sudo y"}`, true, true},
		{"operator: contains, value: sudo", `{"a":"s\u0075do"}`, true, true},
		{"operator: contains, value: 'rm -rf'", `{"a":["rm","-rf","/"]}`, true, false},
		{"operator: contains, value: '23'", `{"a":1234}`, true, true},
		{"operator: contains, value: 'rm 1e3'", `{"a":["rm",1e3]}`, true, false},
		{"operator: contains, value: x", `{"a":{"b":["y",{"c":"x"}]}}`, true, false},
		{"operator: contains, value: x", `{"a":{"x":1}}`, false, false},
		{"operator: contains, value: 'true'", `{"a":true}`, false, false},
		{"operator: contains, value: x", `{"a":[]}`, false, false},
		{"operator: contains, value: x", `{"a":["x",null]}`, true, true},
		{"operator: contains, value: x", `{}`, false, false},
		{"operator: not_contains, value: x", `{}`, true, true},
		{"operator: not_contains, value: x", `{"a":null}`, true, true},
		{"operator: not_contains, value: x", `{"a":["x","y"]}`, true, false},
		{"operator: not_contains, value: x", `{"a":["y","z"]}`, true, true},
		{"operator: not_contains, value: 'y z'", `{"a":["y","z"]}`, true, false},
		{"operator: not_contains, value: x", `{"a":"x"}`, false, false},
		{"operator: starts_with, value: /a", `{"a":"/a/b"}`, true, true},
		{"operator: starts_with, value: /a", `{"a":"b/a"}`, false, false},
		{"operator: not_starts_with, value: /a", `{"a":"b/a"}`, true, true},
		{"operator: ends_with, value: .go", `{"a":"x.go"}`, true, true},
		{"operator: not_ends_with, value: .go", `{"a":"x.go"}`, false, false},
		{"operator: matches, value: '^ls .*$'", `{"a":"ls -l"}`, true, true},
		{"operator: matches, value: '^ls .*$'", `{"a":"ls -l\nrm"}`, false, false},
		{"operator: not_matches, value: '^ls'", `{"a":"rm"}`, true, true},
		{"operator: not_matches, value: '^ls'", `{"a":"ls"}`, false, false},

		// Presence.
		{"operator: exists", `{"a":null}`, true, true},
		{"operator: exists", `{}`, false, false},
		{"operator: not_exists", `{}`, true, true},
		{"operator: not_exists", `{"a":0}`, false, false},

		// Numbers.
		{"operator: gt, value: 100", `{"a":100.0000000000000000001}`, true, true},
		{"operator: gt, value: 100", `{"a":1e2}`, false, false},
		{"operator: gt, value: 100", `{"a":"200"}`, false, false},
		{"operator: gte, value: 100", `{"a":1e2}`, true, true},
		{"operator: lt, value: -1.5", `{"a":-1.50001}`, true, true},
		{"operator: lt, value: 0", `{"a":-1e-99999999999999999999}`, true, true},
		{"operator: lte, value: -1.5", `{"a":-1.5}`, true, true},
		{"operator: lt, value: 5", `{}`, false, false},
		{"operator: gt, value: 5", `{"a":1e99999999999999999999}`, true, true},
		{"operator: lt, value: 5", `{"a":1e-99999999999999999999}`, true, true},

		// Member names in another case are seen too.
		{"operator: equals, value: x", `{"A":"x"}`, true, true},
		{"operator: not_exists", `{"A":"x"}`, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.test+" "+tt.args, func(t *testing.T) {
			conditions := "{all: [{param_path: a, " + tt.test + "}]}"
			if got := oneTest(t, Deny, conditions, tt.args); got != tt.deny {
				t.Errorf("in a deny rule it holds: %v, want %v", got, tt.deny)
			}
			if got := oneTest(t, Allow, conditions, tt.args); got != tt.allow {
				t.Errorf("in an allow rule it holds: %v, want %v", got, tt.allow)
			}
			// none with X is all with not_X, in both kinds of rules.
			none := "{none: [{param_path: a, " + tt.test + "}]}"
			if got := oneTest(t, Deny, none, tt.args); got != !tt.allow {
				t.Errorf("under none in a deny rule: %v, want %v", got, !tt.allow)
			}
			if got := oneTest(t, Allow, none, tt.args); got != !tt.deny {
				t.Errorf("under none in an allow rule: %v, want %v", got, !tt.deny)
			}
		})
	}
}

func TestQuantifiers(t *testing.T) {
	const (
		mixed   = `{"paths":["/safe/a","/etc/passwd"]}`
		safe    = `{"paths":["/safe/a","/safe/b"]}`
		unsafe  = `{"paths":["/etc/a","/etc/b"]}`
		missing = `{}`
		inside  = "{param_path: 'paths[*]', operator: starts_with, value: /safe/}"
		outside = "{param_path: 'paths[*]', operator: not_starts_with, value: /safe/}"
	)
	type holds struct{ Mixed, Safe, Unsafe, Missing bool }
	tests := []struct {
		name       string
		conditions string
		deny       holds
		allow      holds
	}{
		{"inside", "{any: [" + inside + "]}", holds{true, true, false, false}, holds{false, true, false, false}},
		{"outside", "{any: [" + outside + "]}", holds{true, false, true, true}, holds{false, false, true, true}},
		{"none inside", "{none: [" + inside + "]}", holds{true, false, true, true}, holds{false, false, true, true}},
		{"none outside", "{none: [" + outside + "]}", holds{true, true, false, false}, holds{false, true, false, false}},
		{"none none inside", "{none: [{none: [" + inside + "]}]}", holds{true, true, false, false}, holds{false, true, false, false}},
		{"any inside or outside", "{any: [" + inside + "," + outside + "]}", holds{true, true, true, true}, holds{false, true, true, true}},
		{"all inside and outside", "{all: [" + inside + "," + outside + "]}", holds{true, false, false, false}, holds{}},
		{"blocks side by side", "{any: [" + inside + "], none: [" + outside + "]}", holds{true, true, false, false}, holds{false, true, false, false}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for verdict, want := range map[Verdict]holds{Deny: tt.deny, Allow: tt.allow} {
				got := holds{
					oneTest(t, verdict, tt.conditions, mixed), oneTest(t, verdict, tt.conditions, safe),
					oneTest(t, verdict, tt.conditions, unsafe), oneTest(t, verdict, tt.conditions, missing),
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", verdict, diff)
				}
			}
		})
	}
}

func TestDecisionOrder(t *testing.T) {
	const audit = "- {id: look, tool: Bash, verdict: audit}\n"
	const allow = "- {id: let, tool: Bash, verdict: allow}\n"
	const deny = "- {id: stop, tool: Bash, verdict: deny, reason: No.}\n"
	const denySudo = "- {id: sudo, tool: Bash, verdict: deny, conditions: {param_path: command, operator: contains, value: sudo}}\n"
	const auditPaths = "- {id: paths, tool: Bash, verdict: audit, conditions: {param_path: 'p[*]', operator: equals, value: x}}\n"
	sudo := `{"command":"sudo ls"}`
	tests := []struct {
		name, fallback, rules, args string
		want                        Decision
	}{
		{"default allow", "allow", "", `{}`, Decision{Verdict: Allow}},
		{"default audit", "audit", "", `{}`, Decision{Verdict: Audit}},
		{"default deny", "deny", "", `{}`, Decision{Verdict: Deny, Code: "tool_denied", Reason: "No rule allows this call."}},
		{"deny after allow", "allow", allow + deny, `{}`, Decision{Verdict: Deny, Code: "tool_denied", Rule: "stop", Reason: "No."}},
		{"deny before allow", "allow", deny + allow, `{}`, Decision{Verdict: Deny, Code: "tool_denied", Rule: "stop", Reason: "No."}},
		{"deny by name before deny by arguments", "allow", denySudo + deny, sudo, Decision{Verdict: Deny, Code: "tool_denied", Rule: "stop", Reason: "No."}},
		{"deny by arguments", "allow", allow + audit + denySudo, sudo, Decision{Verdict: Deny, Code: "args_denied", Rule: "sudo", Reason: `These arguments are not allowed here. The tool itself is allowed; this use of it is not: "sudo".`, Matched: "sudo"}},
		{"audit over allow", "deny", allow + audit, `{}`, Decision{Verdict: Audit, Rule: "look"}},
		{"allow over default", "deny", allow, `{}`, Decision{Verdict: Allow, Rule: "let"}},
		{"audit over default", "deny", audit, `{}`, Decision{Verdict: Audit, Rule: "look"}},
		{"deny by default whatever denies by arguments", "deny", denySudo, sudo, Decision{Verdict: Deny, Code: "tool_denied", Reason: "No rule allows this call."}},
		{"audit flags by one value", "allow", auditPaths, `{"p":["x","y"]}`, Decision{Verdict: Audit, Rule: "paths"}},
		{"audit flags what is allowed", "deny", allow + auditPaths, `{"p":["x","y"]}`, Decision{Verdict: Audit, Rule: "paths"}},
		{"audit by one value lets nothing pass", "deny", auditPaths, `{"p":["x","y"]}`, Decision{Verdict: Deny, Code: "tool_denied", Reason: `No rule allows this call. The tool itself is allowed; this use of it is not: "p: y".`, Matched: "p: y"}},
		{"audit by all values lets pass", "deny", auditPaths, `{"p":["x","x"]}`, Decision{Verdict: Audit, Rule: "paths"}},
		{"unreadable arguments", "allow", denySudo, `{"command":`, Decision{Verdict: Deny, Code: "args_unreadable", Reason: "The arguments are not one strict JSON object."}},
		{"arguments that are no object", "allow", denySudo, `"text"`, Decision{Verdict: Deny, Code: "args_unreadable", Reason: "The arguments are not one strict JSON object."}},
		{"two objects", "allow", denySudo, `{}{}`, Decision{Verdict: Deny, Code: "args_unreadable", Reason: "The arguments are not one strict JSON object."}},
		{"a member twice", "allow", denySudo, `{"command":"ls","command":"sudo"}`, Decision{Verdict: Deny, Code: "args_unreadable", Reason: "The arguments are not one strict JSON object."}},
		{"no arguments", "allow", denySudo, ``, Decision{Verdict: Allow}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rules := "rules: []\n"
			if tt.rules != "" {
				rules = "rules:\n" + tt.rules
			}
			p := mustParse(t, "version: 1\ndefault: "+tt.fallback+"\n"+rules)
			got := p.Decide(Query{Surface: call.Response, Tools: []string{"Bash"}, Args: []byte(tt.args)})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("decision (-want +got):\n%s", diff)
			}
		})
	}
}

func TestShadow(t *testing.T) {
	p := mustParse(t, `
version: 1
default: allow
rules:
- {id: tried, tool: Bash, verdict: deny, shadow: true}
- {id: sure, tool: Write, verdict: deny}
- {id: tried-too, tool: Write, verdict: allow, shadow: true}
`)
	tests := map[string]Decision{
		"Bash":  {Verdict: Allow, WouldBe: Deny, WouldBeRule: "tried"},
		"Write": {Verdict: Deny, Code: "tool_denied", Rule: "sure", Reason: "This tool is not allowed here."},
		"Read":  {Verdict: Allow},
	}
	for tool, want := range tests {
		if diff := cmp.Diff(want, p.Decide(Query{Tools: []string{tool}})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tool, diff)
		}
	}
	if d, refused := p.RefusedByName(Query{Tools: []string{"Bash"}}); refused {
		t.Errorf("a shadow rule refuses by name: %+v", d)
	}

	closed := mustParse(t, "version: 1\ndefault: deny\nrules:\n- {id: tried, tool: Bash, verdict: allow, shadow: true}\n")
	want := Decision{Verdict: Deny, Code: "tool_denied", Reason: "No rule allows this call.", WouldBe: Allow, WouldBeRule: "tried"}
	if diff := cmp.Diff(want, closed.Decide(Query{Tools: []string{"Bash"}})); diff != "" {
		t.Errorf("shadow allow (-want +got):\n%s", diff)
	}
}

func TestEveryReadingIsJudged(t *testing.T) {
	p := mustParse(t, "version: 1\ndefault: allow\nrules:\n- {id: stop, tool: Bash, verdict: deny}\n- {id: look, tool: Read, verdict: audit}\n")
	tests := []struct {
		tools []string
		want  Verdict
		rule  string
	}{
		{[]string{"Write", "Bash"}, Deny, "stop"},
		{[]string{"Bash", "Write"}, Deny, "stop"},
		{[]string{"Write", "Read"}, Audit, "look"},
		{[]string{"Write", "Edit"}, Allow, ""},
		{nil, Deny, ""},
	}
	for _, tt := range tests {
		if d := p.Decide(Query{Tools: tt.tools}); d.Verdict != tt.want || d.Rule != tt.rule {
			t.Errorf("%q: got %+v, want %s by %q", tt.tools, d, tt.want, tt.rule)
		}
	}
}

func TestWho(t *testing.T) {
	ann := call.Actor{Org: "acme", Team: "payments", Employee: "ann@acme.com", Key: "ci", Session: "s1"}
	tests := []struct {
		who   string
		actor call.Actor
		want  bool
	}{
		{"{org: acme}", ann, true},
		{"{org: other}", ann, false},
		{"{org: acme, team: core}", ann, false},
		{"{team: [core, payments]}", ann, true},
		{`{employee: "*@acme.com"}`, ann, true},
		{"{employee: Ann@Acme.com}", ann, true},
		{"{key: ci, session: s1}", ann, true},
		{`{session: "*"}`, call.Actor{}, true},
		{"{org: acme}", call.Actor{}, false},
	}
	for _, tt := range tests {
		p := mustParse(t, "version: 1\ndefault: allow\nrules:\n- {id: r, tool: '*', verdict: deny, who: "+tt.who+"}\n")
		q := Query{Actor: tt.actor, Tools: []string{"Bash"}}
		if got := p.Decide(q).Refused(); got != tt.want {
			t.Errorf("%s with %+v: %v, want %v", tt.who, tt.actor, got, tt.want)
		}
		if _, got := p.RefusedByName(q); got != tt.want {
			t.Errorf("by name, %s with %+v: %v, want %v", tt.who, tt.actor, got, tt.want)
		}
	}
}

func TestRefusedByName(t *testing.T) {
	tests := []struct {
		name, fallback, rules string
		want                  bool
	}{
		{"deny without conditions", "allow", "- {id: r, tool: Bash, verdict: deny}", true},
		{"deny with conditions", "allow", "- {id: r, tool: Bash, verdict: deny, conditions: {param_path: a, operator: exists}}", false},
		{"default deny", "deny", "", true},
		{"default deny and another tool allowed", "deny", "- {id: r, tool: Read, verdict: allow}", true},
		{"default deny and allowed on conditions", "deny", "- {id: r, tool: B*, verdict: allow, conditions: {param_path: a, operator: exists}}", false},
		{"default deny and audited", "deny", "- {id: r, tool: Bash, verdict: audit}", false},
		{"default deny and allowed in shadow", "deny", "- {id: r, tool: Bash, verdict: allow, shadow: true}", true},
		{"default deny and another person allowed", "deny", "- {id: r, tool: Bash, verdict: allow, who: {team: core}}", true},
		{"default audit", "audit", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rules := ""
			if tt.rules != "" {
				rules = "rules:\n" + tt.rules + "\n"
			}
			p := mustParse(t, "version: 1\ndefault: "+tt.fallback+"\n"+rules)
			if _, got := p.RefusedByName(Query{Tools: []string{"Bash"}}); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// One policy serves every response at once; the race detector watches.
func TestConcurrentUse(t *testing.T) {
	p := mustParse(t, string(preset.Starter()))
	want := p.Decide(Query{Tools: []string{"Ｂash"}, Args: []byte(`{"command":"rm -rf /"}`)})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if got := p.Decide(Query{Tools: []string{"Ｂash"}, Args: []byte(`{"command":"rm -rf /"}`)}); got != want {
					t.Errorf("got %+v, want %+v", got, want)
				}
			}
		})
	}
	wg.Wait()
}
