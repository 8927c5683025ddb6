package agents

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var fenced = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")

// Documented is the address of weir on pages.
const Documented = "http://127.0.0.1:4141"

// A Page is the path of one that users read. What it shows is what is tested.
type Page string

// Examples are those of a kind on the page, of which there must be count.
func (p Page) Examples(t testing.TB, kind string, count int) []string {
	t.Helper()
	text, err := os.ReadFile(string(p))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, m := range fenced.FindAllStringSubmatch(string(text), -1) {
		if m[1] == kind {
			found = append(found, m[2])
		}
	}
	if len(found) != count {
		t.Fatalf("%s has %d examples of %s, want %d", p, len(found), kind, count)
	}
	return found
}

// Variables are those that the one shell example on the page exports, for a weir at an address.
func (p Page) Variables(t testing.TB, address string) []string {
	t.Helper()
	var variables []string
	for line := range strings.Lines(Fill(t, p.Examples(t, "sh", 1)[0], map[string]string{Documented: address})) {
		variable, ok := strings.CutPrefix(strings.TrimSpace(line), "export ")
		if !ok {
			t.Fatalf("%s: %q exports nothing", p, line)
		}
		variables = append(variables, variable)
	}
	return variables
}

// Fill puts what a test has in the place of what an example shows, each of which must be there once.
func Fill(t testing.TB, example string, ours map[string]string) string {
	t.Helper()
	for documented, replacement := range ours {
		if strings.Count(example, documented) != 1 {
			t.Fatalf("the example has %s not once:\n%s", documented, example)
		}
		example = strings.Replace(example, documented, replacement, 1)
	}
	return example
}
