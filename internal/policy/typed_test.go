package policy

import (
	"fmt"
	"testing"
)

// decideOne decides a call of Bash by one rule.
func decideOne(t *testing.T, fallback, verdict, condition, args string) Decision {
	t.Helper()
	text := fmt.Sprintf("version: 1\ndefault: %s\nrules: [{id: r, tool: Bash, verdict: %s, conditions: {all: [%s]}}]", fallback, verdict, condition)
	p, err := Parse("p", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p.Decide(Query{Tools: []string{"Bash"}, Args: []byte(args)})
}

// A typed operator in a rule that refuses holds if it might; in one that allows, only if it does for certain and for all.
func TestTypedOperators(t *testing.T) {
	for _, tt := range []struct {
		condition string
		args      string
		denies    bool // as the condition of a deny
		allows    bool // as the condition of an allow, where the default is deny
	}{
		{"{param_path: command, operator: runs, value: rm}", `{"command":"cd /tmp && rm -rf x"}`, true, false},
		{"{param_path: command, operator: runs, value: rm}", `{"command":"echo rm"}`, false, false},
		{"{param_path: command, operator: runs, value: [ls, cat]}", `{"command":"ls; cat x"}`, true, true},
		{"{param_path: command, operator: runs, value: [ls, cat]}", `{"command":"ls; rm x"}`, true, false},
		{"{param_path: command, operator: runs, value: ls}", `{"command":"$X"}`, true, false},
		{"{param_path: command, operator: runs, value: rm}", `{"command":["bash","-lc","rm x"]}`, true, false},
		{"{param_path: command, operator: runs, value: bash}", `{"command":["bash","-lc","echo x"]}`, true, false},
		{"{param_path: $, operator: runs, value: rm}", `{"a":{"b":["x",{"c":"rm x"}]}}`, true, false},
		{"{param_path: command, operator: not_runs, value: [ls, cat]}", `{"command":"ls; cat x"}`, false, false},
		{"{param_path: command, operator: not_runs, value: [ls, cat]}", `{"command":"ls; rm x"}`, true, false},
		{"{param_path: command, operator: not_runs, value: [rm]}", `{"command":"ls; cat x"}`, true, true},
		{"{param_path: command, operator: not_runs, value: [rm]}", `{"command":"$X"}`, true, false},
		{"{param_path: command, operator: not_runs, value: [rm]}", `{}`, true, true},
		{"{param_path: command, operator: runs, value: [rm]}", `{}`, false, false},
		{"{param_path: url, operator: host_in, value: ['*.example.com', example.com]}", `{"url":"https://API.example.com:443/x"}`, true, true},
		{"{param_path: url, operator: host_in, value: example.com}", `{"url":"https://example.com@evil.com/"}`, false, false},
		{"{param_path: url, operator: not_host_in, value: example.com}", `{"url":"https://example.com@evil.com/"}`, true, true},
		{"{param_path: url, operator: not_host_in, value: example.com}", `{"url":"https://example.com/"}`, false, false},
		{"{param_path: url, operator: cidr_in, value: [127.0.0.0/8, 169.254.0.0/16]}", `{"url":"http://2130706433/"}`, true, true},
		{"{param_path: url, operator: cidr_in, value: 10.0.0.0/8}", `{"url":"http://11.0.0.1/"}`, false, false},
		{"{param_path: path, operator: within, value: /srv/app}", `{"path":"/srv/app/../../etc/passwd"}`, false, false},
		{"{param_path: path, operator: not_within, value: /srv/app}", `{"path":"/srv/app/../../etc/passwd"}`, true, true},
		{"{param_path: path, operator: within, value: [/srv/app, /tmp]}", `{"path":"file:///srv/app/a%20b"}`, true, true},
		{"{param_path: 'paths[*]', operator: within, value: /srv}", `{"paths":["/srv/a","/etc"]}`, true, false},
		{"{param_path: query, operator: sql, value: [DROP, DELETE without WHERE]}", `{"query":"/* x */ drop table users"}`, true, true},
		{"{param_path: query, operator: sql, value: DROP}", `{"query":"select 'drop table users'"}`, false, false},
		{"{param_path: query, operator: not_sql, value: read}", `{"query":"select 1; delete from t"}`, true, false},
		{"{param_path: query, operator: sql, value: read}", `{"query":"select 1"}`, true, true},
		{"{param_path: $, operator: secret, value: [aws_access_key, email]}", `{"a":{"b":"key AKIAIOSFODNN7EXAMPLE"}}`, true, true},
		{"{param_path: $, operator: secret, value: credit_card}", `{"n":"4111 1111 1111 1112"}`, false, false},
		{"{operator: expr, value: 'has(args.amount) && args.amount > 100'}", `{"amount":250}`, true, true},
		{"{operator: expr, value: 'has(args.amount) && args.amount > 100'}", `{"amount":2}`, false, false},
		{"{operator: expr, value: 'tool == \"Bash\" && server == \"\"'}", `{}`, true, true},
	} {
		if got := decideOne(t, "allow", "deny", tt.condition, tt.args).Refused(); got != tt.denies {
			t.Errorf("deny if %s: refuses %s: %v", tt.condition, tt.args, got)
		}
		if got := !decideOne(t, "deny", "allow", tt.condition, tt.args).Refused(); got != tt.allows {
			t.Errorf("allow if %s: passes %s: %v", tt.condition, tt.args, got)
		}
	}
}

// An expression that cannot be evaluated refuses the call, whatever its rule would do.
func TestExprFails(t *testing.T) {
	for _, verdict := range []string{"deny", "audit", "allow"} {
		d := decideOne(t, "allow", verdict, "{operator: expr, value: 'args.missing > 1'}", `{}`)
		if !d.Refused() || d.Code != "args_unreadable" {
			t.Errorf("%s: decided %+v", verdict, d)
		}
	}
}

// Expressions see a tool of a server under its own name.
func TestExprServer(t *testing.T) {
	p, err := Parse("p", []byte(`version: 1
default: allow
rules: [{id: r, tool: "*", verdict: deny, conditions: {operator: expr, value: 'server == "fs" && tool == "write" && actor.team == "core"'}}]`))
	if err != nil {
		t.Fatal(err)
	}
	q := Query{Tools: []string{"mcp__fs__write"}}
	q.Actor.Team = "core"
	if !p.Decide(q).Refused() {
		t.Error("not refused")
	}
	q.Actor.Team = "other"
	if p.Decide(q).Refused() {
		t.Error("refused for another team")
	}
}
