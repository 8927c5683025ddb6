package policy

import (
	"cmp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// A list is used by its name wherever several texts may stand: among tools, servers and actors, and in conditions, nested or not.
func TestNamedLists(t *testing.T) {
	p := mustParse(t, `
version: 1
default: allow
lists:
  shells: [Bash, run_shell]
  keys: [~/.ssh/**, "*.pem"]
  places: [$keys, /etc/**]
  people: ann@acme.com
  words: [one, "2"]
rules:
  - {id: files, tool: [$shells, Read], verdict: deny, conditions: {any: [{none: [{operator: reads, value: ./**}]}, {operator: reads, value: [$places, x]}]}}
  - {id: who, tool: deploy, who: {employee: $people}, verdict: deny}
  - {id: in, tool: say, verdict: deny, conditions: {param_path: word, operator: in, value: [$words, three]}}
  - {id: text, tool: text, verdict: deny, conditions: {param_path: word, operator: equals, value: $words}}
`)
	for _, tt := range []struct {
		tool, args, employee, rule string
	}{
		{"Bash", `{"command":"cat /etc/hosts"}`, "", "files"},
		{"run_shell", `{"command":"cat my.pem"}`, "", "files"},
		{"Read", `{"file_path":"x"}`, "", "files"},
		{"Read", `{"file_path":"y"}`, "", ""},
		{"Edit", `{"file_path":"/etc/hosts"}`, "", ""},
		{"deploy", `{}`, "ann@acme.com", "who"},
		{"deploy", `{}`, "bob@acme.com", ""},
		{"say", `{"word":"one"}`, "", "in"},
		{"say", `{"word":"three"}`, "", "in"},
		{"say", `{"word":"$words"}`, "", ""},
		{"text", `{"word":"$words"}`, "", "text"},
		{"text", `{"word":"one"}`, "", ""},
	} {
		q := Query{Tools: []string{tt.tool}, Args: []byte(tt.args)}
		q.Actor.Employee = tt.employee
		if d := p.Decide(q); d.Rule != tt.rule {
			t.Errorf("%s %s: decided by %q, want %q", tt.tool, tt.args, d.Rule, tt.rule)
		}
	}
}

// The lists that come with weir can be used by every policy. A list of the policy with the same name is used instead, and what is wrong
// with a list of weir is wrong where it is used.
func TestListsOfWeir(t *testing.T) {
	rules := `
rules:
  - {id: keys, tool: "*", verdict: deny, conditions: {operator: reads, value: [$credentials, mine]}}
`
	for _, tt := range []struct{ text, file, rule string }{
		{"version: 1\ndefault: allow" + rules, "/home/ann/.aws/credentials", "keys"},
		{"version: 1\ndefault: allow" + rules, "mine", "keys"},
		{"version: 1\ndefault: allow" + rules, "README.md", ""},
		{"version: 1\ndefault: allow\nlists: {credentials: [README.md]}" + rules, "/home/ann/.aws/credentials", ""},
		{"version: 1\ndefault: allow\nlists: {credentials: [$credentials, README.md]}" + rules, "/home/ann/.aws/credentials", "keys"},
		{"version: 1\ndefault: allow\nlists: {credentials: [$credentials, README.md]}" + rules, "README.md", "keys"},
	} {
		q := Query{Tools: []string{"Read"}, Args: []byte(`{"file_path":"` + tt.file + `"}`)}
		if d := mustParse(t, tt.text).Decide(q); d.Rule != tt.rule {
			t.Errorf("%s: %s: decided by %q, want %q", tt.text, tt.file, d.Rule, tt.rule)
		}
	}
	_, err := Parse("p.yaml", []byte("version: 1\ndefault: allow\nrules:\n"+
		"  - {id: a, tool: x, verdict: deny, conditions: {param_path: u, operator: cidr_in, value: $drop-boxes}}\n"))
	if err == nil || !strings.HasPrefix(err.Error(), "p.yaml:4:") {
		t.Errorf("got %v, want a problem on line 4", err)
	}
}

// Each of them can be used by the operators that it is for.
func TestListsOfWeirAreUsable(t *testing.T) {
	operators := map[string]string{
		"secret-commands": "runs", "disk-commands": "runs", "metadata-hosts": "host_in", "metadata-addresses": "cidr_in", "metadata": "connects", "drop-boxes": "connects",
	}
	for name := range strings.FieldsSeq(`weir-tricks weir-names weir-addresses signed-address local-addresses example-passwords remote-shell-texts
		secret-texts sending-texts loaded-addresses keys-in-addresses encoded-keys model-variables harmful-texts page-secrets page-requests
		fetching-words hiding-words unseen-text fetched-code begun-keys filling-texts dropping-texts`) {
		operators[name] = "matches"
	}
	for name := range builtin() {
		operator := cmp.Or(operators[name[1:]], "writes")
		path := ""
		if strings.HasSuffix(operator, "_in") || operator == "matches" {
			path = "param_path: url, "
		}
		mustParse(t, "version: 1\ndefault: allow\nrules:\n"+
			"  - {id: a, tool: x, verdict: deny, conditions: {"+path+"operator: "+operator+", value: "+name+"}}\n")
	}
}

// TestOwnFiles says that the list of weir's files has those of the weir that uses the policy, and nothing beside them.
func TestOwnFiles(t *testing.T) {
	s := Sources{Files: []Text{{Name: "policy.yaml", Data: []byte("version: 1\nextends: open\n")}}, Own: []string{"/srv/rules/[a].yaml", "/srv/state"}}
	p, err := ParseSources(s)
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]Verdict{
		"echo x > '/srv/rules/[a].yaml'":          Deny,
		"cd /srv/rules && cp /tmp/e './[a].yaml'": Deny,
		"rm -rf /srv/state":                       Deny,
		"touch /srv/state/log/x":                  Deny,
		"echo x > /srv/rules/a.yaml":              Allow,
		"cat /srv/state/notes.txt":                Allow,
		"echo x > /srv/rules/b.yaml":              Allow,
	} {
		args, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			t.Fatal(err)
		}
		if d := p.Decide(Query{Tools: []string{"Bash"}, Args: args}); d.Verdict != want {
			t.Errorf("%s: %s by %s, want %s", command, d.Verdict, d.Rule, want)
		}
	}
	s.Own = nil
	if other, err := ParseSources(s); err != nil || other.Version() != p.Version() {
		t.Errorf("another version: %v", err)
	}
}
