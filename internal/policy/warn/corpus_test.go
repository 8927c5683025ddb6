package warn_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/preset"
	"github.com/weir-gate/weir/internal/policy/warn"
	"github.com/weir-gate/weir/internal/text/when"
)

func find(t *testing.T, name, text string) []warn.Warning {
	t.Helper()
	p, err := policy.Parse(name, []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return warn.New(p).Find(when.Moment{}).Warnings
}

// The presets mean what they say, also if a copy of them is the policy of a user.
func TestPresetsHaveNoWarnings(t *testing.T) {
	for _, name := range preset.Names() {
		text, err := preset.Text(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range find(t, name, string(text)) {
			t.Errorf("%s: %s", w.ID, w.Problem)
		}
	}
}

var fenced = regexp.MustCompile("(?ms)^```(yaml|json)\n(.*?)^```$")

// What the documentation shows is what people copy.
func TestDocsHaveNoWarnings(t *testing.T) {
	pages, err := filepath.Glob("../../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, page := range append(pages, "../../../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range fenced.FindAllSubmatchIndex(text, -1) {
			example := string(text[at[4]:at[5]])
			name := fmt.Sprintf("%s:%d", page, 1+strings.Count(string(text[:at[0]]), "\n"))
			if p, err := policy.Parse(name, []byte(example)); err != nil || p.Len() == 0 || strings.HasPrefix(example, "# wrong.yaml\n") {
				continue // it is something else, or shows a mistake
			}
			found++
			for _, w := range find(t, name, example) {
				t.Errorf("%s: %s", w.ID, w.Problem)
			}
		}
	}
	if found < 12 {
		t.Errorf("%d policies in the documentation", found)
	}
}

// Each warning is described where people look its name up.
func TestWarningsAreDocumented(t *testing.T) {
	pages, err := filepath.Glob("../../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	for _, id := range policy.Warnings {
		if !strings.Contains(all.String(), "\n| `"+id+"` | ") {
			t.Errorf("the documentation does not say what %s means", id)
		}
	}
}

// aboutIt are scenarios that show what a warning warns of, and how texts are compared.
var aboutIt = map[string][]string{
	"llm-deny-wins.txtar":                       {policy.WarnRule},
	"llm-operator-prefix-suffix.txtar":          {policy.WarnNoParameter, policy.WarnTextMatch},
	"llm-quantifier-allow.txtar":                {policy.WarnTextMatch},
	"llm-quantifier-deny.txtar":                 {policy.WarnTextMatch},
	"llm-quantifier-negated.txtar":              {policy.WarnNegated},
	"llm-chat-unknown-type-denied.txtar":        {policy.WarnTextMatch},
	"llm-responses-get-changed-arguments.txtar": {policy.WarnTextMatch},
	"mcp-rule-arguments.txtar":                  {policy.WarnTextMatch},
}

// Policies of scenarios are short and do one thing. Their tools are those of imaginary agents.
func TestScenariosHaveNoWarnings(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/scenarios/*.txtar")
	if err != nil || len(files) < 100 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if f.Name != "policy.yaml" {
				continue
			}
			if _, err := policy.Parse(f.Name, f.Data); err != nil {
				continue // the scenario is about that
			}
			for _, w := range find(t, filepath.Base(file), string(f.Data)) {
				if w.ID != policy.WarnTool && w.ID != policy.WarnParameter && !slices.Contains(aboutIt[filepath.Base(file)], w.ID) {
					t.Errorf("%s: %s", w.ID, w.Problem)
				}
			}
		}
	}
}
