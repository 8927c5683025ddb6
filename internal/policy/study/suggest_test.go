package study

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/toolname"
)

// suggested is the policy for calls of one tool that were released.
func suggested(tool string, args ...string) string {
	s := NewSuggestion()
	for _, a := range args {
		s.Add(Seen{Query: policy.Query{Tools: []string{tool}, Args: []byte(a)}, Then: Settled{Verdict: policy.Allow}, Day: "2026-01-31"})
	}
	return s.YAML()
}

func TestSuggestedConditions(t *testing.T) {
	five := func(format string, values ...string) (out []string) {
		for i := range 5 {
			out = append(out, fmt.Sprintf(format, values[i%len(values)]))
		}
		return out
	}
	tests := map[string]struct {
		args []string
		want []string // the tests, without param_path
	}{
		"programs":                  {five(`{"command":%q}`, "git status", "ls | grep x"), []string{`command, operator: runs, value: ["git", "grep", "ls"]`}},
		"programs in a list":        {five(`{"command":["bash","-lc",%q]}`, "ls"), []string{`command, operator: runs, value: ["bash", "ls"]`}},
		"a program that is unknown": {five(`{"command":%q}`, "ls", "$X y"), nil},
		"text that is no command":   {five(`{"command":%q}`, "ls", "if"), nil},
		"a program with blanks":     {five(`{"command":%q}`, `"my prog" x`), nil},
		"a token as a program":      {five(`{"command":%q}`, "ghp_"+strings.Repeat("a1B2", 9)), nil},
		"too few":                   {five(`{"command":%q}`, "ls")[:4], nil},
		"folder":                    {five(`{"path":%q}`, "/srv/app/a", "/srv/app/b/c"), []string{`path, operator: within, value: ["/srv/app"]`}},
		"folder and relative":       {five(`{"file_path":%q}`, "/srv/app/a", "b/c", "~/x/y"), []string{`file_path, operator: within, value: [".", "/srv/app", "~/x"]`}},
		"home":                      {five(`{"path":%q}`, "~/a/b", "~/c"), []string{`path, operator: within, value: ["~"]`}},
		"all folders":               {five(`{"path":%q}`, "/srv/a", "/etc/b"), nil},
		"out of the folder":         {five(`{"path":%q}`, "a", "../b"), nil},
		"a secret in the folder":    {five(`{"path":%q}`, "/srv/AKIAIOSFODNN7EXAMPLE/a"), nil},
		"a variable":                {five(`{"path":%q}`, "/srv/$X/a", "/srv/b"), nil},
		"hosts":                     {five(`{"url":%q}`, "https://Docs.example/a", "https://api.example/"), []string{`url, operator: host_in, value: ["api.example", "docs.example"]`}},
		"a host that is a list":     {five(`{"url":%q}`, "https://$hosts/"), nil},
		"a host with a wildcard":    {five(`{"url":%q}`, "https://*.example/"), nil},
		"two hosts in one":          {five(`{"url":%q}`, "https://a.example/?to=https://b.example"), nil},
		"no string":                 {five(`{"path":%s}`, "1"), nil},
		"sometimes missing":         {[]string{`{"path":"/a/b"}`, `{"path":"/a/b"}`, `{"path":"/a/b"}`, `{"path":"/a/b"}`, `{}`}, nil},
		"not there at first":        {[]string{`{}`, `{"path":"/a/b"}`, `{"path":"/a/b"}`, `{"path":"/a/b"}`, `{"path":"/a/b"}`}, nil},
		"in two cases":              {five(`{"path":%q,"PATH":"/x/y"}`, "/a/b"), nil},
		"another parameter":         {five(`{"text":%q}`, "/srv/app/a"), nil},
		"a name with signs":         {five(`{"my file_path":%q}`, "/srv/app/a"), nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			text := suggested("T", test.args...)
			var got []string
			for line := range strings.Lines(text) {
				if _, rest, found := strings.Cut(line, "{param_path: "); found {
					got = append(got, strings.TrimSuffix(strings.TrimSpace(rest), "}"))
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("conditions (-want +got):\n%s", diff)
			}
			p := parsed(t, text)
			for _, a := range test.args {
				if d := p.Decide(policy.Query{Tools: []string{"T"}, Args: []byte(a)}); d.Refused() {
					t.Errorf("%s is refused:\n%s", a, text)
				}
			}
		})
	}
}

func TestSuggestionSaysWhatItSaw(t *testing.T) {
	s := NewSuggestion()
	ann, bob := call.Actor{Employee: "ann@acme.com"}, call.Actor{Key: "ci\n- id: x"}
	see := func(q policy.Query, then policy.Verdict) {
		s.Add(Seen{Query: q, Then: Settled{Verdict: then, Rule: "r"}, Code: "tool_denied", Reason: "No\x1b.", Day: "2026-01-31"})
	}
	see(policy.Query{Tools: []string{"Bash"}, Actor: ann}, policy.Allow)
	see(policy.Query{Tools: []string{"bash"}, Actor: bob}, policy.Audit)
	see(policy.Query{Tools: []string{"push"}, Server: "git"}, policy.Allow)
	see(policy.Query{Tools: []string{"a*"}}, policy.Allow)
	see(policy.Query{Tools: []string{"\u200b"}}, policy.Allow)
	see(policy.Query{Tools: []string{"Drop"}, Server: "db"}, policy.Deny)
	see(policy.Query{Tools: []string{"Bash"}, Surface: call.Inbound}, policy.Allow)
	want := `# Least privilege: what was called and released is allowed, all else is refused.
# Read it before you use it, and see with weir policy replay what it would have changed.
version: 1
default: deny
rules:

  # tools of the agent itself
  # once, last on 2026-01-31
  # not allowed here: a*; in a rule, * and % in its name would stand for any run of characters
  # 2 times by ann@acme.com, "ci\n- id: x", last on 2026-01-31
  # flagged: once; a rule with verdict audit does so beside this one
  - id: allow-Bash
    tool: "Bash"
    verdict: allow

  # MCP server "git"
  # once, last on 2026-01-31
  - id: allow-git-push
    tool: "push"
    server: "git"
    verdict: allow

  # Refused, or would have been. The rules above may allow calls like these: keep the rules that refuse them beside this file.
  # - "Drop" of server "db": once, last on 2026-01-31 (tool_denied, rule r): No·.
`
	if diff := cmp.Diff(want, s.YAML()); diff != "" {
		t.Errorf("policy (-want +got):\n%s", diff)
	}
	parsed(t, s.YAML())
}

// Calls of a server's tools stand together, wherever they were seen, and the policy that is suggested releases them again.
func TestSuggestionForServers(t *testing.T) {
	known := func(tool string) call.Known { return call.Known{Server: "fs", Tool: tool, State: call.ToolTrusted} }
	s := NewSuggestion()
	queries := []policy.Query{
		{Tools: []string{"Bash"}, Known: []call.Known{{Server: "fs", Tool: "Bash", State: call.ToolTrusted, Bare: true}}},
		{Surface: call.MCP, Server: "fs", Tools: []string{"read"}, Known: []call.Known{known("read")}},
		{Tools: []string{"mcp__fs__list"}},
		{Tools: []string{"fs_write"}, Known: []call.Known{known("write")}},
		{Surface: call.MCP, Server: "fs", Tools: []string{"prompts/get"}, Method: true},
		{Tools: []string{"seek"}, Known: []call.Known{known("seek"), {Server: "web", Tool: "seek", State: call.ToolTrusted}}},
	}
	for _, q := range queries {
		s.Add(Seen{Query: q, Then: Settled{Verdict: policy.Allow}, Day: "2026-01-31"})
	}
	text := s.YAML()
	var got []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "    tool:") || strings.HasPrefix(line, "    server:") || strings.HasPrefix(line, "  # MCP") || strings.HasPrefix(line, "  # tools") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	want := []string{
		"# tools of the agent itself", `tool: "Bash"`, `tool: "seek"`,
		`# MCP server "fs"`, `tool: "fs_write"`, `tool: "mcp__fs__list"`, `tool: "prompts/get"`, `server: "fs"`, `tool: "read"`, `server: "fs"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	p := parsed(t, text)
	for _, q := range queries {
		if d := p.Decide(q); d.Refused() {
			t.Errorf("%q is refused: %+v", q.Tools, d)
		}
	}
}

// A name that looks like that of a list stays a name: it allows nothing else.
func TestSuggestedNamesAreNoLists(t *testing.T) {
	others := []policy.Query{{Tools: []string{"send_email"}}, {Tools: []string{"send_email"}, Server: "mail"}, {Tools: []string{"x"}, Server: "mail"}}
	for _, q := range []policy.Query{
		{Tools: []string{"$senders"}},
		{Tools: []string{"\u200b$senders"}},
		{Tools: []string{"\uff04senders"}}, // a wide dollar sign
		{Tools: []string{"$nolist"}},
		{Tools: []string{"$senders"}, Server: "mail"},
		{Tools: []string{"send_email"}, Server: "$senders", Surface: call.MCP},
		{Tools: []string{"x"}, Server: "\uff0a"}, // a wide asterisk
	} {
		s := NewSuggestion()
		for range enoughCalls {
			s.Add(Seen{Query: q, Then: Settled{Verdict: policy.Allow}, Day: "2026-01-31"})
		}
		text := s.YAML()
		if !strings.Contains(text, "rules: []\n") || !strings.Contains(text, "# not allowed here: ") {
			t.Errorf("%q of %q has a rule:\n%s", q.Tools, q.Server, text)
		}
		for _, other := range others {
			if d := parsed(t, text).Decide(other); !d.Refused() {
				t.Errorf("%q of %q lets pass %q of %q:\n%s", q.Tools, q.Server, other.Tools, other.Server, text)
			}
		}
	}
}

func FuzzSuggest(f *testing.F) {
	f.Add("Bash", "", `{"command":"ls -l"}`, `{"command":"git log | cat"}`, "ann")
	f.Add("mcp__a__b__c", "", `{"path":"/srv/a/b"}`, `{"path":"~/x"}`, "x\n- id: y")
	f.Add("push", "gi\"t", `{"url":"https://a.example"}`, `{"url":"http://10.1.2.3/x"}`, "")
	f.Add("ta\u200bsk ", "*", `{"cwd":"a b/c"}`, `{"cwd":"/é/x"}`, "\x1b")
	f.Add("$senders", "", `{}`, `{}`, "")
	f.Add("send", "\uff04senders", `{}`, `{}`, "")
	f.Add("Ｒead", "Ⅷ", `{`, `{"path":1}`, "")
	f.Fuzz(func(t *testing.T, tool, server, first, second, who string) {
		s := NewSuggestion()
		q := policy.Query{Tools: []string{tool}, Server: server, Actor: call.Actor{Employee: who}}
		var queries []policy.Query
		for i := range 6 {
			q.Args = []byte([]string{first, second}[i%2])
			queries = append(queries, q)
			s.Add(Seen{Query: q, Then: Settled{Verdict: policy.Allow}})
		}
		s.Add(Seen{Query: q, Then: Settled{Verdict: policy.Deny, Rule: who}, Code: server, Reason: tool})
		text := s.YAML()
		p, err := policy.Parse("suggested", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if toolname.Fold(tool) == "" || server != "" && toolname.Fold(server) == "" {
			return // no rule can name it
		}
		if toolname.NotLiteral(tool)+toolname.NotLiteral(server) != "" {
			if d := p.Decide(policy.Query{Tools: []string{"something else"}, Server: "elsewhere"}); !d.Refused() {
				t.Fatalf("a name that means more than itself lets others pass:\n%s", text)
			}
			return
		}
		for _, q := range queries {
			if d := p.Decide(q); d.Refused() {
				t.Fatalf("%q of %q with %s is refused:\n%s", tool, server, q.Args, text)
			}
		}
	})
}
