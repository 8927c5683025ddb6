package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	pathInText = regexp.MustCompile("`([a-z]+(?:/[A-Za-z0-9_.]+)+)`")
	// A function with the file that it is in: `Judge.decide` (`judge/finding.go`).
	funcInText = regexp.MustCompile("`\\w+\\.(\\w+)` \\(`([a-z]+(?:/\\w+)+\\.go)`\\)")
)

// What the pages for contributors name must be there: those who move it find out here.
func TestPagesNameWhatIsThere(t *testing.T) {
	for _, page := range []string{"architecture.md", "engine.md"} {
		text, err := os.ReadFile(filepath.Join("../../docs", page))
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, m := range pathInText.FindAllStringSubmatch(string(text), -1) {
			path := m[1]
			if first, _, _ := strings.Cut(path, "/"); isThere(filepath.Join("internal", first)) {
				path = filepath.Join("internal", path)
			} else if !isThere(first) && !strings.HasSuffix(path, ".go") {
				continue // of something else
			}
			found++
			if !isThere(path) {
				t.Errorf("docs/%s names %s, which is not there", page, m[1])
			}
		}
		for _, m := range funcInText.FindAllStringSubmatch(string(text), -1) {
			code, err := os.ReadFile(filepath.Join("../../internal", m[2]))
			if err != nil || !strings.Contains(string(code), ") "+m[1]+"(") {
				t.Errorf("docs/%s says that %s has the method %s: it has not", page, m[2], m[1])
			}
		}
		if found == 0 {
			t.Errorf("docs/%s names no path: does this test still look for the right thing?", page)
		}
	}
}

func isThere(path string) bool {
	_, err := os.Stat(filepath.Join("../..", path))
	return err == nil
}
