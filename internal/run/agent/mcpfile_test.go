package agent

import (
	"regexp"
	"strings"
	"testing"
)

// Every name gives an id that the shim takes.
func FuzzShimID(f *testing.F) {
	for _, s := range []string{"", "a", "_a", "-", ".x y", strings.Repeat("a", 70), "-" + strings.Repeat("é", 70)} {
		f.Add(s)
	}
	valid := regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	f.Fuzz(func(t *testing.T, name string) {
		id := shimID(name)
		if !valid.MatchString(id) {
			t.Errorf("%q gives %q", name, id)
		}
		if valid.MatchString(name) && id != name {
			t.Errorf("%q is valid, and gives %q", name, id)
		}
	})
}

func TestUnwrap(t *testing.T) {
	for _, c := range []struct{ command, id, inner string }{
		{"weir mcp wrap --id a -- srv -x", "a", "srv -x"},
		{"weir mcp wrap --id=a --verbose -- srv", "a", "srv"},
		{"weir mcp wrap -- srv", "", ""},
		{"weir mcp wrap --id a --", "", ""},
		{"weir mcp wrap --id a srv", "", ""},
	} {
		id, inner, ok := unwrap(strings.Fields(c.command))
		if !ok {
			id, inner = "", nil
		}
		if id != c.id || strings.Join(inner, " ") != c.inner {
			t.Errorf("%s: %q %q", c.command, id, inner)
		}
	}
}
