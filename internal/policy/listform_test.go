package policy

import (
	"fmt"
	"strings"
	"testing"
)

// A command in list form is judged as one command, also under none and by operators that negate.
func TestListFormIsOneCommand(t *testing.T) {
	for _, c := range []struct{ conditions, text, list string }{
		{`{operator: runs, value: "git *"}`, `"git status -s"`, `["git","status","-s"]`},
		{`{operator: not_runs, value: "rm *"}`, `"bash -lc 'rm x'"`, `["bash","-lc","rm x"]`},
		{`{operator: not_runs, value: "rm *"}`, `"ls -l x"`, `["ls","-l","x"]`},
		{`{none: [{operator: runs, value: "rm *"}]}`, `"bash -lc 'rm x'"`, `["bash","-lc","rm x"]`},
		{`{none: [{operator: runs, value: "*--dry-run*"}]}`, `"helm delete x --dry-run"`, `["helm","delete","x","--dry-run"]`},
		{`{param_path: command, operator: contains, value: --dry-run}`, `"helm delete --dry-run"`, `["helm","delete","--dry-run"]`},
		{`{param_path: command, operator: not_contains, value: --dry-run}`, `"helm delete --dry-run"`, `["helm","delete","--dry-run"]`},
		{`{none: [{param_path: command, operator: contains, value: --dry-run}]}`, `"helm delete --dry-run"`, `["helm","delete","--dry-run"]`},
		{`{param_path: command, operator: matches, value: "^git (status|log)( |$)"}`, `"git status -s"`, `["git","status","-s"]`},
		{`{param_path: command, operator: host_in, value: github.com}`, `"curl https://github.com/x"`, `["curl","https://github.com/x"]`},
		{`{param_path: command, operator: not_host_in, value: github.com}`, `"curl https://example.com"`, `["curl","https://example.com"]`},
		{`{operator: removes, value: ./x}`, `"rm -r x"`, `["rm","-r","x"]`},
		{`{operator: not_removes, value: ./x}`, `"rm -r y"`, `["rm","-r","y"]`},
	} {
		for _, member := range []string{"command", "cmd", "commands"} {
			if member == "commands" && !strings.Contains(c.list, `"-`) {
				continue // it may be several commands
			}
			conditions := strings.ReplaceAll(c.conditions, "param_path: command", "param_path: "+member)
			for _, verdict := range []string{"allow", "deny"} {
				other := map[string]string{"allow": "deny", "deny": "allow"}[verdict]
				p := mustParse(t, fmt.Sprintf("version: 1\ndefault: %s\nrules:\n- {id: x, tool: Bash, verdict: %s, conditions: %s}\n",
					other, verdict, conditions))
				decide := func(command string) Verdict {
					return p.Decide(Query{Tools: []string{"Bash"}, Args: fmt.Appendf(nil, `{%q:%s}`, member, command)}).Verdict
				}
				if text, list := decide(c.text), decide(c.list); text != list {
					t.Errorf("%s if %s: %s for %s, %s for %s", verdict, conditions, text, c.text, list, c.list)
				}
			}
		}
	}
}
