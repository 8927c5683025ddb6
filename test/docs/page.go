package docs

import (
	"regexp"
	"strings"
)

var (
	heading = regexp.MustCompile(`^(#+) +(.*?) *$`)
	// What GitHub leaves out of the anchor of a heading.
	notInAnchor = regexp.MustCompile(`[^\p{L}\p{N}\p{M}_\- ]`)
	linkText    = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// A Heading is one of a page.
type Heading struct {
	Level  int
	Text   string
	Anchor string
}

// Headings are those of a page, with the anchors that GitHub gives them.
func Headings(page string) (all []Heading) {
	seen := map[string]int{}
	for line := range plainLines(page) {
		m := heading.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		anchor := strings.ReplaceAll(strings.ToLower(linkText.ReplaceAllString(m[2], "$1")), "`", "")
		anchor = strings.ReplaceAll(notInAnchor.ReplaceAllString(anchor, ""), " ", "-")
		n := seen[anchor]
		if seen[anchor]++; n > 0 {
			anchor += "-" + string(rune('0'+n))
		}
		all = append(all, Heading{len(m[1]), m[2], anchor})
	}
	return all
}

// Contents is a list of links to the headings of a page, but for its title.
func Contents(page string) string {
	var b strings.Builder
	for _, h := range Headings(page) {
		if h.Level == 2 || h.Level == 3 {
			b.WriteString(strings.Repeat("  ", h.Level-2) + "- [" + h.Text + "](#" + h.Anchor + ")\n")
		}
	}
	return b.String()
}

// plainLines are the lines of a page that are not in a block of code.
func plainLines(page string) func(func(string) bool) {
	return func(visit func(string) bool) {
		code := false
		for line := range strings.SplitSeq(page, "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				code = !code
				continue
			}
			if !code && !visit(line) {
				return
			}
		}
	}
}
