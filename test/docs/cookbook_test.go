package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/policy/study"
)

const (
	cookbook    = docsDir + "/cookbook.md"
	recipesDir  = "../../examples/policies"
	leastCases  = 150
	leastByEach = 15
)

// recipePolicy is the policy of a recipe: a file, or a folder of files.
func recipePolicy(t *testing.T, recipe string) string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(recipe, "policy")); err == nil {
		return filepath.Join(recipe, "policy")
	}
	return filepath.Join(recipe, "policy.yaml")
}

func recipes(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(recipesDir, "*"))
	if err != nil || len(all) < 8 {
		t.Fatalf("%d recipes: %v", len(all), err)
	}
	return all
}

// Each policy of the cookbook decides its cases as they say.
func TestRecipesDoWhatIsMeant(t *testing.T) {
	total := 0
	for _, recipe := range recipes(t) {
		t.Run(filepath.Base(recipe), func(t *testing.T) {
			dir, err := filepath.Abs(recipe)
			if err != nil {
				t.Fatal(err)
			}
			policy := filepath.Base(recipePolicy(t, recipe))
			for _, line := range []string{"weir policy check " + policy, "weir policy test cases.yaml --policy " + policy} {
				if out, code := shell(t, dir, line); code != 0 {
					t.Errorf("%s ends with %d:\n%s", line, code, out)
				}
			}
			n := len(cases(t, recipe))
			if total += n; n < leastByEach {
				t.Errorf("%d cases", n)
			}
		})
	}
	if total < leastCases {
		t.Errorf("%d cases in all, want at least %d", total, leastCases)
	}
}

func cases(t *testing.T, recipe string) []study.Case {
	t.Helper()
	file := filepath.Join(recipe, "cases.yaml")
	all, err := study.ParseCases(file, []byte(read(t, file)))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// shownFile is a file that a page shows.
var shownFile = regexp.MustCompile("(?ms)^<!-- file (\\S+) -->\n```yaml\n(.*?)^```$")

// The cookbook shows the policies as they are in their files, all of them, and says how many cases each has.
func TestCookbookShowsTheFiles(t *testing.T) {
	page := read(t, cookbook)
	shown := map[string]bool{}
	made := shownFile.ReplaceAllStringFunc(page, func(block string) string {
		path := shownFile.FindStringSubmatch(block)[1]
		shown[filepath.Join(docsDir, path)] = true
		return "<!-- file " + path + " -->\n```yaml\n" + read(t, filepath.Join(docsDir, path)) + "```"
	})
	if *update {
		write(t, cookbook, made)
	} else if made != page {
		t.Error("docs/cookbook.md does not show the files of examples/policies; run go test ./test/docs -update")
	}
	if blocks := strings.Count(page, "\n```yaml\n"); blocks != len(shown) {
		t.Errorf("%d examples, %d of which are files: show only files", blocks, len(shown))
	}
	for _, recipe := range recipes(t) {
		files, err := filepath.Glob(filepath.Join(recipePolicy(t, recipe), "*.yaml"))
		if len(files) == 0 {
			files = []string{recipePolicy(t, recipe)}
		}
		for _, file := range files {
			if !shown[filepath.Clean(file)] || err != nil {
				t.Errorf("docs/cookbook.md does not show %s (%v)", file, err)
			}
		}
		name := filepath.Base(recipe)
		says := fmt.Sprintf("[%d cases](../examples/policies/%s/cases.yaml)", len(cases(t, recipe)), name)
		if !strings.Contains(page, says) {
			t.Errorf("docs/cookbook.md does not say %s", says)
		}
	}
}
