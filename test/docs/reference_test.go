package docs

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/policy"
)

var update = flag.Bool("update", false, "write docs/policy-reference.md, and what commands print in docs/policy.md")

const (
	docsDir       = "../../docs"
	referenceMade = "<!-- Made from the schema and from docs/policy-reference/*.md by: go test ./test/docs -update -->\n"
)

// The reference is what the schema of this weir and the passages give.
func TestReferenceIsCurrent(t *testing.T) {
	want := referenceMade + reference(t)
	file := filepath.Join(docsDir, "policy-reference.md")
	if *update {
		write(t, file, want)
	}
	if diff := cmp.Diff(want, read(t, file)); diff != "" {
		t.Errorf("docs/policy-reference.md is out of date; run go test ./test/docs -update (-made +page):\n%s", diff)
	}
}

func reference(t *testing.T) string {
	t.Helper()
	schema, err := json.Marshal(policy.Schema())
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewReference(schema, listNames(t))
	if err != nil {
		t.Fatal(err)
	}
	passages, err := filepath.Glob(filepath.Join(docsDir, "policy-reference", "*.md"))
	if err != nil || len(passages) < 10 {
		t.Fatalf("%d passages: %v", len(passages), err)
	}
	var all []string
	for _, file := range passages {
		text, err := r.Passage(read(t, file))
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		all = append(all, text)
	}
	if missing := r.Missing(); len(missing) > 0 {
		t.Errorf("no passage has a table with\n%s", strings.Join(missing, "\n"))
	}
	page := strings.Join(all, "\n")
	return strings.Replace(page, "<!-- contents -->", strings.TrimSpace(Contents(page)), 1)
}

// listNames are the names of the lists that come with weir, as policies use them.
func listNames(t *testing.T) (all []string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z][a-z0-9_-]*):`).FindAllSubmatch(policy.Lists, -1) {
		all = append(all, "$"+string(m[1]))
	}
	if len(all) < 40 {
		t.Fatalf("%d lists", len(all))
	}
	return all
}

// The reference notices what is not in it, and notes that belong to nothing.
func TestReferenceIsWhole(t *testing.T) {
	const schema = `{"properties": {"a": {"type": "string", "description": "An a.", "default": "x"}, "b": {"$ref": "#/$defs/rule"}},
		"required": ["b"], "$defs": {"rule": {"type": "object", "properties": {"c": {"type": "boolean"}}},
		"condition": {"else": {"type": "object", "properties": {"operator": {"enum": ["is", "not_is"], "enumDescriptions": ["It is", "It is not"]}}}}}}`
	for _, tt := range []struct{ passage, want, failure, missing string }{
		{
			"<!-- keys .\na: More.\n-->", "| key | | value | meaning |\n|---|---|---|---|\n" +
				"| `b` | required | [rule](#rules) |  |\n| `a` | optional | text | An a. Default: `x`. More. |", "", "the keys at $defs/rule",
		},
		{"<!-- keys .\nd: More.\n-->", "", "belongs to no row", ""},
		{"<!-- keys nothing\n-->", "", `no "nothing"`, ""},
		{"<!-- operators is\n-->", "| operator | value | holds when |\n|---|---|---|\n| `is` `not_is` | none | It is. |", "", "the keys at ."},
		{"<!-- operators was\n-->", "", "no operator was", "the operator is"},
		{"<!-- lists\n$x: Things.\n-->", "| list | what is in it |\n|---|---|\n| `$x` | Things. |", "", ""},
		{"<!-- lists\n$y: Things.\n-->", "", "no list $y", ""},
		{"<!-- lists\n-->", "", "what is in $x", ""},
	} {
		r, err := NewReference([]byte(schema), []string{"$x"})
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Passage(tt.passage)
		if failed := err != nil; failed != (tt.failure != "") || failed && !strings.Contains(err.Error(), tt.failure) {
			t.Errorf("%s: got the error %v", tt.passage, err)
		}
		if tt.want != "" && got != tt.want {
			t.Errorf("%s: %s", tt.passage, cmp.Diff(tt.want, got))
		}
		if missing := strings.Join(r.Missing(), "\n"); !strings.Contains(missing, tt.missing) {
			t.Errorf("%s: %q is missing, want %q", tt.passage, missing, tt.missing)
		}
	}
}

// The names that the reference gives for the tools of agents are names that agents have.
func TestToolNamesAreThoseOfAgents(t *testing.T) {
	p, err := policy.Parse("policy.yaml", []byte("version: 1\ndefault: allow\nmcp: {fail_closed: true}\n"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(read(t, filepath.Join(docsDir, "policy-reference.md")), "| agent | commands |")
	table, _, _ = strings.Cut(table, "\n\n")
	names := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(table, -1)
	if len(names) < 40 {
		t.Fatalf("%d names in the table", len(names))
	}
	for _, m := range names {
		if d := p.Decide(policy.Query{Tools: []string{m[1]}, Args: []byte("{}")}); d.Refused() {
			t.Errorf("no agent has a tool %s", m[1])
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
