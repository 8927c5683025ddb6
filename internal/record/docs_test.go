package record_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/record"
)

var (
	typeTable = regexp.MustCompile("(?s)\n## Types\n\n.*?\n\n")
	typeRow   = regexp.MustCompile("(?m)^\\| ((?:`[a-z_]+`(?:, )?)+) \\|")
)

// TestTypesAreDocumented holds the table of types in the docs to the kinds of events.
func TestTypesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/record.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, row := range typeRow.FindAllStringSubmatch(typeTable.FindString(string(page)), -1) {
		listed = append(listed, strings.Split(strings.ReplaceAll(row[1], "`", ""), ", ")...)
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(record.Types.Names())), slices.Sorted(slices.Values(listed))); diff != "" {
		t.Errorf("the types in docs/record.md (-there are +it lists):\n%s", diff)
	}
}
