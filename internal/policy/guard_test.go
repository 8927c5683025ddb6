package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
)

// known is a tool as the registry knows it; more says how it differs from one that is trusted and named with its server.
func known(server, tool string, more ...string) call.Known {
	k := call.Known{Server: server, Tool: tool, State: call.ToolTrusted}
	for _, word := range more {
		switch {
		case word == "bare":
			k.Bare = true
		case slices.Contains(severities, word):
			k.Severity = word
		default:
			k.State = call.ToolState(word)
		}
	}
	return k
}

// said is a model's call; to is one that is made to a server.
func said(tool string, k ...call.Known) Query { return Query{Tools: []string{tool}, Known: k} }

func to(server, tool string, k ...call.Known) Query {
	return Query{Surface: call.MCP, Server: server, Tools: []string{tool}, Known: k}
}

func method(server, name string) Query {
	q := to(server, name)
	q.Method = true
	return q
}

func offered(q Query) Query { q.Surface = call.Inbound; return q }

func TestGuard(t *testing.T) {
	const (
		denyEvil   = "denied_servers: [{id: 'evil*'}]"
		onlyFS     = "server_policy: allowlist\nallowed_servers: [{id: fs}]\ndenied_servers: [{id: fs2}]"
		denyTools  = "denied_tools: [{server: fs, tool: 'delete_*'}, {tool: execute_command}, {server: '%', tool: 'mcp__git__push'}]"
		onlyReads  = "tool_policy: allowlist\nallowed_tools: [{server: fs, tool: 'read*'}, {server: git, tool: '*'}]"
		closed     = "fail_closed: true"
		ownNative  = "fail_closed: true\nnative_tools: [Bash, 'my_*']"
		block      = "version_pinning: {}"
		alert      = "version_pinning: {on_change: alert}"
		letPass    = "version_pinning: {on_change: allow}"
		asked      = "version_pinning: {auto_trust_first: false}"
		switched   = "version_pinning: {enabled: false}"
		strictScan = "scan: {definitions: {low: deny, high: allow}}"
		nothing    = "fail_closed: false"
	)
	open := Query{Surface: call.Inbound, Server: "fs", Tools: []string{"mcp"}, Open: true}
	openGit := Query{Surface: call.Inbound, Server: "git", Tools: []string{"mcp"}, Open: true}
	tests := []struct {
		name, block string
		query       Query
		rule, code  string // "": it passes by the default
	}{
		{"denied server", denyEvil, to("evil1", "x"), "mcp.denied_servers", "server_denied"},
		{"in another case", denyEvil, to("EVIL", "x"), "mcp.denied_servers", "server_denied"},
		{"by its name", denyEvil, said("mcp__evil1__x"), "mcp.denied_servers", "server_denied"},
		{"by a name that may be its", denyEvil, said("evil1_x"), "mcp.denied_servers", "server_denied"},
		{"by what is known", denyEvil, said("x", known("evil1", "x", "bare")), "mcp.denied_servers", "server_denied"},
		{"a method of it", denyEvil, method("evil1", "prompts/get"), "mcp.denied_servers", "server_denied"},
		{"declared by the agent", denyEvil, offered(said("mcp__evil1__x")), "", ""},
		{"for the provider to call", denyEvil, offered(to("evil1", "x")), "mcp.denied_servers", "server_denied"},
		{"offered as a whole", "denied_servers: [{id: fs}]", open, "mcp.denied_servers", "server_denied"},
		{"another server", denyEvil, to("good", "x"), "", ""},
		{"no server", denyEvil, said("evil"), "", ""},
		{"every server", "denied_servers: [{id: '*'}]", said("mcp__a__b"), "mcp.denied_servers", "server_denied"},
		{"every server, and none", "denied_servers: [{id: '*'}]", said("a_b"), "", ""},
		{"a native tool that looks like a server's", "denied_servers: [{id: run}]", said("run_shell_command"), "", ""},

		{"allowed server", onlyFS, to("fs", "x"), "", ""},
		{"allowed in another case", onlyFS, to("Fs", "x"), "", ""},
		{"not allowed", onlyFS, to("git", "x"), "mcp.allowed_servers", "server_denied"},
		{"not allowed by name", onlyFS, said("mcp__git__x"), "mcp.allowed_servers", "server_denied"},
		{"a divided name", onlyFS, said("mcp__fs__x__y"), "mcp.allowed_servers", "server_denied"},
		{"not allowed, known", onlyFS, said("git_x", known("git", "x")), "mcp.allowed_servers", "server_denied"},
		{"one of two", onlyFS, said("x", known("fs", "x", "bare"), known("git", "x", "bare")), "mcp.allowed_servers", "server_denied"},
		{"not allowed, a method", onlyFS, method("git", "roots/list"), "mcp.allowed_servers", "server_denied"},
		{"allowed, a method", onlyFS, method("fs", "roots/list"), "", ""},
		{"no server for certain", onlyFS, said("git_x"), "", ""},
		{"denied though others are allowed", onlyFS, to("fs2", "x"), "mcp.denied_servers", "server_denied"},
		{"allowed and denied", "server_policy: allowlist\nallowed_servers: [{id: '*'}]\ndenied_servers: [{id: fs}]", to("fs", "x"), "mcp.denied_servers", "server_denied"},
		{"offered as a whole, not allowed", onlyFS, openGit, "mcp.allowed_servers", "server_denied"},

		{"denied tool", denyTools, to("fs", "delete_file"), "mcp.denied_tools", "tool_denied"},
		{"denied tool by name", denyTools, said("mcp__fs__delete_file"), "mcp.denied_tools", "tool_denied"},
		{"denied tool, guessed", denyTools, said("fs_delete_file"), "mcp.denied_tools", "tool_denied"},
		{"denied tool, known", denyTools, said("delete_x", known("fs", "delete_x", "bare")), "mcp.denied_tools", "tool_denied"},
		{"of another server", denyTools, to("git", "delete_file"), "", ""},
		{"of any server", denyTools, to("git", "execute_command"), "mcp.denied_tools", "tool_denied"},
		{"of nobody known", denyTools, said("execute_command"), "mcp.denied_tools", "tool_denied"},
		{"in a client's spelling", denyTools, to("git", "push"), "mcp.denied_tools", "tool_denied"},
		{"a method of that name", denyTools, method("fs", "delete_file"), "", ""},
		{"declared tool", denyTools, offered(said("mcp__fs__delete_file")), "", ""},
		{"tool for the provider to call", denyTools, offered(to("fs", "delete_file")), "mcp.denied_tools", "tool_denied"},
		{"all tools offered", denyTools, open, "mcp.denied_tools", "tool_denied"},
		{"all tools of another offered", "denied_tools: [{server: fs, tool: x}]", openGit, "", ""},
		{"a native tool", "denied_tools: [{tool: '*'}]", said("Bash"), "", ""},
		{"a server's tool of a native name", "denied_tools: [{tool: '*'}]", to("fs", "Bash"), "mcp.denied_tools", "tool_denied"},

		{"allowed tool", onlyReads, to("fs", "read_file"), "", ""},
		{"tool not allowed", onlyReads, to("fs", "write_file"), "mcp.allowed_tools", "tool_denied"},
		{"of a server that is not named", onlyReads, said("mcp__web__read"), "mcp.allowed_tools", "tool_denied"},
		{"all of one server", onlyReads, to("git", "push"), "", ""},
		{"a server called as the tool", "tool_policy: allowlist\nallowed_tools: [{tool: 'read*'}]", to("reader", "delete"), "mcp.allowed_tools", "tool_denied"},
		{"no tool", onlyReads, method("fs", "prompts/get"), "", ""},
		{"native, not of a server", onlyReads, said("Bash"), "", ""},
		{"all offered, some allowed", onlyReads, open, "mcp.allowed_tools", "tool_denied"},
		{"all offered, all allowed", onlyReads, openGit, "", ""},

		{"known tool", closed, said("fs_read", known("fs", "read")), "", ""},
		{"known to its server", closed, to("fs", "read", known("fs", "read")), "", ""},
		{"a native one", closed, said("Bash"), "", ""},
		{"in another case, native", closed, said("BASH"), "", ""},
		{"native by another spelling", closed, Query{Tools: []string{"space.exec_command"}, Spellings: []string{"exec_command"}}, "", ""},
		{"nobody's", closed, said("frobnicate"), "mcp.fail_closed", "unknown_tool"},
		{"a server's by name alone", closed, said("mcp__fs__read"), "mcp.fail_closed", "unknown_tool"},
		{"of a server, unlisted", closed, to("fs", "read"), "mcp.fail_closed", "unknown_tool"},
		{"a native name at a server", closed, to("fs", "Bash"), "mcp.fail_closed", "unknown_tool"},
		{"a native name at a server that the wire names", closed, Query{Server: "fs", Tools: []string{"Bash"}}, "mcp.fail_closed", "unknown_tool"},
		{"two readings, one known", closed, Query{Tools: []string{"fs_read", "frob"}, Known: []call.Known{known("fs", "read")}}, "mcp.fail_closed", "unknown_tool"},
		{"two readings, both known", closed, Query{Tools: []string{"fs_read", "Bash"}, Known: []call.Known{known("fs", "read")}}, "", ""},
		{"a method is no tool", closed, method("fs", "prompts/get"), "", ""},
		{"an offer is no call", closed, offered(said("frobnicate")), "", ""},
		{"own list", ownNative, said("my_tool"), "", ""},
		{"own list replaces", ownNative, said("Read"), "mcp.fail_closed", "unknown_tool"},
		{"open", nothing, said("frobnicate"), "", ""},

		{"changed", block, to("fs", "read", known("fs", "read", "changed")), "mcp.version_pinning", "tool_changed"},
		{"changed, by a model", block, said("mcp__fs__read", known("fs", "read", "changed")), "mcp.version_pinning", "tool_changed"},
		{"not trusted", block, said("fs_read", known("fs", "read", "unknown")), "mcp.version_pinning", "unknown_tool"},
		{"in an odd state", block, said("fs_read", known("fs", "read", "odd")), "mcp.version_pinning", "unknown_tool"},
		{"trusted", block, said("fs_read", known("fs", "read")), "", ""},
		{"two of one folded name", block, to("fs", "read", known("fs", "read"), known("fs", "Read", "changed")), "mcp.version_pinning", "tool_changed"},
		{"nothing known", block, said("mcp__fs__read"), "", ""},
		{"never listed", block, to("fs", "read"), "", ""},
		{"never listed, and none is trusted unasked", asked, to("fs", "read"), "mcp.version_pinning", "unknown_tool"},
		{"declared, and none is trusted unasked", asked, said("mcp__fs__read"), "", ""},
		{"bare, and native", block, said("Bash", known("fs", "Bash", "bare", "changed")), "", ""},
		{"bare, and not native", block, said("seek", known("fs", "seek", "bare", "changed")), "mcp.version_pinning", "tool_changed"},
		{"named with its server, and native", block, said("run_shell_command", known("run", "shell_command", "changed")), "mcp.version_pinning", "tool_changed"},
		{"offered, changed", block, offered(said("mcp__fs__read", known("fs", "read", "changed"))), "", ""},
		{"changes pass", letPass, said("fs_read", known("fs", "read", "changed")), "", ""},
		{"switched off", switched, said("fs_read", known("fs", "read", "changed")), "", ""},
		{"not pinned", nothing, said("fs_read", known("fs", "read", "changed")), "", ""},
		{"alert, changed", alert, said("fs_read", known("fs", "read", "changed")), "mcp.version_pinning", "audit"},
		{"alert, not trusted", alert, said("fs_read", known("fs", "read", "unknown")), "mcp.version_pinning", "audit"},

		{"critical", nothing, said("fs_read", known("fs", "read", "critical")), "mcp.scan", "content_denied"},
		{"high", nothing, to("fs", "read", known("fs", "read", "high")), "mcp.scan", "audit"},
		{"low", nothing, said("fs_read", known("fs", "read", "low")), "", ""},
		{"low is denied", strictScan, said("fs_read", known("fs", "read", "low")), "mcp.scan", "content_denied"},
		{"high is not", strictScan, said("fs_read", known("fs", "read", "high")), "", ""},
		{"the strictest counts, not the worst", strictScan, to("fs", "read", known("fs", "read", "high"), known("fs", "Read", "low")), "mcp.scan", "content_denied"},
		{"critical, native", nothing, said("Bash", known("fs", "Bash", "bare", "critical")), "", ""},
		{"critical, offered", nothing, offered(said("fs_read", known("fs", "read", "critical"))), "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := withBlock("allow", tt.block)
			p := mustParse(t, text)
			d := p.Decide(tt.query)
			if tt.code == "audit" {
				if d.Verdict != Audit || d.Rule != tt.rule || d.Code != "" || d.Reason == "" {
					t.Errorf("got %+v, want audit by %s", d, tt.rule)
				}
			} else if d.Rule != tt.rule || d.Code != tt.code || d.Refused() != (tt.code != "") || d.Refused() && d.Reason == "" {
				t.Errorf("got %+v, want %q by %q", d, tt.code, tt.rule)
			}
			if _, refused := p.RefusedByName(tt.query); refused != d.Refused() {
				t.Errorf("refused by name: %v, decided %+v", refused, d)
			}
			checkExplained(t, text, p, tt.query)
			// What is refused is so whatever the policy's own rules allow.
			allowing := mustParse(t, text+"rules: [{id: all, tool: '*', surface: [response, mcp, inbound], verdict: allow}]\n").Decide(tt.query)
			if allowing.Refused() != d.Refused() || allowing.Code != d.Code {
				t.Errorf("with a rule that allows: %+v", allowing)
			}
		})
	}
}

// What scans found counts in a policy without the block, too.
func TestScanWithoutBlock(t *testing.T) {
	p := mustParse(t, "version: 1\ndefault: allow\n")
	d := p.Decide(said("fs_read", known("fs", "read", "critical", "changed")))
	want := Decision{Verdict: Deny, Code: "content_denied", Rule: "mcp.scan", Reason: reasonMisleading}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("decision (-want +got):\n%s", diff)
	}
	if p.Covers(call.Inbound) || p.Covers(call.Response) || p.Restricts(call.Response, call.Actor{}) || len(p.List(call.Actor{}).Rules) > 0 {
		t.Error("what is built in counts as a rule of the policy")
	}
	text := p.Explain(said("fs_read", known("fs", "read", "critical"))).String()
	if want := "yes  mcp.scan (deny, built in): the worst that was found in the definition is critical\n"; !strings.Contains(text, want) {
		t.Errorf("no %q in:\n%s", want, text)
	}
	if text := p.Explain(said("Bash")).String(); strings.Contains(text, "mcp.") {
		t.Errorf("explained as:\n%s", text)
	}
}

// Nothing of the block lets a call pass that the default refuses.
func TestGuardLetsNothingPass(t *testing.T) {
	p := mustParse(t, withBlock("deny", `server_policy: allowlist
allowed_servers: [{id: fs}]
tool_policy: allowlist
allowed_tools: [{tool: "*"}]
fail_closed: true
version_pinning: {on_change: alert}
rate_limits: {default_rpm: 5}`))
	for _, q := range []Query{to("fs", "x", known("fs", "x")), to("fs", "x", known("fs", "x", "changed", "high")), said("Bash"), method("fs", "prompts/get")} {
		d := p.Decide(q)
		if !d.Refused() || d.Rule != "" || d.Code != call.CodeToolDenied {
			t.Errorf("%q: %+v", q.Tools, d)
		}
		if _, refused := p.RefusedByName(q); !refused {
			t.Errorf("%q is not refused by its name", q.Tools)
		}
	}
}

// Of several rules that flag a call, the one that says more is named; one that refuses of the policy's own comes first.
func TestGuardAmongRules(t *testing.T) {
	text := withBlock("allow", "version_pinning: {on_change: alert}\ndenied_tools: [{tool: push}]") + `rules:
  - {id: watch, tool: "*", verdict: audit}
  - {id: no-push, tool: push, verdict: deny}
  - {id: hide, tool: mail, verdict: sanitize, sanitize: {presets: [email]}}
`
	p := mustParse(t, text)
	if d := p.Decide(to("fs", "read", known("fs", "read", "changed"))); d.Rule != "mcp.version_pinning" || d.Verdict != Audit {
		t.Errorf("flagged: %+v", d)
	}
	if d := p.Decide(to("fs", "push")); d.Rule != "no-push" {
		t.Errorf("refused: %+v", d)
	}
	d := p.Decide(to("fs", "mail", known("fs", "mail", "changed")))
	if d.Verdict != Sanitize || d.Flag != "mcp.version_pinning" || d.FlagReason != reasonChanged || d.Obligations == nil {
		t.Errorf("sanitised: %+v", d)
	}
}

func TestServerRates(t *testing.T) {
	p := mustParse(t, withBlock("allow", "rate_limits: {default_rpm: 60, per_server: {Weather: {calls_per_minute: 10, burst: 3}}}")+
		"rules: [{id: slow, tool: x, surface: mcp, verdict: allow, rate_limit: {calls_per_minute: 1}}, {id: all, tool: '*', verdict: audit, rate_limit: {calls_per_minute: 2}}]\n")
	rate := func(server string, perMinute float64, burst int) RateLimit {
		return RateLimit{
			Rule: "mcp.rate_limits", Reason: reasonServerRate, PerMinute: perMinute, Burst: burst, Per: []string{"server"}, Server: server, OnResponse: true,
		}
	}
	all := RateLimit{Rule: "all", Reason: reasonRate, PerMinute: 2, Burst: 2, OnResponse: true}
	slow := RateLimit{Rule: "slow", Reason: reasonRate, PerMinute: 1, Burst: 1}
	for name, tt := range map[string]struct {
		query Query
		want  []RateLimit
	}{
		"named":         {to("weather", "get"), []RateLimit{rate("weather", 10, 3), all}},
		"not named":     {said("mcp__FS__read"), []RateLimit{rate("fs", 60, 60), all}},
		"on mcp alone":  {to("fs", "x"), []RateLimit{rate("fs", 60, 60), slow, all}},
		"two servers":   {said("get", known("weather", "get", "bare"), known("fs", "get", "bare")), []RateLimit{rate("weather", 10, 3), rate("fs", 60, 60), all}},
		"native":        {said("Bash"), []RateLimit{all}},
		"a method":      {method("fs", "prompts/get"), []RateLimit{all}},
		"a known tool":  {said("fs_read", known("fs", "read")), []RateLimit{rate("fs", 60, 60), all}},
		"once, twice":   {said("mcp__fs__read", known("fs", "read")), []RateLimit{rate("fs", 60, 60), all}},
		"not certainly": {said("fs_read"), []RateLimit{all}},
	} {
		d := p.Decide(tt.query)
		if d.Obligations == nil {
			t.Errorf("%s: no obligations: %+v", name, d)
			continue
		}
		if diff := cmp.Diff(tt.want, d.Obligations.Rates); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if d := p.Decide(offered(said("mcp__fs__read"))); d.Obligations != nil {
		t.Errorf("an offer is counted: %+v", d.Obligations)
	}
	off := mustParse(t, withBlock("allow", "rate_limits: {enabled: false, default_rpm: 60}"))
	if d := off.Decide(to("fs", "x")); d.Obligations != nil {
		t.Errorf("switched off: %+v", d.Obligations)
	}
}

func TestGuardCoversAndRestricts(t *testing.T) {
	for block, want := range map[string][4]bool{ // covers inbound and response, restricts response and inbound
		"denied_servers: [{id: a}]":                      {true, true, true, true},
		"denied_tools: [{tool: a}]":                      {true, true, true, true},
		"denied_tools: []":                               {false, false, false, false},
		"tool_policy: allowlist\nallowed_tools: []":      {true, true, true, true},
		"fail_closed: true":                              {false, true, true, false},
		"fail_closed: false":                             {false, false, false, false},
		"version_pinning: {}":                            {false, true, true, false},
		"version_pinning: {on_change: alert}":            {false, true, false, false},
		"rate_limits: {default_rpm: 1}":                  {false, true, true, false},
		"scan: {results: {low: deny}}":                   {false, true, true, false},
		"scan: {definitions: {critical: audit}}":         {false, true, false, false},
		"servers: [{id: a, type: stdio, command: prog}]": {false, false, false, false},
	} {
		p := mustParse(t, withBlock("allow", block))
		got := [4]bool{
			p.Covers(call.Inbound), p.Covers(call.Response), p.Restricts(call.Response, call.Actor{}), p.Restricts(call.Inbound, call.Actor{}),
		}
		if got != want || p.Covers(call.MCP) != want[1] {
			t.Errorf("%s: %v, want %v", block, got, want)
		}
	}
}

// Rules without a surface are about calls wherever they show themselves.
func TestSurfaces(t *testing.T) {
	p := mustParse(t, `version: 1
default: deny
rules:
  - {id: both, tool: read, verdict: allow}
  - {id: there, tool: write, surface: mcp, verdict: allow}
  - {id: here, tool: edit, surface: response, verdict: allow}
  - {id: get, tool: prompts/get, server: fs, verdict: allow}
`)
	for _, tt := range []struct {
		query Query
		rule  string
	}{
		{said("read"), "both"},
		{to("fs", "read"), "both"},
		{said("write"), ""},
		{to("fs", "write"), "there"},
		{said("edit"), "here"},
		{to("fs", "edit"), ""},
		{method("fs", "prompts/get"), "get"},
		{method("git", "prompts/get"), ""},
		{method("fs", "roots/list"), ""},
	} {
		if d := p.Decide(tt.query); d.Rule != tt.rule || d.Refused() != (tt.rule == "") {
			t.Errorf("%q on %q: %+v, want rule %q", tt.query.Tools, tt.query.Surface, d, tt.rule)
		}
	}
	if d := p.Decide(offered(said("x"))); d.Refused() {
		t.Errorf("the default is about what is offered: %+v", d)
	}
}

func TestExplainGuard(t *testing.T) {
	p := mustParse(t, withBlock("allow", `server_policy: allowlist
allowed_servers:
  - {id: fs}
denied_tools:
  - {tool: exec}
  - {server: fs, tool: "delete_*"}
fail_closed: true
version_pinning: {}
rate_limits: {default_rpm: 5}`))
	got := p.Explain(said("fs_delete_file", known("fs", "delete_file", "changed", "high"))).String()
	want := `decision: deny (rule mcp.denied_tools)
code:     tool_denied
reason:   This tool of an MCP server is not allowed here.
version:  ` + p.Version() + `
reading 1 of the name
tool "fs_delete_file"
  no   mcp.allowed_servers (deny, line 5): it is no MCP server's for certain
  yes  mcp.denied_tools (deny, line 7): tool is denied by "delete_*" of "fs" on line 9
  no   mcp.fail_closed (deny, line 10): the registry knows the tool
  no   mcp.version_pinning (deny, line 11): the registry knows nothing of it
  no   mcp.rate_limits (allow, line 12): it is no MCP server's for certain
  no arguments could change this refusal
  this reading: deny (rule mcp.denied_tools)
reading 2 of the name
tool "fs_delete_file", known as "delete_file" of server "fs" (changed)
  no   mcp.allowed_servers (deny, line 5): server is allowed by "fs" on line 6
  yes  mcp.denied_tools (deny, line 7): tool is denied by "delete_*" of "fs" on line 9
  no   mcp.fail_closed (deny, line 10): the registry knows the tool
  yes  mcp.version_pinning (deny, line 11): the tool has changed since it was trusted
  yes  mcp.scan (audit, built in): the worst that was found in the definition is high
  yes  mcp.rate_limits (allow, line 12): at most 5 calls a minute, 5 at once, per server
  no arguments could change this refusal
  this reading: deny (rule mcp.denied_tools)
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("explanation (-want +got):\n%s", diff)
	}
}

// A declared server is known by its id, before anybody has met it.
func TestDeclaredServersAreKnownByTheirIDs(t *testing.T) {
	p := mustParse(t, `version: 1
default: allow
mcp:
  servers: [{id: std, type: stdio, command: x}]
  denied_tools: [{tool: "danger*"}]
`)
	for name, code := range map[string]string{
		"mcp__std__danger": "tool_denied", "std_danger": "tool_denied", "mcp_std_danger": "tool_denied", "std.danger": "tool_denied",
		"std/dangerous": "tool_denied", "STD__DANGER": "tool_denied", "danger": "tool_denied",
		"std_safe": "", "other_danger": "", "Bash": "",
	} {
		if d := p.Decide(Query{Tools: []string{name}}); d.Code != code {
			t.Errorf("%s is %q, want %q", name, d.Code, code)
		}
	}
	// What the registry knows is not guessed: here the tool's own name begins with the server's.
	closed := mustParse(t, `version: 1
default: allow
mcp:
  servers: [{id: git, type: stdio, command: x}]
  fail_closed: true
  tool_policy: allowlist
  allowed_tools: [{server: git, tool: git_status}]
`)
	known := []call.Known{{Server: "git", Tool: "git_status", Hash: "h", State: call.ToolTrusted, Bare: true}}
	if d := closed.Decide(Query{Tools: []string{"git_status"}, Known: known}); d.Refused() {
		t.Errorf("a known tool is refused: %+v", d)
	}
}
