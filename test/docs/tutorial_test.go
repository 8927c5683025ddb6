package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	tutorial = docsDir + "/policy.md"
	steps    = 10
	mistakes = 8
)

var (
	// namedExample is an example that begins with the name of its file, in a comment.
	namedExample = regexp.MustCompile("(?ms)^```yaml\n(# (\\S+\\.yaml)\n.*?)^```$")
	contents     = regexp.MustCompile("(?s)<!-- contents -->\n.*?<!-- end of contents -->")
	// session is a block with commands and what they print.
	session = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")
)

// Each step of the tutorial is true: its files load, its cases pass, and its commands print what it says.
func TestTutorial(t *testing.T) {
	page := read(t, tutorial)
	made, found := "", map[string]int{}
	for _, section := range sections(page) {
		title, _, _ := strings.Cut(strings.TrimLeft(section, "# "), "\n")
		t.Run(title, func(t *testing.T) {
			dir := t.TempDir()
			files := unpack(t, section, dir)
			section = session.ReplaceAllStringFunc(section, func(block string) string {
				return replay(t, dir, block)
			})
			switch {
			case strings.HasPrefix(section, "## Step "):
				found["step"]++
				stepHolds(t, dir, files)
			case files["wrong.yaml"]:
				found["mistake"]++
				mistakeHolds(t, dir, files)
			}
		})
		made += section
	}
	made = contents.ReplaceAllLiteralString(made, "<!-- contents -->\n"+Contents(page)+"\n<!-- end of contents -->")
	if found["step"] != steps || found["mistake"] < mistakes {
		t.Errorf("found %v, want %d steps and at least %d mistakes", found, steps, mistakes)
	}
	if *update {
		write(t, tutorial, made)
	} else if diff := cmp.Diff(page, made); diff != "" {
		t.Errorf("docs/policy.md is not what weir prints; if that is right, run go test ./test/docs -update (-page +weir):\n%s", diff)
	}
}

// sections are the parts of a page that begin with a heading. Together they are the page.
func sections(page string) (all []string) {
	code, part := false, ""
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if !code && strings.HasPrefix(line, "#") && part != "" {
			all = append(all, part)
			part = ""
		}
		part += line
	}
	return append(all, part)
}

// unpack writes the named examples of a section to a folder, and returns their names. Examples without a name would not be tried.
func unpack(t *testing.T, section, dir string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, m := range namedExample.FindAllStringSubmatch(section, -1) {
		file := filepath.Join(dir, m[2])
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, file, m[1])
		names[m[2]] = true
	}
	if n := strings.Count(section, "\n```yaml\n"); n != len(names) {
		t.Errorf("%d examples, %d of which have a name of their own", n, len(names))
	}
	return names
}

// replay runs the commands of a block, and returns the block with what they print.
func replay(t *testing.T, dir, block string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("```console\n")
	for line := range strings.Lines(session.FindStringSubmatch(block)[1]) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			b.WriteString(line)
			out, _ := shell(t, dir, strings.TrimSpace(command))
			b.WriteString(out)
		}
	}
	b.WriteString("```")
	return b.String()
}

// stepHolds says that the policy of a step decides the step's cases as they say.
func stepHolds(t *testing.T, dir string, files map[string]bool) {
	t.Helper()
	policy := "policy.yaml"
	if !files[policy] {
		policy = "policy"
	}
	if !files["cases.yaml"] {
		t.Error("the step has no cases.yaml")
	}
	if out, code := shell(t, dir, "weir policy test cases.yaml --policy "+policy); code != 0 {
		t.Errorf("the step is not true:\n%s", out)
	}
}

// mistakeHolds says that the right policy decides the cases as they say, and the wrong one does not, though it loads.
func mistakeHolds(t *testing.T, dir string, files map[string]bool) {
	t.Helper()
	if !files["right.yaml"] || !files["cases.yaml"] {
		t.Fatal("it needs right.yaml and cases.yaml")
	}
	if out, code := shell(t, dir, "weir policy test cases.yaml --policy right.yaml"); code != 0 {
		t.Errorf("the right policy is wrong:\n%s", out)
	}
	if out, code := shell(t, dir, "weir policy check wrong.yaml"); code != 0 {
		t.Errorf("the wrong policy cannot be loaded, so nobody can make this mistake:\n%s", out)
	}
	if out, code := shell(t, dir, "weir policy test cases.yaml --policy wrong.yaml"); code != 1 {
		t.Errorf("the wrong policy ends with %d: is it a mistake?\n%s", code, out)
	}
}
