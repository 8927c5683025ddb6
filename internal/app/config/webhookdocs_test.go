package config

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/record"
)

var update = flag.Bool("update", false, "rewrite the table of webhook lists in docs/telemetry.md")

// listRow is a row of the table of webhook lists: the lists, what may be in them, the events that have it.
var listRow = regexp.MustCompile("(?m)^(\\| ((?:`[a-z]+` )+)\\| [^|]+ \\| )([^|]+)( \\|)$")

// TestWebhookListsAreDocumented holds the table in the docs to the lists and to the kinds of events.
func TestWebhookListsAreDocumented(t *testing.T) {
	const file = "../../../docs/telemetry.md"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lists := map[string]record.Members{}
	for _, l := range new(Webhook).lists() {
		lists[l.name] = l.has
	}
	want := listRow.ReplaceAllStringFunc(string(page), func(row string) string {
		parts := listRow.FindStringSubmatch(row)
		for _, name := range strings.Fields(strings.ReplaceAll(parts[2], "`", "")) {
			has, ok := lists[name]
			if !ok {
				return row // another table
			}
			delete(lists, name)
			parts[3] = typesWith(has)
		}
		return parts[1] + parts[3] + parts[4]
	})
	if len(lists) > 0 {
		t.Errorf("%s does not tell of %v", file, lists)
	}
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want != string(page) {
		t.Errorf("%s does not say which events webhook lists are about; run go test ./internal/app/config -run Documented -update", file)
	}
}

// typesWith are the types of events that have something, as the docs name them.
func typesWith(has record.Members) string {
	var with, without []string
	for _, name := range record.Types.Names() {
		if has == (record.Members{}) || record.Type(name).Kind().Has.Include(has) {
			with = append(with, "`"+name+"`")
		} else {
			without = append(without, "`"+name+"`")
		}
	}
	switch {
	case len(without) == 0:
		return "all"
	case len(without) < len(with):
		return "all but " + strings.Join(without, ", ")
	}
	return strings.Join(with, ", ")
}
