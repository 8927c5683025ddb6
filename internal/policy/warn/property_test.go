package warn_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/warn"
	"github.com/weir-gate/weir/internal/text/when"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// A maker makes policies and calls at random, of few parts, so that rules often overlap.
type maker struct{ *rand.Rand }

func (m maker) of(words ...string) string { return words[m.IntN(len(words))] }

func (m maker) tools() string {
	out := make([]string, 1+m.IntN(2))
	for i := range out {
		out[i] = m.of(`"*"`, "Bash", "bash", `"B*"`, "Read", `"mcp__fs__*"`, "mcp__fs__read", `"*read"`, `"mcp__*"`, "read", "fs_read")
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func (m maker) condition(depth int) string {
	if depth > 0 && m.IntN(2) == 0 {
		parts := make([]string, 1+m.IntN(2))
		for i := range parts {
			parts[i] = m.condition(depth - 1)
		}
		return "{" + m.of("any", "all", "none") + ": [" + strings.Join(parts, ", ") + "]}"
	}
	return m.of(
		"{operator: runs, value: git}", "{operator: runs, value: [git, ls]}", "{operator: not_runs, value: git}", "{operator: not_runs, value: [git, ls]}",
		"{param_path: command, operator: in, value: [git, ls]}", "{param_path: command, operator: equals, value: ls}",
		"{param_path: path, operator: not_in, value: [a]}", "{param_path: path, operator: not_in, value: [a, b]}",
		"{operator: runs, value: git status}", `{operator: runs, value: "git *"}`, `{operator: runs, value: ["git log*", "ls *"]}`,
		`{operator: runs, value: "git log -n *"}`, "{operator: runs, value: git log -n x}", `{operator: not_runs, value: "git *"}`,
		"{operator: reads, value: /srv/**}", `{operator: reads, value: ["/srv/a/*", "*.pem"]}`, "{operator: reads, value: /srv/a/b.pem}",
		`{operator: connects, value: "*.example.com"}`, "{operator: connects, value: api.example.com}", `{operator: connects, value: "*"}`,
		`{param_path: url, operator: host_in, value: "*.example.com"}`, "{param_path: url, operator: host_in, value: [api.example.com]}",
		"{operator: reads, value: .env}", "{operator: reads, value: [.env, a]}", "{param_path: 'p[*]', operator: starts_with, value: a}",
	)
}

func (m maker) rule(id string) string {
	out := "id: " + id + ", tool: " + m.tools() + ", verdict: " + m.of("allow", "allow", "deny", "deny", "audit", "pending_approval")
	maybe := func(in int, text string) {
		if m.IntN(in) == 0 {
			out += ", " + text
		}
	}
	maybe(2, "conditions: "+m.condition(2))
	maybe(4, "who: {team: "+m.of("a", "[a, b]", `"*"`)+"}")
	maybe(4, "server: "+m.of("fs", `"*"`, `"f*"`))
	maybe(5, "not_tool: "+m.of("Bash", `"re*"`, "[Bash, read]"))
	maybe(6, "surface: "+m.of("response", "mcp"))
	maybe(6, "shadow: true")
	maybe(6, "unless: [{"+m.of("tool: Bash", "who: {team: b}", "conditions: {operator: runs, value: git}")+"}]")
	return out
}

func (m maker) call() policy.Query {
	q := policy.Query{Surface: call.Surface(m.of("response", "mcp")), Actor: call.Actor{Team: m.of("", "a", "b")}}
	if m.IntN(3) == 0 {
		q.Server = m.of("fs", "db")
	}
	q.Tools = []string{m.of("Bash", "Read", "read", "mcp__fs__read", "fs_read", "fs-read", "mcp__db__read", "write")}
	q.Args = jsontext.Value(m.of(`{}`, `{"command":"git status"}`, `{"command":"ls; git log"}`, `{"command":"ls"}`, `{"command":"cat .env"}`,
		`{"path":"a"}`, `{"path":"b"}`, `{"p":["a","b"]}`, `{"p":["ab"]}`, `{"file_path":"x/.env"}`,
		`{"command":"git log x -n"}`, `{"command":"git -n log x; git log --x"}`, `{"command":"git $X; ls -l"}`, `{"command":"git"}`,
		`{"command":"cat /srv/a/b.pem"}`, `{"command":"cat /srv/a/*"}`, `{"file_path":"/srv/a/b.pem"}`, `{"command":"cat b.pem $X"}`,
		`{"command":"curl https://api.example.com/"}`, `{"command":"curl https://a.api.example.com:8080 https://$H.example.com"}`,
		`{"url":"https://API.example.com/"}`, `{"url":"see api.example.com, or b.example.com"}`))
	return q
}

// A rule of which it is said that it changes nothing can be taken out, and no decision changes.
func TestRulesWithoutEffectChangeNothing(t *testing.T) {
	tried := 0
	for seed := range need.Cases(1500) {
		m := maker{rand.New(rand.NewPCG(seed, 1))}
		rules := make([]string, 2+m.IntN(3))
		for i := range rules {
			rules[i] = m.rule(fmt.Sprintf("r%d", i))
		}
		header := "version: 1\ndefault: " + m.of("allow", "deny", "audit") + "\n"
		if m.IntN(4) == 0 {
			header += "mcp: {denied_servers: [{id: " + m.of("fs", `"*"`, "db") + "}]}\n"
		}
		whole := mustParse(t, header+listed(rules))
		for _, w := range warn.New(whole).Find(when.Moment{}).Warnings {
			if w.ID != policy.WarnRule {
				continue
			}
			var rest []string
			for _, r := range rules {
				if !strings.HasPrefix(r, "id: "+w.Rule+",") {
					rest = append(rest, r)
				}
			}
			without := mustParse(t, header+listed(rest))
			for range 60 {
				tried++
				q := m.call()
				if a, b := whole.Decide(q), without.Decide(q); a.Verdict != b.Verdict {
					t.Fatalf("seed %d: %s\nwith it %s, without it %s: %+v\n%s", seed, w, a.Verdict, b.Verdict, q, header+listed(rules))
				}
			}
		}
	}
	if tried < 1000 {
		t.Errorf("only %d calls tried", tried)
	}
}

func mustParse(t *testing.T, text string) *policy.Policy {
	t.Helper()
	p, err := policy.Parse("p.yaml", []byte(strings.ReplaceAll(text, "rules:\n", map[bool]string{true: "rules:\n", false: "rules: []\n"}[strings.Contains(text, "  - {")])))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}
