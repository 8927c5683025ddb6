package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/policy/declared"
	"github.com/weir-gate/weir/internal/text/scan"
)

// withBlock is a policy with an mcp block of the given keys, from line 4 on.
func withBlock(fallback, keys string) string {
	return "version: 1\ndefault: " + fallback + "\nmcp:\n  " + strings.ReplaceAll(keys, "\n", "\n  ") + "\n"
}

func TestMCPProblems(t *testing.T) {
	tests := []struct {
		block     string
		want      string // without the file's name
		schemaToo bool   // the schema rejects it as well
	}{
		{"{}", ":4:3: mcp: the mcp block says nothing; write one of its keys, or remove it", true},
		{"[]", ":4:3: mcp: expected a mapping, found a list", true},
		{"failclosed: true", ":4:3: mcp.failclosed: unknown key; did you mean fail_closed?", true},
		{"fail_closed: yes", ":4:16: mcp.fail_closed: expected true or false, found a string", true},
		{"servers: {}", ":4:12: mcp.servers: expected a list of servers; write each server as a list item, or servers: []", true},
		{"servers: [{id: a, type: stdio}]", ":4:13: mcp.servers[0]: a server of type stdio needs the key command; name the program that is the server", true},
		{"server_policy: allow", `:4:18: mcp.server_policy: "allow" is not a policy for a list; use allowlist, denylist or none`, true},
		{"server_policy: allowlist", ":4:18: mcp.server_policy: without allowed_servers everything is refused; list what is allowed, or write allowed_servers: [] to mean it", false},
		{"tool_policy: allowlist", ":4:16: mcp.tool_policy: without allowed_tools everything is refused; list what is allowed, or write allowed_tools: [] to mean it", false},
		{"allowed_servers: [{id: a}]", ":4:20: mcp.allowed_servers: it would not be looked at: server_policy is denylist; write server_policy: allowlist, or remove the list", false},
		{"allowed_tools: [{tool: '*'}, {server: a, tool: '*'}]", ":4:18: mcp.allowed_tools: it would not be looked at: tool_policy is denylist; write tool_policy: allowlist, or remove the list", false},
		{"tool_policy: denylist\nallowed_tools: [{tool: a}]", ":5:18: mcp.allowed_tools: it would not be looked at: tool_policy is denylist; write tool_policy: allowlist, or remove the list", false},
		{"server_policy: none\ndenied_servers: [{id: a}]", ":5:19: mcp.denied_servers: it would not be looked at: server_policy is none; remove the list, or write another server_policy", false},
		{"tool_policy: none\nallowed_tools: [{tool: '*'}]", ":5:18: mcp.allowed_tools: it would not be looked at: tool_policy is none; remove the list, or write another tool_policy", false},
		{"denied_servers: {id: a}", ":4:19: mcp.denied_servers: expected a list, found a mapping", true},
		{"denied_servers: [a]", ":4:20: mcp.denied_servers[0]: expected a mapping, found a string", true},
		{"denied_servers: [{}]", `:4:20: mcp.denied_servers[0]: the key "id" is missing; add it`, true},
		{"denied_servers: [{id: ''}]", ":4:25: mcp.denied_servers[0].id: expected the id of an MCP server, or a glob, found an empty string; write the id of an MCP server, or a glob", true},
		{`denied_servers: [{id: "\u200b"}]`, ":4:25: mcp.denied_servers[0].id: nothing of this pattern can be seen; write the id of an MCP server, or a glob", false},
		{"denied_tools: [{server: a}]", `:4:18: mcp.denied_tools[0]: the key "tool" is missing; add it`, true},
		{"denied_tools: [{id: a, tool: b}]", ":4:19: mcp.denied_tools[0].id: unknown key; the keys here are tool or server", true},
		{"denied_tools: [{tool: 5}]", ":4:25: mcp.denied_tools[0].tool: expected a string, found a number; put it in quotes", true},
		{"native_tools: 5", ":4:17: mcp.native_tools: expected a string or a list of strings, found a number; write a tool name or glob", true},
		{`native_tools: ["\u200b"]`, ":4:18: mcp.native_tools[0]: nothing of this pattern can be seen; write a tool name or glob", false},
		{"version_pinning: true", ":4:20: mcp.version_pinning: expected a mapping, found true or false", true},
		{"version_pinning: {on_change: warn}", `:4:32: mcp.version_pinning.on_change: "warn" is not what becomes of changed tools; use block, alert or allow`, true},
		{"version_pinning: {auto_trust: true}", ":4:21: mcp.version_pinning.auto_trust: unknown key; the keys here are enabled, on_change or auto_trust_first", true},
		{"rate_limits: {}", ":4:16: mcp.rate_limits: no rate is given; write default_rpm, per_server or both, or remove the key", true},
		{"rate_limits: {default_rpm: 0}", ":4:30: mcp.rate_limits.default_rpm: this is not a rate; write a number of calls in a minute, such as 10 or 0.5", true},
		{"rate_limits: {per_server: {}}", ":4:29: mcp.rate_limits.per_server: no server is named; name one with its rate, or remove the key", true},
		{"rate_limits: {per_server: {a: {burst: 1}}}", `:4:33: mcp.rate_limits.per_server.a: the key "calls_per_minute" is missing; add it`, true},
		{"rate_limits: {per_server: {a: {calls_per_minute: 1, burst: 0}}}", ":4:62: mcp.rate_limits.per_server.a.burst: this is not a number of calls; write how many may come at once, at least 1", true},
		{"rate_limits: {per_server: {'a*': {calls_per_minute: 1}}}", `:4:36: mcp.rate_limits.per_server.a*: "a*" is not the id of one server; write its id; default_rpm is for all others`, true},
		{"rate_limits: {per_server: {a: {calls_per_minute: 1}, A: {calls_per_minute: 1}}}", `:4:59: mcp.rate_limits.per_server.A: the server "A" is given twice; remove one; upper and lower case are the same`, false},
		{"scan: {}", ":4:9: mcp.scan: scan says nothing; write definitions, results or patterns, or remove the key", true},
		{"scan: {results: {}}", ":4:19: mcp.scan.results: no severity is named; name one of critical, high, medium or low, or remove the key", true},
		{"scan: {results: {high: block}}", `:4:26: mcp.scan.results.high: "block" is not what becomes of a finding; use allow, audit or deny`, true},
		{"scan: {definitions: {worst: deny}}", ":4:24: mcp.scan.definitions.worst: unknown key; the keys here are critical, high, medium or low", true},
		{"scan: {patterns: []}", ":4:20: mcp.scan.patterns: the list is empty; write at least one item, or remove the key", true},
		{"scan: {patterns: [{name: a b, regex: x}]}", `:4:28: mcp.scan.patterns[0].name: "a b" is not a name; use up to 64 letters, digits, dots, dashes and underscores`, true},
		{"scan: {patterns: [{name: a, regex: '('}]}", `:4:38: mcp.scan.patterns[0].regex: this is not a regular expression: missing closing ): "("; write RE2, which has no look-around and no back-references`, false},
		{"scan: {patterns: [{name: a, regex: 'x*'}]}", ":4:38: mcp.scan.patterns[0].regex: this is found in every text; write what is to be found", false},
		{"scan: {patterns: [{name: a, regex: x, severity: grave}]}", `:4:51: mcp.scan.patterns[0].severity: "grave" is not a severity; use critical, high, medium or low`, true},
		{"scan: {patterns: [{name: a, regex: x}, {name: a, regex: y}]}", `:4:49: mcp.scan.patterns[1].name: the name "a" is used twice, first on line 4; give each pattern its own name`, false},
	}
	checker := newChecker(t)
	for _, tt := range tests {
		t.Run(tt.block, func(t *testing.T) {
			text := withBlock("allow", tt.block)
			checkProblems(t, text, []string{tt.want})
			if rejected := checker.CheckFile("policy.yaml", []byte(text)) != nil; rejected != tt.schemaToo {
				t.Errorf("the schema rejects it: %v", rejected)
			}
		})
	}
}

// What is empty or switched off is no mistake.
func TestMCPTakes(t *testing.T) {
	checker := newChecker(t)
	for _, block := range []string{
		"servers: []", "denied_servers: []", "allowed_servers: []", "allowed_servers: [{id: '*'}, {id: '%'}]", "allowed_tools: [{server: '*', tool: '*'}]",
		"server_policy: none", "server_policy: none\ndenied_servers: []", "server_policy: allowlist\nallowed_servers: []", "fail_closed: false",
		"native_tools: []", "native_tools: Bash", "native_tools: ['*']", "version_pinning: {}", "version_pinning: {enabled: false, on_change: alert}",
		"rate_limits: {enabled: false, default_rpm: 0.5}", "scan: {results: {low: deny}}", "scan: {patterns: [{name: a, regex: x}]}",
		"tool_policy: allowlist\nallowed_tools: [{tool: a}]\ndenied_tools: [{server: b, tool: a}]",
		`servers:
  - {id: filesystem, type: stdio, command: npx, args: ["@modelcontextprotocol/server-filesystem", "/home/ann"]}
  - {id: legacy, type: sse, url: https://old.example.com/sse, auth: {type: bearer, token: "${LEGACY_TOKEN}"}}
server_policy: allowlist
allowed_servers: [{id: filesystem}, {id: weather}]
denied_servers: []
tool_policy: denylist
allowed_tools: [{server: "*", tool: "*"}]
denied_tools: [{server: weather, tool: "delete_*"}, {server: "*", tool: execute_command}]
fail_closed: true
native_tools: [Bash, Read, Edit, "exec_command"]
version_pinning: {enabled: true, on_change: block, auto_trust_first: true}
rate_limits: {enabled: true, default_rpm: 60, per_server: {weather: {calls_per_minute: 10, burst: 3}}}`,
	} {
		text := withBlock("allow", block)
		mustParse(t, text)
		if err := checker.CheckFile("policy.yaml", []byte(text)); err != nil {
			t.Errorf("the schema rejects %s: %v", block, err)
		}
	}
}

func TestMCPForOthers(t *testing.T) {
	p := mustParse(t, withBlock("allow", `servers:
- {id: fs, type: stdio, command: npx}
- {id: w, type: http, url: "https://h/x"}
version_pinning: {on_change: alert, auto_trust_first: false}`))
	want := &MCP{
		Servers: []Server{
			{ID: "fs", Line: 5, Type: declared.Stdio, Timeout: declared.DefaultTimeout, Command: "npx", Auth: declared.Auth{Type: declared.AuthNone}},
			{ID: "w", Line: 6, Type: declared.HTTP, Timeout: declared.DefaultTimeout, URL: "https://h/x", Auth: declared.Auth{Type: declared.AuthNone}},
		},
		Pinning: Pinning{Enabled: true, OnChange: AlertChanged},
	}
	if diff := cmp.Diff(want, p.MCP()); diff != "" {
		t.Errorf("block (-want +got):\n%s", diff)
	}
	bare := mustParse(t, withBlock("allow", "fail_closed: false"))
	if diff := cmp.Diff(&MCP{Pinning: Pinning{OnChange: BlockChanged, TrustFirst: true}}, bare.MCP()); diff != "" {
		t.Errorf("defaults (-want +got):\n%s", diff)
	}
	if p := mustParse(t, "version: 1\ndefault: allow\n"); p.MCP() != nil {
		t.Errorf("a policy without the block has %+v", p.MCP())
	}
}

func TestScanVerdicts(t *testing.T) {
	defaults := map[ScanKind][]Verdict{ScanDefinitions: {Deny, Audit, Audit, Allow}, ScanResults: {Audit, Audit, Allow, Allow}}
	changed := map[ScanKind][]Verdict{ScanDefinitions: {Deny, Deny, Audit, Allow}, ScanResults: {Audit, Audit, Allow, Deny}}
	for text, want := range map[string]map[ScanKind][]Verdict{
		"version: 1\ndefault: allow\n":                                                defaults,
		withBlock("allow", "fail_closed: true"):                                       defaults,
		withBlock("allow", "scan: {definitions: {high: deny}, results: {low: deny}}"): changed,
		withBlock("allow", "scan: {patterns: [{name: a, regex: x}]}"):                 defaults,
	} {
		s := mustParse(t, text).Scan()
		for kind, verdicts := range want {
			for i, severity := range []scan.Severity{scan.Critical, scan.High, scan.Medium, scan.Low} {
				if got := s.Verdict(kind, severity.String()); got != verdicts[i] {
					t.Errorf("%s: %s in %s: %s, want %s", text, severity, kind, got, verdicts[i])
				}
			}
			if s.Verdict(kind, "") != Allow || s.Verdict(kind, scan.Severity(0).String()) != Allow || s.Verdict(kind, "odd") != verdicts[0] {
				t.Errorf("%s: nothing found, or an odd severity, in %s", text, kind)
			}
		}
	}
}

func TestScanPatterns(t *testing.T) {
	p := mustParse(t, withBlock("allow", "scan: {patterns: [{name: codename, regex: '(?i)bluebird', severity: critical}, {name: b, regex: x}]}"))
	scanner, err := scan.New(scan.Config{Custom: p.Scan().Patterns()})
	if err != nil {
		t.Fatal(err)
	}
	found := scanner.Result(scan.Content{Where: "x", Text: "about BlueBird"})
	if len(found) != 1 || found[0].Rule != "custom.codename" || found[0].Severity != scan.Critical {
		t.Errorf("found %+v", found)
	}
	if s := p.Scan().Patterns()[1].Severity; s != scan.Medium {
		t.Errorf("without a severity it is %s", s)
	}
}

// Every code and reason of weir's own rules is one line that a model can read.
func TestOwnReasonsAreOneLine(t *testing.T) {
	for _, reason := range []string{
		reasonDeniedServer, reasonAllowedServer, reasonDeniedTool, reasonAllowedTool, reasonChanged, reasonUntried, reasonUnknown,
		reasonMisleading, reasonServerRate,
	} {
		if len(reason) > maxReason || strings.ContainsAny(reason, "\n\t") || reason[0] < 'A' || reason[0] > 'Z' {
			t.Errorf("%q", reason)
		}
	}
}
