package policy

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/preset"
)

// A maker makes random policies and calls out of few words, so that they meet often.
type maker struct{ *rand.Rand }

func newMaker(seed uint64) maker { return maker{rand.New(rand.NewPCG(seed, 7))} }

func (m maker) pick(words ...string) string { return words[m.IntN(len(words))] }

func (m maker) tool() string {
	return m.pick("Bash", "bash", "Read", "mcp__git__push", "git_push", "Ｒead")
}

func (m maker) test() string {
	if m.IntN(12) == 0 {
		return "{operator: expr, value: '" + m.pick("size(args) > 1", "args.a == \"x\"", "tool == \"Bash\"", "args.b > 1") + "'}"
	}
	if m.IntN(12) == 0 {
		return m.pick("{model: 'g*'}", "{time: {days: wed, zone: UTC}}", "{time: {hours: '00:00-11:00', zone: UTC}, model: claude}")
	}
	path := m.pick("a", "b", "'a[*]'", "'**.a'", "b.a", "[a, b]", "$")
	if m.IntN(4) == 0 {
		return m.typedTest(path)
	}
	operator := m.pick("contains", "not_contains", "matches", "not_matches", "starts_with", "not_ends_with")
	if path != "$" && m.IntN(2) == 0 {
		operator = m.pick("equals", "not_equals", "in", "not_in", "exists", "not_exists", "gt", "lte")
	}
	value := m.pick("x", "y", "xy")
	switch operator {
	case "exists", "not_exists":
		return fmt.Sprintf("{param_path: %s, operator: %s}", path, operator)
	case "in", "not_in":
		value = "[x, 1, null]"
	case "gt", "lte":
		value = m.pick("0", "1", "2.5")
	}
	return fmt.Sprintf("{param_path: %s, operator: %s, value: %s}", path, operator, value)
}

// typedTest is a test that knows what kind of thing a text is.
func (m maker) typedTest(path string) string {
	operator := m.pick("runs", "not_runs", "within", "not_within", "host_in", "cidr_in", "sql", "not_sql", "secret")
	value := map[string]string{
		"runs": "[x, 'rm -*']", "within": "[., /etc]", "host_in": "['*.example.com', x]", "cidr_in": "10.0.0.0/8", "sql": "[DROP, write]",
		"secret": "[email, jwt]",
	}[strings.TrimPrefix(operator, "not_")]
	return fmt.Sprintf("{param_path: %s, operator: %s, value: %s}", path, operator, value)
}

func (m maker) conditions(depth int) string {
	if depth == 0 || m.IntN(3) == 0 {
		return m.test()
	}
	var parts []string
	for range 1 + m.IntN(3) {
		parts = append(parts, m.conditions(depth-1))
	}
	return fmt.Sprintf("{%s: [%s]}", m.pick("any", "all", "none"), strings.Join(parts, ", "))
}

func (m maker) rule(id, verdict string) string {
	r := fmt.Sprintf("- {id: %s, verdict: %s, tool: '%s'", id, verdict, m.pick("Bash", "Read", "*", "mcp__*", "b*"))
	r += map[string]string{
		"sanitize": ", sanitize: {presets: [email], patterns: [{name: y, regex: y}], paths: [a]}",
		"cap_cost": ", cap_cost: {limit: 5, per: session, window: 1h}",
	}[verdict]
	if verdict != "deny" && m.IntN(6) == 0 {
		r += ", rate_limit: {calls_per_minute: 5}"
	}
	if m.IntN(6) == 0 {
		r += ", server: " + m.pick("git", "'*'", "g%")
	}
	if m.IntN(3) > 0 {
		r += ", conditions: " + m.conditions(3)
	}
	if m.IntN(4) == 0 {
		r += ", who: {team: " + m.pick("core", "'*'", "other") + "}"
	}
	if m.IntN(4) == 0 {
		r += ", unless: [" + m.exception() + "]"
	}
	return r
}

// exception returns the text of an exception.
func (m maker) exception() string {
	var parts []string
	if m.IntN(3) == 0 {
		parts = append(parts, "tool: '"+m.pick("Bash", "*", "mcp__*", "push")+"'")
	}
	if m.IntN(3) == 0 {
		parts = append(parts, "server: "+m.pick("git", "'g%'"))
	}
	if m.IntN(3) == 0 {
		parts = append(parts, "until: "+m.pick("2026-11-01", "2026-12-24T00:00:00Z"))
	}
	if len(parts) == 0 || m.IntN(2) == 0 {
		parts = append(parts, "conditions: "+m.conditions(2))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// block returns the text of an mcp block.
func (m maker) block() string {
	list := func(item func() string) string {
		var items []string
		for range m.IntN(3) {
			items = append(items, item())
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	server := func() string { return m.pick("git", "'g*'", "'*'", "Git", "hub") }
	servers := func() string { return "{id: " + server() + "}" }
	tools := func() string {
		return m.pick("{tool: ", "{server: "+server()+", tool: ") + m.pick("push", "'p*'", "'*'", "Read", "git_push", "'mcp__*'") + "}"
	}
	b := "{denied_servers: " + list(servers) + ", denied_tools: " + list(tools)
	if m.IntN(3) == 0 {
		b += ", server_policy: allowlist, allowed_servers: " + list(servers)
	}
	if m.IntN(3) == 0 {
		b += ", tool_policy: allowlist, allowed_tools: " + list(tools)
	}
	if m.IntN(3) == 0 {
		b += ", fail_closed: true"
	}
	if m.IntN(4) == 0 {
		b += ", native_tools: " + m.pick("[]", "Bash", "['*']", "[Read, 'git_*']")
	}
	if m.IntN(2) == 0 {
		b += ", version_pinning: {on_change: " + m.pick("block", "alert", "allow") + ", auto_trust_first: " + m.pick("true", "false") + "}"
	}
	if m.IntN(3) == 0 {
		b += ", rate_limits: {default_rpm: 5, per_server: {git: {calls_per_minute: 1, burst: 2}}}"
	}
	if m.IntN(3) == 0 {
		b += ", scan: {definitions: {critical: " + m.pick("deny", "audit") + ", low: " + m.pick("deny", "audit", "allow") + "}}"
	}
	return b + "}"
}

// known is what the registry knows of tools that are called here.
func (m maker) known() (out []call.Known) {
	for range m.IntN(3) {
		out = append(out, call.Known{
			Server: m.pick("git", "Git", "hub"), Tool: m.pick("push", "Push", "Bash", "Read"), Bare: m.IntN(2) == 0,
			State:    call.ToolState(m.pick("trusted", "trusted", "unknown", "changed", "odd")),
			Severity: m.pick("", "", "low", "medium", "high", "critical", "odd"),
		})
	}
	return out
}

// policy returns the text of a policy.
func (m maker) policy() string {
	text := "version: 1\ndefault: " + m.pick("allow", "audit", "deny") + "\n"
	if m.IntN(2) == 0 {
		text += "mcp: " + m.block() + "\n"
	}
	text += "rules:\n"
	for i := range 1 + m.IntN(5) {
		text += m.rule(fmt.Sprintf("r%d", i), m.pick("allow", "audit", "deny", "allow", "sanitize", "cap_cost", "pending_approval"))
		if m.IntN(5) == 0 {
			text += ", shadow: true"
		}
		text += "}\n"
	}
	return text
}

func (m maker) value(depth int) string {
	if depth == 0 || m.IntN(3) > 0 {
		return m.pick(`"x"`, `"y"`, `"rm -rf $z"`, `"../etc/a"`, `"/etc/x"`, `"http://10.0.0.1/"`, `"DROP TABLE t"`, `"a@b.example.com"`, `"axyz"`, "0", "1", "2.50", "null", "true", `""`)
	}
	var parts []string
	if m.IntN(2) == 0 {
		for range m.IntN(4) {
			parts = append(parts, m.value(depth-1))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	for _, name := range []string{"a", "b", "c"} {
		if m.IntN(2) == 0 {
			parts = append(parts, `"`+name+`":`+m.value(depth-1))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func (m maker) args() string {
	if m.IntN(10) == 0 {
		return m.pick("", "{", `"x"`, "{}{}")
	}
	return fmt.Sprintf(`{"a":%s,"b":%s}`, m.value(3), m.value(3))
}

func (m maker) query() Query {
	q := Query{Surface: call.Response, Actor: call.Actor{Team: m.pick("core", "")}, Args: []byte(m.args())}
	for range 1 + m.IntN(2) {
		q.Tools = append(q.Tools, m.tool())
	}
	q.Surface = call.Surface(m.pick("response", "response", "mcp", "inbound"))
	switch {
	case q.Surface == call.MCP:
		q.Server, q.Tools = m.pick("git", "hub"), q.Tools[:1]
		q.Method = m.IntN(4) == 0
	case m.IntN(4) == 0:
		q.Server, q.Open = "git", q.Surface == call.Inbound
	}
	q.Known = m.known()
	q.Model = m.pick("", "gpt", "claude")
	if m.IntN(3) > 0 {
		q.Now = noon
	}
	return q
}

// sameDuties compares what decisions demand: sanitisers by their rules.
var sameDuties = cmp.Options{
	cmp.AllowUnexported(Obligations{}),
	cmp.Comparer(func(a, b *sanitizer) bool { return a.rule == b.rule }),
}

// eachCall runs check on many random policies and calls.
func eachCall(t *testing.T, check func(m maker, text string, p *Policy, q Query)) {
	t.Helper()
	for seed := range uint64(120) {
		m := newMaker(seed)
		text := m.policy()
		p := mustParse(t, text)
		for range 20 {
			if check(m, text, p, m.query()); t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
	}
}

func TestExplainAgreesWithDecide(t *testing.T) {
	eachCall(t, func(_ maker, text string, p *Policy, q Query) {
		checkExplained(t, text, p, q)
	})
}

// checkExplained compares Explain with Decide, and the outcome with the rules that the explanation says matched.
func checkExplained(t *testing.T, text string, p *Policy, q Query) {
	t.Helper()
	d, e := p.Decide(q), p.Explain(q)
	if diff := cmp.Diff(d, e.Decision, sameDuties); diff != "" {
		t.Errorf("explained another decision (-decided +explained):\n%s\n%s\n%q %s", diff, text, q.Tools, q.Args)
	}
	for _, r := range e.Readings {
		for _, rule := range r.Rules {
			if rule.ID == r.Outcome.Rule && !rule.Matched && !r.ByName {
				t.Errorf("rule %s decided without a match:\n%s\n%s", rule.ID, text, e)
			}
			if rule.Matched && rule.Verdict == Deny && !rule.Shadow && !d.Refused() {
				t.Errorf("deny rule %s matched and the call passed:\n%s\n%s", rule.ID, text, e)
			}
		}
	}
	if e.String() == "" {
		t.Error("an explanation without words")
	}
}

func TestRefusedByNameHolds(t *testing.T) {
	refusals := 0
	eachCall(t, func(m maker, text string, p *Policy, q Query) {
		early, refused := p.RefusedByName(q)
		if !refused {
			return
		}
		refusals++
		for range 5 {
			q.Args = []byte(m.args())
			late := p.Decide(q)
			if diff := cmp.Diff(early, late, sameDuties, cmpopts.IgnoreFields(Decision{}, "WouldBe", "WouldBeRule", "Flagged")); diff != "" {
				t.Errorf("arguments changed a refusal by name (-early +late):\n%s\n%s\n%q %s", diff, text, q.Tools, q.Args)
			}
			if !late.Refused() {
				t.Errorf("released:\n%s", text)
			}
		}
	})
	if refusals < 50 {
		t.Errorf("only %d refusals by name: the test shows little", refusals)
	}
}

func TestAnotherDenyReleasesNothing(t *testing.T) {
	eachCall(t, func(m maker, text string, p *Policy, q Query) {
		more := text + m.rule("extra", "deny") + "}\n"
		before, after := p.Decide(q), mustParse(t, more).Decide(q)
		if before.Refused() && !after.Refused() {
			t.Errorf("%+v became %+v:\n%s\n%q %s", before, after, more, q.Tools, q.Args)
		}
	})
}

// An exception takes calls from a rule that restricts, and never gives it one; for a rule that allows it is the reverse.
func TestExceptionsNeverWidenARule(t *testing.T) {
	excepted := 0
	eachCall(t, func(m maker, text string, p *Policy, q Query) {
		verdict := m.pick("deny", "pending_approval", "allow")
		rule := m.rule("extra", verdict)
		if strings.Contains(rule, "unless") {
			return
		}
		without := mustParse(t, text+rule+"}\n").Decide(q)
		with := mustParse(t, text+rule+", unless: ["+m.exception()+"]}\n").Decide(q)
		if verdict == "allow" && without.Refused() && !with.Refused() || verdict != "allow" && !without.Refused() && with.Refused() {
			t.Errorf("%s: %+v became %+v:\n%s%s\n%q %s", verdict, without, with, text, rule, q.Tools, q.Args)
		}
		if without.Refused() != with.Refused() {
			excepted++
		}
	})
	if excepted < 20 {
		t.Errorf("only %d calls were excepted: the test shows little", excepted)
	}
}

// withoutPart is a decision without the part that matched, which hides what any rule replaces, also a shadow rule.
func withoutPart(d Decision) Decision {
	if d.Matched != "" {
		d.Reason, d.Matched = strings.Replace(d.Reason, `"`+d.Matched+`"`, "-", 1), "-"
	}
	return d
}

func TestShadowRulesChangeNoVerdict(t *testing.T) {
	eachCall(t, func(m maker, text string, p *Policy, q Query) {
		more := text + m.rule("extra", m.pick("allow", "audit", "deny", "sanitize", "cap_cost", "pending_approval")) + ", shadow: true}\n"
		before, after := withoutPart(p.Decide(q)), withoutPart(mustParse(t, more).Decide(q))
		if diff := cmp.Diff(before, after, sameDuties, cmpopts.IgnoreFields(Decision{}, "WouldBe", "WouldBeRule", "Shadow")); diff != "" {
			t.Errorf("a shadow rule changed the decision (-before +after):\n%s\n%s\n%q %s", diff, more, q.Tools, q.Args)
		}
	})
}

func TestOrderOfRulesChangesNoVerdict(t *testing.T) {
	eachCall(t, func(m maker, text string, p *Policy, q Query) {
		lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
		lines[len(lines)-1] += "\n"
		rules := lines[1+slices.Index(lines, "rules:\n"):]
		m.Shuffle(len(rules), func(i, j int) { rules[i], rules[j] = rules[j], rules[i] })
		shuffled := strings.Join(lines, "")
		if a, b := p.Decide(q), mustParse(t, shuffled).Decide(q); a.Verdict != b.Verdict || a.Code != b.Code || a.WouldBe != b.WouldBe {
			t.Errorf("%+v became %+v:\n%s\n%s", a, b, text, shuffled)
		}
	})
}

func FuzzPolicy(f *testing.F) {
	f.Add(openPreset(f), "Bash", `{"command":"rm -rf /"}`)
	f.Add("version: 1\ndefault: deny\nrules:\n- id: a\n  tool: ['*']\n  verdict: audit\n  conditions: {none: [{param_path: '**.a', operator: gt, value: 1e3}]}\n", "Read", `{"a":[1e4]}`)
	f.Add("{\"version\":1,\"default\":\"allow\"}", "", "")
	f.Add("a: &x [*x]\n", "x", "{}")
	f.Add("version: 1\ndefault: allow\nrules: [{id: a, tool: x, server: 'g*', verdict: sanitize, sanitize: {presets: [email], paths: [a]}, rate_limit: {calls_per_minute: 1, per: tool}}]", "mcp__git__x", `{"a":"a@b.example.com"}`)
	f.Add("version: 1\ndefault: deny\nrules: [{id: a, tool: '*', verdict: cap_cost, cap_cost: {limit: 1, per: key, window: 1d}, conditions: {any: [{operator: expr, value: 'size(args) > 0'}, {param_path: [a, b], operator: runs, value: 'rm *'}]}}]", "x", `{"b":"sudo rm x"}`)
	f.Add("version: 1\ndefault: allow\nrules: [{id: a, tool: x, verdict: deny, conditions: {all: [{param_path: a, operator: sql, value: DROP}, {param_path: b, operator: not_within, value: ~/x}, {param_path: c, operator: cidr_in, value: 10.0.0.0/8}]}}]", "x", `{"a":"drop table x","b":"/x","c":"http://10.1/"}`)
	f.Add("version: 1\ndefault: allow\nrules: [{id: a, tool: x, verdict: deny, who: {team: '%'}, reason: |-\n   x\n  }]", "x", "{}")
	f.Add("version: 1\ndefault: deny\nmcp: {servers: [{id: fs, type: stdio, command: x, env: {set: {A: '${B}'}}}, {id: w, type: http, url: 'https://${H}/x', auth: {type: bearer, token: '${T}'}}]}", "fs_x", "{}")
	f.Add("version: 1\ndefault: allow\nmcp: {fail_closed: true, native_tools: ['x*'], server_policy: none, tool_policy: allowlist, allowed_tools: [{tool: a}]}", "mcp__a__b__c", "{}")
	f.Add("version: 1\ndefault: allow\nmcp: {version_pinning: {}, scan: {results: {low: deny}, patterns: [{name: n, regex: 'a|b', severity: low}]}, rate_limits: {per_server: {A: {calls_per_minute: 1}}}}", "a.b", "{}")
	f.Add("version: 1\ndefault: deny\nrules: [{id: a, surface: egress, verdict: deny, conditions: {any: [{param_path: host, operator: host_in, value: '*.example.com'}, {param_path: address, operator: cidr_in, value: 'fe80::/10'}]}}, {id: b, surface: egress, tool: resolve, verdict: allow}]", "connect", `{"host":["a.example.com","b"],"address":"fe80::1","port":443}`)
	f.Add("version: 1\ndefault: allow\nmcp: {denied_servers: [{id: 'g*'}]}\nrules: [{id: a, surface: [egress, mcp], tool: '*', server: git, verdict: audit, rate_limit: {calls_per_minute: 1, per: server}}]", "resolve", `{"host":"canary.weir.invalid"}`)
	f.Add("version: 1\ndefault: allow\nrules: [{id: a, surface: egress, verdict: allow, conditions: {operator: expr, value: 'args.host == \"a\" && args.port > 80'}}]", "weir_canary", `{"host":["a",""]}`)
	for seed := range uint64(10) {
		m := newMaker(seed)
		f.Add(m.policy(), m.tool(), m.args())
		f.Add(m.connectionPolicy(), string(call.Connect), string(m.connection().Args))
	}
	f.Fuzz(func(t *testing.T, text, tool, args string) {
		p, err := Parse("policy.yaml", []byte(text))
		if err != nil {
			if p != nil || err.Error() == "" {
				t.Errorf("policy %v with error %q", p, err)
			}
			return
		}
		known := []call.Known{{Server: "git", Tool: tool, Bare: true, State: call.ToolUnknown}, {Server: "git", Tool: "x", Severity: "high"}}
		for _, q := range []Query{
			{Tools: []string{tool, "Bash"}, Args: []byte(args)},
			{Tools: []string{tool}, Args: []byte(args), Known: known},
			{Surface: call.MCP, Server: "git", Tools: []string{tool}, Args: []byte(args), Known: known[:1]},
			{Surface: call.Inbound, Server: "git", Tools: []string{"mcp"}, Open: true},
			{Surface: call.Egress, Server: "git", Tools: []string{tool}, Args: []byte(args), Terms: Terms{Fallback: Deny}},
			{Surface: call.Egress, Tools: []string{"connect"}, Args: []byte(args), Known: known},
		} {
			checkExplained(t, text, p, q)
			if early, refused := p.RefusedByName(q); refused && p.Decide(q).Code != early.Code {
				t.Errorf("refused by name with %s, later with %s", early.Code, p.Decide(q).Code)
			}
		}
	})
}

// openPreset is the smallest of the presets: mutants of a long policy take too long to compile.
func openPreset(f *testing.F) string {
	source, err := preset.Text("open")
	if err != nil {
		f.Fatal(err)
	}
	return string(source)
}
