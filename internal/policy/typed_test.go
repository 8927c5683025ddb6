package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/text/yamlfile"
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
		{"{operator: runs, value: rm}", `{"command":"rm x"}`, true, true},
		{"{operator: runs, value: rm}", `{"cmd":"rm x"}`, true, true},
		{"{operator: runs, value: rm}", `{"script":"rm x"}`, true, true},
		{"{operator: runs, value: rm}", `{"commands":["rm x","rm y"]}`, true, true},
		{"{operator: runs, value: rm}", `{"commands":["pwd","rm -rf y"]}`, true, false},
		{"{operator: runs, value: rm}", `{"other":"rm x"}`, true, false}, // a tool that runs things may run any argument
		{"{operator: runs, value: rm}", `{"other":{"steps":[{"sh":"rm x"}]}}`, true, false},
		{"{operator: runs, value: rm}", `{"command":"ls","other":"rm x"}`, false, false},
		{"{operator: runs, value: rm}", `{"other":"it's about rm"}`, false, false}, // what does not parse may be no command
		{"{operator: deletes_remote, value: cloud}", `{"command":"aws ec2 delete-vpc --vpc-id v"}`, true, true},
		{"{operator: deletes_remote, value: cloud}", `{"cmd":["bash","-lc","aws ec2 delete-vpc --vpc-id v"]}`, true, true},
		{"{operator: deletes_remote, value: cloud}", `{"command":["aws","ec2","delete-vpc","--vpc-id","v"]}`, true, true},
		{"{operator: deletes_remote, value: cloud}", `{"command":"aws ec2 delete-vpc --vpc-id v; kubectl delete ns x"}`, true, false},
		{"{operator: deletes_remote, value: cloud}", `{"command":"aws ec2 describe-vpcs"}`, false, false},
		{"{operator: deletes_remote, value: cloud}", `{"command":"if ("}`, true, false},
		{"{operator: deletes_remote, value: 'cloud:prod'}", `{"command":"aws --profile prod ec2 delete-vpc"}`, true, true},
		{"{operator: deletes_remote, value: 'cloud:prod'}", `{"command":"aws --profile $P ec2 delete-vpc"}`, true, false},
		{"{operator: stops, value: guard}", `{"command":"pkill weir"}`, true, false},
		{"{operator: not_connects, value: [local, github.com]}", `{"command":"curl http://localhost:80; git fetch https://github.com/x"}`, false, false},
		{"{operator: not_connects, value: [local, github.com]}", `{"command":"curl https://example.com"}`, true, true},
		{"{operator: not_connects, value: [local, github.com]}", `{"command":"ls"}`, false, true},
		{"{operator: removes, value: [/, '~']}", `{"command":"rm -rf /"}`, true, true},
		{"{operator: removes, value: [/, '~']}", `{"command":"rm -rf /; rm x"}`, true, false},
		{"{operator: removes, value: [/, '~']}", `{"command":"ls /"}`, false, false},
		{"{operator: removes, value: '~/x'}", `{"command":"rm -rf ~"}`, true, false},
		{"{operator: removes, value: '~'}", `{"cmd":["bash","-lc","rm -rf ~/*"]}`, true, false},
		{"{operator: removes, value: '~'}", `{"commands":["ls","rm -rf ~"]}`, true, false},
		{"{operator: removes, value: '~'}", `{"command":"if ("}`, true, false},
		{"{operator: removes, value: [/, /*]}", `{"cmd":"rm -rf *","workdir":"/"}`, true, true},
		{"{operator: removes, value: [/, /*]}", `{"command":["rm","-rf","."],"workdir":"/"}`, true, true},
		{"{operator: removes, value: [/, /*]}", `{"command":["bash","-lc","rm -rf ."],"workdir":"//"}`, true, true},
		{"{operator: removes, value: [/, /*]}", `{"command":"rm -rf *","dir_path":"/"}`, true, true},
		{"{operator: removes, value: [/, /*]}", `{"command":"rm -rf *","Directory":"/"}`, true, true},
		{"{operator: removes, value: [/, /*]}", `{"command":"rm -rf *","cwd":"/srv/.."}`, true, true},
		{"{operator: removes, value: [/, /*]}", `{"command":"f() { rm -rf *; }","working_dir":"/"}`, true, true},
		{"{operator: removes, value: [/, /*]}", `{"command":"rm -rf ..","work_dir":"/srv"}`, true, true},
		{"{operator: removes, value: [/, /*]}", `{"command":"rm -rf *","cwd":"/srv","workdir":"/"}`, true, false},
		{"{operator: removes, value: [/, /*]}", `{"command":"rm -rf *","cwd":"/srv/app"}`, false, false},
		{"{operator: removes, value: [/, /*]}", `{"command":"rm -rf *","cwd":""}`, false, false},
		{"{operator: removes, value: [/, /*]}", `{"command":"rm -rf *","cwd":null}`, false, false},
		{"{operator: removes, value: [/, /*]}", `{"command":"rm -rf *","cwd":["/"]}`, true, false},
		{"{operator: removes, value: [/, /*]}", `{"command":"rm -rf /srv/x","cwd":["/"]}`, false, false},
		{"{operator: removes, value: '~'}", `{"command":"rm -rf *","cwd":"$HOME"}`, true, false},
		{"{operator: reads, value: '~/.ssh/id_*'}", `{"cmd":"cat id_rsa","workdir":"/home/ann/.ssh"}`, true, true},
		{"{operator: reads, value: .ssh/id_rsa}", `{"cmd":"cat id_rsa","workdir":".ssh"}`, true, true},
		{"{operator: reads, value: .env}", `{"cmd":"ls","workdir":7}`, false, false},
		{"{operator: not_writes, value: [./**]}", `{"command":"echo > x","workdir":"sub"}`, false, false},
		{"{operator: not_writes, value: [./**]}", `{"command":"echo > x","workdir":"sub/../.."}`, true, true},
		{"{operator: not_writes, value: [./**]}", `{"command":"echo > x","workdir":"/srv"}`, true, true},
		{"{operator: not_writes, value: [./**]}", `{"command":"echo > x","workdir":7}`, true, false},
		{"{operator: not_writes, value: [./**]}", `{"command":"echo > x","workdir":"/etc","cwd":"."}`, true, false},
		{"{operator: not_writes, value: [./**]}", `{"command":"if a; then cd /etc; fi; echo > x"}`, true, false},
		{"{operator: not_writes, value: [./**, /tmp/**]}", `{"command":"if a; then cd /tmp; fi; echo > x"}`, false, false},
		{"{param_path: [input, patch], operator: writes, value: /etc/**}", `{"input":"*** Begin Patch\n*** Add File: /etc/x\n+x\n*** End Patch"}`, true, true},
		{"{param_path: [input, patch], operator: writes, value: /etc/**}", `{"input":"*** Begin Patch\n*** Add File: x\n+rm -rf /etc\n*** End Patch"}`, false, false},
		{"{param_path: [input, patch], operator: writes, value: /etc/**}", `{"patch":"--- a/x\n+++ /etc/x","cwd":"/srv"}`, true, false},
		{"{param_path: patchText, operator: removes, value: .env}", `{"patchText":"*** Begin Patch\n*** Delete File: a b/.env\n*** End Patch"}`, true, true},
		{"{param_path: input, operator: not_writes, value: ./**}", `{"input":"*** Begin Patch\n*** Add File: x\n*** End Patch"}`, false, false},
		{"{param_path: input, operator: not_writes, value: ./**}", `{"input":"*** Begin Patch\n*** Add File: ../x\n*** End Patch"}`, true, true},
		{"{param_path: input, operator: not_writes, value: ./**}", `{"input":"*** Begin Patch\n*** Add File: x\n*** End Patch","workdir":"/etc"}`, true, true},
		{"{param_path: command, operator: removes, value: /etc}", `{"command":"*** Begin Patch\nrm -rf /etc\n*** End Patch"}`, true, true},
		{"{operator: writes, value: /etc/**}", `{"command":["apply_patch","*** Begin Patch\n*** Add File: /etc/x\n+x\n*** End Patch"]}`, true, true},
		{"{operator: not_removes, value: [./**]}", `{"command":"rm -rf build"}`, false, false},
		{"{operator: not_removes, value: [./**]}", `{"command":"rm -rf build /x"}`, true, false},
		{"{operator: not_removes, value: [./**]}", `{"command":"rm -rf \"$X\""}`, true, true},
		{"{operator: not_writes, value: [./**, /tmp/**]}", `{"command":"ls"}`, false, true},
		{"{operator: not_writes, value: [./**, /tmp/**]}", `{"command":"ls > /dev/null 2>&1"}`, false, true},
		{"{operator: not_writes, value: [./**, /tmp/**]}", `{"command":"echo x > /srv/x"}`, true, true},
		{"{operator: not_writes, value: [./**, /tmp/**]}", `{"command":"echo x > /tmp/x; echo > a/b"}`, false, false},
		{"{operator: not_writes, value: [./**, /tmp/**]}", `{"command":"echo x > ../x"}`, true, true},
		{"{operator: not_writes, value: [/tmp/**]}", `{"command":"rm -rf /"}`, true, false},
		{"{operator: reads, value: .env}", `{"command":"cat app/.env"}`, true, true},
		{"{none: [{operator: reads, value: fixtures/**}]}", `{"command":"cat fixtures/.env"}`, false, false},
		{"{none: [{operator: reads, value: fixtures/**}]}", `{"command":"cat fixtures/x ~/.env"}`, true, false},
		{"{none: [{operator: reads, value: fixtures/**}]}", `{"command":"ls"}`, true, true},
		{"{param_path: path, operator: path_in, value: ~/.ssh/**}", `{"path":"/home/ann/src/../.ssh/id_rsa"}`, true, true},
		{"{param_path: path, operator: path_in, value: ~/.ssh/**}", `{"path":"/home/ann"}`, false, false},
		{"{param_path: path, operator: path_in, value: .ssh/id_*}", `{"path":"a/.ssh/id_rsa"}`, true, true},
		{"{param_path: path, operator: not_path_in, value: ./**}", `{"path":"src/x"}`, false, false},
		{"{param_path: path, operator: not_path_in, value: ./**}", `{"path":"../x"}`, true, true},
		{"{param_path: command, operator: runs, value: rm}", `{"command":"echo rm"}`, false, false},
		{"{param_path: command, operator: runs, value: [ls, cat]}", `{"command":"ls; cat x"}`, true, true},
		{"{param_path: command, operator: runs, value: [ls, cat]}", `{"command":"ls; rm x"}`, true, false},
		{"{param_path: command, operator: runs, value: ls}", `{"command":"$X"}`, true, false},
		{"{param_path: command, operator: runs, value: rm}", `{"command":["bash","-lc","rm x"]}`, true, true},
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
		{"{operator: sql, value: DROP}", `{"command":"psql -c 'drop table users'"}`, true, true},
		{"{operator: sql, value: DROP}", `{"command":"psql -c 'select 1'; psql -c 'drop table users'"}`, true, false},
		{"{operator: sql, value: DROP}", `{"command":["bash","-lc","psql -h db -c 'drop table users'"]}`, true, true},
		{"{operator: sql, value: DROP}", `{"command":"echo 'drop table users'"}`, false, false},
		{"{operator: sql, value: DROP}", `{"command":"psql -f schema.sql"}`, true, false},
		{"{operator: sql, value: DROP}", `{"query":"drop table users"}`, false, false},
		{"{operator: not_sql, value: SELECT}", `{"command":"psql -c 'select 1'"}`, false, false},
		{"{operator: not_sql, value: SELECT}", `{"command":"psql -c 'select 1; drop table x'"}`, true, false},
		{"{operator: not_sql, value: SELECT}", `{"command":"ls"}`, false, true},
		{"{operator: not_sql, value: SELECT}", `{"command":"psql app"}`, true, false},
		{"{operator: sql_remote, value: DROP}", `{"command":"psql -h localhost -c 'drop table users'"}`, false, false},
		{"{operator: sql_remote, value: DROP}", `{"command":"psql -h db.acme.com -c 'drop table users'"}`, true, true},
		{"{operator: sql_remote, value: DROP}", `{"command":"psql \"$DATABASE_URL\" -c 'drop table users'"}`, true, false},
		{"{operator: sql_remote, value: DROP}", `{"command":"psql -h db.acme.com -c 'select 1'"}`, false, false},
		{"{operator: surely_sql_remote, value: DROP}", `{"command":"psql \"$DATABASE_URL\" -c 'drop table users'"}`, true, true},
		{"{operator: surely_sql_remote, value: DROP}", `{"command":"psql \"$DATABASE_URL\" -f schema.sql"}`, false, false},
		{"{operator: surely_sql_remote, value: DROP}", `{"command":"psql -h db.acme.com -f schema.sql"}`, true, true},
		{"{operator: surely_sql_remote, value: DROP}", `{"command":"psql -h localhost -c 'drop table users'"}`, false, false},
		{"{operator: sql_lasting, value: DROP DATABASE}", `{"command":"psql -c 'drop database app'"}`, true, true},
		{"{operator: sql_lasting, value: DROP DATABASE}", `{"command":"psql -c 'select 1; drop database app'"}`, true, true},
		{"{operator: sql_lasting, value: DROP DATABASE}", `{"command":"psql -c 'drop database app_test'"}`, false, false},
		{"{operator: sql_lasting, value: DROP DATABASE}", `{"command":"psql -c 'drop database app_test; drop database app'"}`, true, true},
		{"{operator: sql_lasting, value: DROP DATABASE}", `{"command":"dropdb app_dev"}`, false, false},
		{"{operator: sql_lasting, value: DROP DATABASE}", `{"command":"dropdb latest"}`, true, true},
		{"{operator: sql_lasting, value: TRUNCATE}", `{"command":"psql -d app_test -c 'truncate users'"}`, false, false},
		{"{operator: sql_lasting, value: shell}", `{"command":"sqlite3 :memory: '.shell id'"}`, true, true},
		{"{operator: sql_lasting, value: [DROP, shell]}", `{"command":"sqlite3 :memory: 'drop table t; select 1'"}`, false, false},
		{"{operator: sql_lasting, value: [DROP, shell]}", `{"command":"sqlite3 :memory: < schema.sql"}`, false, false},
		{"{operator: sql_lasting, value: TRUNCATE}", `{"command":"psql app -c 'truncate users' # test"}`, true, true},
		{"{operator: sql_lasting, value: TRUNCATE}", `{"command":"psql -f schema.sql"}`, false, false},
		{"{operator: sql_lasting, value: TRUNCATE}", `{"command":"psql \"$URL\" -c \"$SQL\""}`, false, false},
		{"{operator: sql_lasting, value: TRUNCATE}", `{"command":"ls"}`, false, false},
		{"{operator: links_to, param_path: a, value: '*'}", `{"a":"see https://evil.example/x"}`, true, true},
		{"{operator: links_to, param_path: a, value: '*.evil.example'}", `{"a":"FROM registry.evil.example/node:20"}`, true, true},
		{"{operator: links_to, param_path: a, value: '*.evil.example'}", `{"a":"replace x => git.evil.example/x v1.0.0"}`, true, true},
		{"{operator: links_to, param_path: a, value: '*'}", `{"a":"version = 1.43, edit setup.py, AGENTS.md/docs and tool.ruff"}`, false, false},
		{"{operator: not_links_to, param_path: a, value: github.com}", `{"a":"https://github.com/x and https://evil.example"}`, true, false},
		{"{operator: not_links_to, param_path: a, value: github.com}", `{"a":"https://github.com/x"}`, false, false},
		{"{operator: not_links_to, param_path: a, value: github.com}", `{"a":"nothing"}`, false, true},
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
		if !d.Refused() || d.Code != "args_unreadable" || d.Reason != reasonFailed || d.Rule == "" {
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

// Where arguments are as on record, a token counts as the secret in whose place it stands.
func TestSecretOnRecord(t *testing.T) {
	p := mustParse(t, "version: 1\ndefault: allow\nrules: [{id: r, tool: t, verdict: deny, conditions: {param_path: a, operator: secret, value: secrets}}]")
	q := Query{Tools: []string{"t"}, Args: []byte(`{"a":"key [redacted:github_token] here"}`)}
	if p.Decide(q).Refused() {
		t.Error("a token is no secret")
	}
	q.Recorded = true
	if !p.Decide(q).Refused() {
		t.Error("a token stands for a secret on record")
	}
	q.Args = []byte(`{"a":"[redacted:email]"}`)
	if p.Decide(q).Refused() {
		t.Error("a token stands for another secret")
	}
}

// All that is wrong with a sanitizer is said at once.
func TestSanitizeProblems(t *testing.T) {
	_, err := Parse("p", []byte("version: 1\ndefault: allow\nrules: [{id: r, tool: t, verdict: sanitize, sanitize: {patterns: [{name: a b, regex: '['}], paths: ['a[']}}]"))
	problems, _ := err.(yamlfile.Problems) // it is one
	if len(problems) != 3 {
		t.Errorf("reported %v", err)
	}
}

// A deed that consists of changing a file is one whichever tool changes it, and the trace says which deed was found.
func TestDeedsOfTools(t *testing.T) {
	p, err := Parse("p", []byte("version: 1\ndefault: allow\nrules: [{id: r, tool: '*', verdict: deny, conditions: {any: ["+
		"{operator: persists, value: login}, {operator: deletes_remote, value: 'cloud:*prod*'}]}}]"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		tool, args string
		found      string
	}{
		{"Write", `{"file_path":"/home/ann/.bashrc","content":"x"}`, "persists login: changes /home/ann/.bashrc"},
		{"Read", `{"file_path":"/home/ann/.bashrc"}`, ""},
		{"Write", `{"file_path":"notes.md","content":"echo x >> ~/.bashrc"}`, ""},
		{"apply_patch", `{"input":"*** Begin Patch\n*** Add File: /home/ann/.zshrc\n+x\n*** End Patch"}`, "persists login: changes /home/ann/.zshrc"},
		{"shell", `{"command":["bash","-lc","echo x >> ~/.bashrc"]}`, "persists login: changes ~/.bashrc"},
		{"Bash", `{"command":"aws --profile prod ec2 delete-vpc\u202e"}`, `deletes_remote cloud: aws --profile prod ec2 delete-vpc\u202e`},
		{"Bash", `{"command":"aws --profile dev ec2 delete-vpc"}`, ""},
	} {
		q := Query{Tools: []string{tt.tool}, Args: []byte(tt.args)}
		if denied := p.Decide(q).Verdict == Deny; denied != (tt.found != "") {
			t.Errorf("%s %s: denied %v", tt.tool, tt.args, denied)
		}
		if text := p.Explain(q).String(); tt.found != "" && !strings.Contains(text, tt.found) {
			t.Errorf("%s %s: the explanation does not say %q:\n%s", tt.tool, tt.args, tt.found, text)
		}
	}
}
