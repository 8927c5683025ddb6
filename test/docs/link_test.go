package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// Links between pages lead to a file, and to a heading of it.
func TestLinks(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(docsDir, "*.md"))
	if err != nil || len(pages) < 10 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	examples, err := filepath.Glob("../../examples/*/README.md")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, page := range append(append(pages, examples...), "../../README.md", "../../CONTRIBUTING.md", "../../SECURITY.md", "../../examples/README.md") {
		for line := range plainLines(read(t, page)) {
			for _, m := range link.FindAllStringSubmatch(line, -1) {
				if strings.Contains(m[1], "://") {
					continue
				}
				checked++
				if problem := follow(t, page, m[1]); problem != "" {
					t.Errorf("%s links to %s: %s", page, m[1], problem)
				}
			}
		}
	}
	if checked < 200 {
		t.Errorf("only %d links: does this test still find them?", checked)
	}
}

// follow says what is wrong with a link on a page; "": nothing.
func follow(t *testing.T, page, to string) string {
	path, anchor, _ := strings.Cut(to, "#")
	file := page
	if path != "" {
		file = filepath.Join(filepath.Dir(page), path)
	}
	if _, err := os.Stat(file); err != nil {
		return "there is no such file"
	}
	if anchor == "" || filepath.Ext(file) != ".md" {
		return ""
	}
	for _, h := range Headings(read(t, file)) {
		if h.Anchor == anchor {
			return ""
		}
	}
	return "it has no such heading"
}

func TestHeadings(t *testing.T) {
	const page = "# A `b` c\n```\n# not one\n```\n## Any or all: it's\n### [Link](x.md) here\n## Again\n## Again\n"
	want := []string{"a-b-c", "any-or-all-its", "link-here", "again", "again-1"}
	got := Headings(page)
	if len(got) != len(want) {
		t.Fatalf("got %v", got)
	}
	for i, h := range got {
		if h.Anchor != want[i] {
			t.Errorf("%q has the anchor %s, want %s", h.Text, h.Anchor, want[i])
		}
	}
}
