package program

import (
	"strings"
	"testing"
)

// TestClients checks that no client and no option of one is listed twice, and that their names are found.
func TestClients(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range clients {
		for name := range strings.FieldsSeq(c.Names) {
			if seen[name] || LookupClient("/usr/bin/"+name) != c {
				t.Errorf("client %s is twice, or not found", name)
			}
			seen[name] = true
		}
		options := map[string]bool{}
		for word := range strings.FieldsSeq(c.Options) {
			text := strings.TrimRight(word, valueSigns)
			if text == "" {
				text = word[:1]
			}
			for name := range strings.SplitSeq(text, ",") {
				if options[name] {
					t.Errorf("%s: option %s twice", c.Names, name)
				}
				options[name] = true
			}
		}
		for name := range strings.FieldsSeq(c.Databases + " " + c.Idle) {
			if !options[name] {
				t.Errorf("%s: %s is no option of it", c.Names, name)
			}
		}
	}
}
