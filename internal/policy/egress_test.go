package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
)

// connecting is a connection with the given arguments.
func connecting(args string) Query {
	return Query{Surface: call.Egress, Tools: []string{string(call.Connect)}, Args: []byte(args)}
}

const connectionRules = `
version: 1
default: deny
rules:
  - {id: no-metadata, surface: egress, verdict: deny, conditions: {param_path: address, operator: cidr_in, value: [169.254.0.0/16, "fe80::/10"]}}
  - {id: no-evil, surface: egress, verdict: deny, reason: Not there., conditions: {param_path: host, operator: equals, value: evil.example}}
  - {id: ours, surface: egress, tool: connect, verdict: allow, conditions: {param_path: host, operator: host_in, value: ["*.example.com", example.com]}}
  - {id: named, surface: egress, verdict: allow, conditions: {param_path: host, operator: in, value: [a.test, b.test]}}
  - {id: low-ports, surface: egress, verdict: deny, conditions: {all: [{param_path: port, operator: lt, value: 1024}, {param_path: loopback, operator: equals, value: true}]}}
  - {id: no-udp, surface: egress, verdict: deny, conditions: {param_path: protocol, operator: equals, value: udp}}
  - {id: curl, surface: egress, verdict: audit, conditions: {param_path: process, operator: equals, value: curl}}
  - {id: names, surface: egress, tool: resolve, verdict: audit, conditions: {param_path: host, operator: ends_with, value: .test}}
  - {id: by-words, surface: egress, verdict: deny, conditions: {operator: expr, value: 'has(args.host) && args.host.contains("words")'}}
  - {id: git, surface: egress, server: git, verdict: allow}
  - {id: shell, tool: Bash, verdict: allow}
  - {id: not-ann, surface: [response, mcp, egress], tool: "*", who: {employee: ann}, verdict: deny}
`

func TestConnections(t *testing.T) {
	p := mustParse(t, connectionRules)
	const denied, none = call.CodeConnectionDenied, "No rule allows this connection."
	ask := func(args string, change func(*Query)) Query {
		q := connecting(args)
		q.Fallback = Deny
		if change != nil {
			change(&q)
		}
		return q
	}
	resolve := func(q *Query) { q.Tools = []string{string(call.Resolve)} }
	for name, tt := range map[string]struct {
		query Query
		want  Decision
	}{
		"no rule":               {ask(`{"host":"x.example"}`, nil), Decision{Verdict: Deny, Code: denied, Reason: none}},
		"no rule, no fallback":  {connecting(`{"host":"x.example"}`), Decision{Verdict: Allow}},
		"no rule, to be told":   {ask(`{"host":"x.example"}`, func(q *Query) { q.Fallback = Audit }), Decision{Verdict: Audit}},
		"an odd fallback":       {ask(`{"host":"x.example"}`, func(q *Query) { q.Fallback = "perhaps" }), Decision{Verdict: Deny, Code: denied, Reason: none}},
		"no arguments":          {ask(``, nil), Decision{Verdict: Deny, Code: denied, Reason: none}},
		"allowed by name":       {ask(`{"host":"a.Example.com.","address":"192.0.2.1","port":443}`, nil), Decision{Verdict: Allow, Rule: "ours"}},
		"all names allowed":     {ask(`{"host":["a.example.com","example.com"]}`, nil), Decision{Verdict: Allow, Rule: "ours"}},
		"one name of two":       {ask(`{"host":["a.example.com","x.example"]}`, nil), Decision{Verdict: Deny, Code: denied, Reason: none}},
		"in, all of two":        {ask(`{"host":["a.test","b.test"]}`, nil), Decision{Verdict: Allow, Rule: "named"}},
		"in, one of two":        {ask(`{"host":["a.test","c.test"]}`, nil), Decision{Verdict: Deny, Code: denied, Reason: none}},
		"no name":               {ask(`{"address":"192.0.2.1"}`, nil), Decision{Verdict: Deny, Code: denied, Reason: none}},
		"an empty list":         {ask(`{"host":[]}`, nil), Decision{Verdict: Deny, Code: denied, Rule: "by-words", Reason: reasonConnectionUnproven}},
		"the act is another":    {ask(`{"host":"a.example.com"}`, resolve), Decision{Verdict: Deny, Code: denied, Reason: none}},
		"looked up":             {ask(`{"host":"c.test"}`, resolve), Decision{Verdict: Audit, Rule: "names"}},
		"denied by address":     {ask(`{"host":"a.example.com","address":"169.254.169.254"}`, nil), Decision{Verdict: Deny, Code: denied, Rule: "no-metadata", Reason: reasonConnection}},
		"denied by IPv6":        {ask(`{"address":"fe80::1","port":80}`, nil), Decision{Verdict: Deny, Code: denied, Rule: "no-metadata", Reason: reasonConnection}},
		"denied by a zone":      {ask(`{"address":"fe80::1%eth0","port":80}`, nil), Decision{Verdict: Deny, Code: denied, Rule: "no-metadata", Reason: reasonConnection}},
		"with a reason":         {ask(`{"host":"evil.example"}`, nil), Decision{Verdict: Deny, Code: denied, Rule: "no-evil", Reason: "Not there."}},
		"equals, one of two":    {ask(`{"host":["a.example.com","evil.example"]}`, nil), Decision{Verdict: Deny, Code: denied, Rule: "no-evil", Reason: "Not there."}},
		"expression, one":       {ask(`{"host":"many.words"}`, nil), Decision{Verdict: Deny, Code: denied, Rule: "by-words", Reason: reasonConnection}},
		"expression, of two":    {ask(`{"host":["a.test","many.words"]}`, nil), Decision{Verdict: Deny, Code: denied, Rule: "by-words", Reason: reasonConnection}},
		"flagged, and allowed":  {ask(`{"host":"a.test","process":"curl"}`, nil), Decision{Verdict: Audit, Rule: "curl"}},
		"a low port":            {ask(`{"address":"127.0.0.1","port":80,"loopback":true}`, nil), Decision{Verdict: Deny, Code: denied, Rule: "low-ports", Reason: reasonConnection}},
		"a datagram":            {ask(`{"host":"a.test","protocol":"udp"}`, nil), Decision{Verdict: Deny, Code: denied, Rule: "no-udp", Reason: reasonConnection}},
		"of a server":           {ask(`{"host":"x.example"}`, func(q *Query) { q.Server = "git" }), Decision{Verdict: Allow, Rule: "git"}},
		"of another server":     {ask(`{"host":"x.example"}`, func(q *Query) { q.Server = "hub" }), Decision{Verdict: Deny, Code: denied, Reason: none}},
		"of somebody":           {ask(`{"host":"a.test"}`, func(q *Query) { q.Actor.Employee = "Ann" }), Decision{Verdict: Deny, Code: denied, Rule: "not-ann", Reason: reasonConnection}},
		"a tool's name":         {ask(`{}`, func(q *Query) { q.Tools = []string{"Bash"} }), Decision{Verdict: Deny, Code: denied, Reason: none}},
		"no act":                {ask(`{}`, func(q *Query) { q.Tools = nil }), Decision{Verdict: Deny, Code: denied, Reason: reasonNameless}},
		"unreadable":            {ask(`{"host":`, nil), Decision{Verdict: Deny, Code: denied, Reason: reasonConnectionUnproven}},
		"unreadable, no matter": {connecting(`[]`), Decision{Verdict: Deny, Code: denied, Reason: reasonConnectionUnproven}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, p.Decide(tt.query), sameDuties); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			checkExplained(t, connectionRules, p, tt.query)
		})
	}
	if d := p.Decide(Query{Tools: []string{"connect"}}); !d.Refused() || d.Code != call.CodeToolDenied {
		t.Errorf("a tool of that name is taken for a connection: %+v", d)
	}
}

// An expression that cannot be evaluated for one of the names refuses, whatever it says of the others.
func TestConnectionExpressionFails(t *testing.T) {
	p := mustParse(t, "version: 1\ndefault: allow\nrules: [{id: r, surface: egress, verdict: allow, conditions: {operator: expr, value: 'args.host == \"a\" && args.port > 1'}}]")
	for args, want := range map[string]bool{
		`{"host":"a"}`: true, `{"host":"b"}`: false, `{"host":["b","a"]}`: true, `{"host":["a","b"]}`: true, `{"host":["b","a"],"port":2}`: false, `{}`: true,
	} {
		d := p.Decide(connecting(args))
		if d.Refused() != want || want && (d.Code != call.CodeConnectionDenied || d.Reason != reasonConnectionUnproven || d.Rule != "r") {
			t.Errorf("%s: %+v", args, d)
		}
	}
}

// The lists of servers hold for connections that are a server's. Nothing else of the block does.
func TestConnectionsMeetTheBlock(t *testing.T) {
	const lists = "server_policy: allowlist\nallowed_servers: [{id: fs}]\ndenied_servers: [{id: evil}]"
	for name, tt := range map[string]struct{ block, server, code, rule string }{
		"denied":        {lists, "evil", call.CodeServerDenied, ruleDeniedServers},
		"not listed":    {lists, "other", call.CodeServerDenied, ruleAllowedServers},
		"listed":        {lists, "FS", "", ""},
		"of no server":  {lists, "", "", ""},
		"denied at all": {"denied_servers: [{id: '*'}]", "fs", call.CodeServerDenied, ruleDeniedServers},
		"none at all":   {"denied_servers: [{id: '*'}]", "", "", ""},
		"closed":        {"fail_closed: true", "", "", ""},
		"closed to one": {"fail_closed: true", "fs", "", ""},
		"tools":         {"denied_tools: [{tool: connect}, {server: fs, tool: '*'}]", "fs", "", ""},
		"other tools":   {"tool_policy: allowlist\nallowed_tools: []", "fs", "", ""},
		"pins":          {"version_pinning: {auto_trust_first: false}", "fs", "", ""},
		"rates":         {"rate_limits: {default_rpm: 1}", "fs", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := mustParse(t, withBlock("deny", tt.block))
			q := connecting(`{"host":"a.example"}`)
			q.Server = tt.server
			q.Known = []call.Known{known("fs", "connect", "changed", "critical")}
			d := p.Decide(q)
			if d.Code != tt.code || d.Rule != tt.rule || d.Refused() != (tt.code != "") || d.Obligations != nil {
				t.Errorf("%+v", d)
			}
			checkExplained(t, tt.block, p, q)
		})
	}
}

// A rate counts connections as it counts calls.
func TestConnectionRate(t *testing.T) {
	p := mustParse(t, "version: 1\ndefault: allow\nrules: [{id: slow, surface: egress, verdict: allow, rate_limit: {calls_per_minute: 60, per: [session, server]}}]")
	d := p.Decide(connecting(`{"host":"a.example"}`))
	if d.Refused() || d.Obligations == nil || len(d.Obligations.Rates) != 1 || d.Obligations.Rates[0].OnResponse {
		t.Errorf("%+v", d)
	}
}

func TestConnectionRuleProblems(t *testing.T) {
	const (
		noPart  = "a connection has no such part; use host, address, port, protocol, loopback or process, or $ for all of them"
		twoOf   = "the conditions would be about arguments on one surface and about connections on egress; write two rules, one for surface: egress"
		missing = `:4:5: rules[0]: the key "tool" is missing; add it`
	)
	for name, tt := range map[string]struct {
		rule []string
		want []string
	}{
		"an empty tool":      {[]string{"surface: egress", "verdict: deny", "tool: []"}, []string{":7:11: rules[0].tool: the list is empty; write at least one item, or remove the key"}},
		"another tool":       {[]string{"surface: egress", "verdict: deny", "tool: [Bash, 'mcp__*']"}, []string{":7:11: rules[0].tool: no act on the surface egress has such a name; use connect or resolve, or leave tool out to mean both"}},
		"another path":       {[]string{"surface: egress", "verdict: deny", "conditions: {param_path: url, operator: exists}"}, []string{":7:30: rules[0].conditions.param_path: " + noPart}},
		"one path of two":    {[]string{"surface: egress", "verdict: deny", "conditions: {param_path: [host, '**.x'], operator: exists}"}, []string{":7:37: rules[0].conditions.param_path[1]: " + noPart}},
		"a place in it":      {[]string{"surface: egress", "verdict: deny", "conditions: {param_path: 'host[*]', operator: exists}"}, []string{":7:30: rules[0].conditions.param_path: " + noPart}},
		"a part of it":       {[]string{"surface: egress", "verdict: deny", "conditions: {param_path: host.name, operator: exists}"}, []string{":7:30: rules[0].conditions.param_path: " + noPart}},
		"a command":          {[]string{"surface: egress", "verdict: deny", "conditions: {operator: runs, value: x}"}, []string{`:7:17: rules[0].conditions: "runs" needs a param_path; name the parameter, or write $ for all of them`}},
		"two surfaces":       {[]string{"surface: [mcp, egress]", "tool: '*'", "verdict: deny", "conditions: {param_path: x, operator: exists}"}, []string{":5:14: rules[0].surface: " + twoOf}},
		"no tool":            {[]string{"surface: [mcp, egress]", "verdict: deny"}, []string{missing}},
		"no tool, no egress": {[]string{"surface: mcp", "verdict: deny"}, []string{missing}},
		"nowhere":            {[]string{"surface: []", "verdict: deny"}, []string{missing, ":5:14: rules[0].surface: the list is empty; write at least one item, or remove the key"}},
		"sanitize":           {[]string{"surface: egress", "verdict: sanitize", "sanitize: {presets: email}"}, []string{":6:14: rules[0].verdict: nothing can be replaced in a connection; use allow, audit or deny for surface: egress, in a rule of its own"}},
		"sanitize elsewhere": {[]string{"surface: [mcp, egress]", "tool: x*", "verdict: cap_cost", "cap_cost: {limit: 1, per: session, window: 1h}"}, []string{
			":6:11: rules[0].tool: no act on the surface egress has such a name; use connect or resolve, or leave tool out to mean both",
			":7:14: rules[0].verdict: a connection has no cost of its own; use allow, audit or deny for surface: egress, in a rule of its own",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			checkProblems(t, withRule(append([]string{"id: r"}, tt.rule...)...), tt.want)
		})
	}
	for _, id := range []string{"weir.x", "WEIR.canary", "egress.models", "mcp.x"} {
		if _, err := Parse("p", []byte(withRule("id: "+id, "tool: x", "verdict: deny"))); err == nil {
			t.Errorf("the id %s is taken", id)
		}
	}
	for _, fine := range []string{"tool: '*'", "tool: [Bash, resolve]", "tool: 'con%'", "conditions: {param_path: [Host, $, '**.port'], operator: contains, value: x}", "server: git", "who: {team: a}"} {
		mustParse(t, withRule("id: r", "surface: egress", "verdict: audit", fine))
	}
}
