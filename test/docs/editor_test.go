package docs

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// An editor with the schema that weir prints finds errors in a policy, and completes operators, verdicts and keys with their meanings.
func TestSchemaInAnEditor(t *testing.T) {
	dir := t.TempDir()
	if out, code := shell(t, dir, "weir policy schema > policy.schema.json"); code != 0 {
		t.Fatal(out)
	}
	s := startLanguageServer(t, dir)
	e := editor{s, dir}

	for name, tt := range map[string]struct{ policy, complaint string }{
		"right":                {"default: allow\nrules:\n  - {id: a, tool: Bash, verdict: deny}\n", ""},
		"the page's example":   {documentedModeline(t), ""},
		"an unknown verdict":   {"default: allow\nrules:\n  - {id: a, tool: Bash, verdict: dney}\n", "(?s)Value is not accepted.*deny"},
		"an unknown key":       {"default: allow\nrules:\n  - {id: a, tol: Bash, verdict: deny}\n", "tol is not allowed"},
		"no default":           {"rules: []\n", `Missing property "default"`},
		"an unknown operator":  {"default: allow\nrules:\n  - {id: a, tool: x, verdict: deny, conditions: {operator: run, value: rm}}\n", "Value is not accepted"},
		"a budget without one": {"default: allow\nrules:\n  - {id: a, tool: x, verdict: cap_cost}\n", `Missing property "cap_cost"`},
		"a change of a preset": {"extends: balanced\nrules:\n  - {id: ask-removal, verdict: deny}\n", ""},
	} {
		complaints := strings.Join(e.open(strings.ReplaceAll(name, " ", "-")+".yaml", tt.policy), "\n")
		if matched, err := regexp.MatchString(tt.complaint, complaints); !matched || err != nil || tt.complaint == "" && complaints != "" {
			t.Errorf("%s: the editor shows %q, want %q", name, complaints, tt.complaint)
		}
	}

	for name, tt := range map[string]struct {
		policy string // the cursor is at its end
		want   map[string]string
	}{
		"verdicts": {
			"default: allow\nrules:\n  - id: a\n    tool: Bash\n    verdict: ",
			map[string]string{"deny": "No other rule can overrule it", "pending_approval": "The call is held until a person decides"},
		},
		"operators": {
			"default: allow\nrules:\n  - id: a\n    tool: Bash\n    verdict: deny\n    conditions:\n      operator: ",
			map[string]string{"runs": "A shell would run", "not_host_in": "or there is none", "surely_reads": "without doubt"},
		},
		"surfaces": {
			"default: allow\nrules:\n  - id: a\n    tool: Bash\n    verdict: deny\n    surface: ",
			map[string]string{"egress": "looks up a name"},
		},
		"keys of a rule": {
			"default: allow\nrules:\n  - id: a\n    tool: Bash\n    verdict: deny\n    ",
			map[string]string{"unless": "not about", "conditions": "Tests of the arguments", "who": "On whose behalf"},
		},
	} {
		offered := e.complete(strings.ReplaceAll(name, " ", "-")+".yaml", tt.policy)
		for word, meaning := range tt.want {
			if got, ok := offered[word]; !ok || !strings.Contains(got, meaning) {
				t.Errorf("%s: the editor says %q of %s, want %q; it offers %d", name, got, word, meaning, len(offered))
			}
		}
	}
}

// documentedModeline is the policy on the page for tools that names its schema, without what the test writes itself.
func documentedModeline(t *testing.T) string {
	t.Helper()
	_, after, found := strings.Cut(read(t, docsDir+"/policy-tools.md"), "```yaml\n"+modeline)
	policy, _, _ := strings.Cut(after, "```")
	if !found {
		t.Fatal("docs/policy-tools.md does not show the line that names the schema")
	}
	return policy
}

// modeline begins every policy of the test, as the page says.
const modeline = "# yaml-language-server: $schema=policy.schema.json\nversion: 1\n"

// An editor has policies open.
type editor struct {
	*languageServer
	dir string
}

func (e editor) uri(name string) string { return "file://" + filepath.Join(e.dir, name) }

// open shows a policy to the server and returns what it complains about.
func (e editor) open(name, policy string) (complaints []string) {
	e.t.Helper()
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": e.uri(name), "languageId": "yaml", "version": 1, "text": modeline + policy,
	}})
	for {
		var found struct {
			URI         string
			Diagnostics []struct{ Message string }
		}
		if err := json.Unmarshal(e.await("textDocument/publishDiagnostics"), &found); err != nil {
			e.t.Fatal(err)
		}
		if found.URI != e.uri(name) {
			continue
		}
		for _, d := range found.Diagnostics {
			complaints = append(complaints, d.Message)
		}
		return complaints
	}
}

// complete asks what can be written at the end of a policy, and returns the words with what is said of them.
func (e editor) complete(name, policy string) map[string]string {
	e.t.Helper()
	e.open(name, policy)
	text := modeline + policy
	line := strings.Count(text, "\n")
	var list struct {
		Items []struct {
			Label         string
			Documentation any
		}
	}
	e.ask("textDocument/completion", map[string]any{
		"textDocument": map[string]any{"uri": e.uri(name)},
		"position":     map[string]any{"line": line, "character": len(text) - strings.LastIndex(text, "\n") - 1},
	}, &list)
	out := map[string]string{}
	for _, item := range list.Items {
		out[item.Label], _ = item.Documentation.(string)
	}
	return out
}
