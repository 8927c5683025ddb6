package bundle_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// Arguments that are replaced are, wherever the bundle has them, and nothing else changes.
func TestReplaced(t *testing.T) {
	const redacted = `{"p":"[redacted]"}`
	for name, e := range examples() {
		t.Run(name, func(t *testing.T) {
			r := pass(e.in, e.whole, dialecttest.ReplaceWith(map[string]string{"rm": redacted, "ls": redacted}))
			want := strings.ReplaceAll(e.in, "secret", "[redacted]")
			if diff := cmp.Diff(meanings([]byte(want), e.whole), meanings(r.Out, e.whole)); diff != "" {
				t.Errorf("what the agent gets (-want +got):\n%s", diff)
			}
		})
	}
}

// meanings are what the lines of a bundle, or its body, mean: one of two that say the same may get the white space of the other.
func meanings(b []byte, whole bool) []string {
	var list []string
	for _, row := range rows(b, whole) {
		list = append(list, dialecttest.Meaning([]byte(row.Data)))
	}
	return list
}
