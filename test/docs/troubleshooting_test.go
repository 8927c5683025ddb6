package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	symptom = regexp.MustCompile("(?m)^\\| (?:[^|`]*with (?:status \\d+ and )?)?`([^`|]+)`(?: or `([^`|]+)`)? \\|")
	// joinedText is where a text in the sources goes on in the next line.
	joinedText = regexp.MustCompile("\"\\s*\\+\\s*\"")
	verb       = regexp.MustCompile(`%[a-z]`)
)

// What the page says that people see, weir says.
func TestTroubleshooting(t *testing.T) {
	var sources strings.Builder
	err := filepath.WalkDir("../../internal", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		sources.WriteString(joinedText.ReplaceAllString(string(text), ""))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	said := verb.ReplaceAllString(sources.String(), "…")
	found := 0
	for _, m := range symptom.FindAllStringSubmatch(read(t, docsDir+"/troubleshooting.md"), -1) {
		for _, message := range m[1:] {
			found++
			for piece := range strings.SplitSeq(message, "…") {
				if piece = strings.Trim(piece, ` ";:`); piece != "" && !strings.Contains(said, piece) {
					t.Errorf("nothing says %q, of %q", piece, message)
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("%d messages: does this test still find them?", found)
	}
}
