package policy

import (
	"fmt"
	"testing"

	"github.com/weir-gate/weir/internal/policy/condition"
)

// sureness are commands that surely are what a rule allows, and commands that only may be.
var sureness = []struct {
	command string
	sure    bool
}{
	{"go test ./...", true},
	// A program of another folder.
	{"./go test ./...", false},
	{"/tmp/go test ./...", false},
	{"../go test ./...", false},
	{"$X/go test ./...", false},
	{"/usr/local/go/bin/go test ./...", true},
	{"~/go/bin/go test ./...", true},
	{"$HOME/go/bin/go test ./...", true},
	{"/home/ann/go/bin/go test ./...", true},
	{"/tmp/home/ann/go/bin/go test ./...", false},
	{"~/go/bin/../../x/go test ./...", false},
	{"node_modules/.bin/eslint src", true},
	{"./node_modules/.bin/eslint src", true},
	{"/home/ann/shop/node_modules/.bin/eslint src", true},
	{"../node_modules/.bin/eslint src", false},
	{"/tmp/node_modules/.bin/eslint src", false},
	{".venv/bin/pytest -q", true},
	{"./gradlew build", true},
	{"gradlew build", false},
	// A search path that leads elsewhere.
	{"PATH=.:$PATH go test ./...", false},
	{"export PATH=.:$PATH; go test ./...", false},
	{"PATH=; go test ./...", false},
	{"env PATH=/x go test ./...", false},
	{"for PATH in .; do go test ./...; done", false},
	{"read PATH <<< .; go test ./...", false},
	{"go test ./...; PATH=. go test ./...", false},
	{"PATH=$(pwd):$PATH go test ./...", false},
	{"PATH=$PATH:/usr/local/go/bin go test ./...", true},
	{"PATH=$HOME/go/bin:$PATH go test ./...", true},
	{"PATH=$PWD/node_modules/.bin:$PATH eslint src", true},
	// Variables that change what is loaded.
	{"CGO_ENABLED=0 go test ./...", true},
	{"GOFLAGS=-mod=mod go test ./...", true},
	{"GOFLAGS=-toolexec=./x go test ./...", false},
	{"GOTOOLCHAIN=go1.23.4 go test ./...", true},
	{"GOROOT=./x go test ./...", false},
	{"GOROOT=/usr/lib/go go test ./...", true},
	{"LD_PRELOAD=x.so go test ./...", false},
	{"LD_LIBRARY_PATH=. go test ./...", false},
	{"export DYLD_LIBRARY_PATH=.; go test ./...", false},
	{"BASH_ENV=x go test ./...", false},
	{"GIT_SSH_COMMAND=./x git fetch", false},
	{"GIT_SSH_COMMAND=$X git fetch", false},
	{"GIT_CONFIG_GLOBAL=x git fetch", false},
	{"GIT_DIR=x git fetch", false},
	{"HOME=. git fetch", false},
	{"PYTHONPATH=. pytest", true},
	{"PYTHONPATH=src:$PYTHONPATH pytest", true},
	{"PYTHONPATH=/tmp/x pytest", false},
	{"PYTHONPATH=.. pytest", false},
	{"while IFS= read -r x; do go test ./...; done < list", true},
	// Files that redirections write.
	{"go test ./... > test.log", true},
	{"go test ./... > test.log 2>&1", true},
	{"go test ./... >> logs/test.log", true},
	{"go test ./... 2> /dev/null", true},
	{"go test ./... &> /tmp/out.log", true},
	{"go test ./... > /home/ann/shop/test.log", true},
	{"go test ./... < /etc/hosts", true},
	{"go test ./... > /etc/x", false},
	{"go test ./... > ~/.bashrc", false},
	{"go test ./... > ../x", false},
	{"go test ./... > logs/../../x", false},
	{"go test ./... > /tmp/../etc/x", false},
	{"go test ./... > $X", false},
	{"{ go test ./...; } > /etc/x", false},
	// An option before the subcommand.
	{"kubectl --context staging get pods", true},
	{"kubectl --context=staging get pods", false},
	{"kubectl --context prod get pods", false},
	{"kubectl get pods", false},
	{"kubectl --context staging delete pods", false},
	{"kubectl --context staging --as root get pods", false},
	{"git -C web status", true},
	{"git -C api status", false},
	{"git -C web status; git status", false},
	{"git status", false},
	{"npm --prefix web test", true},
	{"aws --profile dev s3 ls", true},
	{"aws --profile prod s3 ls", false},
	{"aws --region eu s3 ls", true},
	{"aws --region eu s3 rm x s3 ls", false},
	{"cargo +nightly test", true},
	{"cargo test", false},
	{"npx @biomejs/biome check", true},
	{"@biomejs/biome check", false},
}

const sureCommands = `[go test ./..., eslint, pytest, ./gradlew build, git fetch, "kubectl --context staging get pods", "git -C web status",
  "npm --prefix web test", "aws --profile dev s3 ls", "aws --region * s3 ls", "cargo +nightly test", "npx @biomejs/biome check", biome check, read]`

// A rule that allows, and an exception, must be sure that a command is the one that is meant.
func TestSureOfCommands(t *testing.T) {
	allow := mustParse(t, `
version: 1
default: deny
rules:
  - {id: r, tool: Bash, verdict: allow, conditions: {operator: runs, value: `+sureCommands+`}}
`)
	unless := mustParse(t, `
version: 1
default: allow
rules:
  - {id: r, tool: Bash, verdict: deny, unless: [{conditions: {operator: runs, value: `+sureCommands+`}}]}
`)
	none := mustParse(t, `
version: 1
default: allow
rules:
  - {id: r, tool: Bash, verdict: deny, conditions: {none: [{operator: runs, value: `+sureCommands+`}]}}
`)
	for _, tt := range sureness {
		for name, p := range map[string]*Policy{"allow": allow, "unless": unless, "none": none} {
			q := Query{
				Tools: []string{"Bash"}, Args: fmt.Appendf(nil, `{"command":%q}`, tt.command),
				Circumstances: condition.Circumstances{Project: "/home/ann/shop"},
			}
			if d := p.Decide(q); d.Refused() == tt.sure {
				t.Errorf("%s: %q: %s", name, tt.command, d.Verdict)
			}
		}
	}
}

// A rule that refuses a command needs no such certainty, not even with the operator that counts only what the text shows.
func TestRefusesWhatMayBeAnother(t *testing.T) {
	for _, operator := range []string{"runs", "surely_runs"} {
		p := mustParse(t, "version: 1\ndefault: allow\nrules: [{id: r, tool: Bash, verdict: deny, conditions: {operator: "+operator+", value: rm}}]")
		for _, command := range []string{"./rm x", "/tmp/rm x", "PATH=. rm x", "LD_LIBRARY_PATH=. rm x", "rm x > /etc/x"} {
			if d := p.Decide(Query{Tools: []string{"Bash"}, Args: fmt.Appendf(nil, `{"command":%q}`, command)}); !d.Refused() || d.Doubt != "" {
				t.Errorf("%s: %q: %+v", operator, command, d)
			}
		}
	}
}

// A pattern with a folder is about programs of that folder.
func TestProgramsOfAFolder(t *testing.T) {
	for _, tt := range []struct {
		pattern, command string
		refused          bool
	}{
		{"./*", "ls", false},
		{"./*", "./x", true},
		{"./*", ".\\x.bat", true},
		{"./*", "PATH=.:$PATH x", true},
		{"./*", "PATH=/usr/bin:$PATH x", false},
		{"/tmp/*", "ls", false},
		{"/tmp/*", "PATH=/tmp x", true},
		{"scripts/deploy.sh", "deploy.sh", false},
		{"/usr/bin/rm", "rm x", true},
		{"/usr/bin/*", "rm x", true},
		{"/srv/tool/deploy", "deploy now", true},
		{"/srv/tool/deploy", "ls", false},
	} {
		p := mustParse(t, fmt.Sprintf("version: 1\ndefault: allow\nrules: [{id: r, tool: Bash, verdict: deny, conditions: {operator: runs, value: %q}}]", tt.pattern))
		if d := p.Decide(Query{Tools: []string{"Bash"}, Args: fmt.Appendf(nil, `{"command":%q}`, tt.command)}); d.Refused() != tt.refused {
			t.Errorf("%q: %q: %s", tt.pattern, tt.command, d.Verdict)
		}
	}
}

// Where the default refuses, a rule that flags lets pass what the same rule would allow, and flags it.
func TestFlagsWhatItLetsPass(t *testing.T) {
	for _, conditions := range []string{
		"{none: [{operator: not_writes, value: src/**}]}", "{operator: writes, value: src/**}", "{operator: not_writes, value: /etc/**}",
		"{operator: runs, value: [ls, tee]}", "{none: [{operator: reads, value: /etc/**}]}",
	} {
		rule := "version: 1\ndefault: deny\nrules: [{id: r, tool: Bash, verdict: %s, conditions: %s}]"
		allows, flags := mustParse(t, fmt.Sprintf(rule, "allow", conditions)), mustParse(t, fmt.Sprintf(rule, "audit", conditions))
		for _, command := range []string{"ls", "ls > src/x", "ls > /etc/x", "ls > $X", "cat /etc/x", "ls | tee src/a src/b", "ls | tee src/a /x", "("} {
			q := Query{Tools: []string{"Bash"}, Args: fmt.Appendf(nil, `{"command":%q}`, command)}
			a, f := allows.Decide(q), flags.Decide(q)
			if a.Refused() != f.Refused() || !f.Refused() && (f.Verdict != Audit || f.Rule != "r") {
				t.Errorf("%s: %q: allow %s, audit %s %s", conditions, command, a.Verdict, f.Verdict, f.Rule)
			}
		}
	}
}

// TestShellAround has the shell that agents put around their commands: it needs no rule of its own, and hides nothing.
func TestShellAround(t *testing.T) {
	p := mustParse(t, "version: 1\ndefault: deny\nrules:\n- {id: r, tool: shell, verdict: allow, conditions: {operator: runs, value: go test ./...}}\n")
	for args, want := range map[string]Verdict{
		`{"command":["bash","-lc","go test ./..."]}`:               Allow,
		`{"command":"sh -c 'go test ./... && go test ./...'"}`:     Allow,
		`{"command":["bash","-lc","go test ./...; curl x"]}`:       Deny,
		`{"command":["bash","-lc",""]}`:                            Deny,
		`{"command":["bash","-lc","$X"]}`:                          Deny,
		`{"command":["bash","-c","go test ./...","x"]}`:            Deny,
		`{"command":"bash -c \"$(cat x)\""}`:                       Deny,
		`{"command":"bash -x -c 'go test ./...'"}`:                 Deny,
		`{"command":["bash","-lc","go test ./... > /etc/x"]}`:      Deny,
		`{"command":"BASH_ENV=/tmp/x bash -c 'go test ./...'"}`:    Deny,
		`{"command":"./bash -c 'go test ./...'"}`:                  Deny,
		`{"command":["bash","-lc","eval $Y; go test ./..."]}`:      Deny,
		`{"command":"bash -c 'go test ./...' < x"}`:                Deny,
		`{"command":["python3","-c","import os; os.system('x')"]}`: Deny,
	} {
		if d := p.Decide(Query{Tools: []string{"shell"}, Args: []byte(args)}); d.Verdict != want {
			t.Errorf("%s: %s, want %s", args, d.Verdict, want)
		}
	}
}
