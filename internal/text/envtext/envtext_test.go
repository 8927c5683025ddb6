package envtext

import (
	"strings"
	"testing"
)

func environment(name string) (string, bool) {
	value, set := map[string]string{"A": "1", "B": "${A}", "EMPTY": ""}[name]
	return value, set
}

func TestExpand(t *testing.T) {
	tests := map[string]string{
		"":            "",
		"x${A}y${A}z": "x1y1z",
		"$A $ {A}":    "$A $ {A}",
		"$${A}":       "${A}",
		"$$${A}":      "$${A}",
		"${B}":        "${A}", // what a variable holds is not expanded again
		"x${EMPTY}":   "x",
	}
	for text, want := range tests {
		if got, err := Expand(text, environment); err != nil || got != want {
			t.Errorf("%q: got %q, %v, want %q", text, got, err, want)
		}
	}
}

func TestExpandProblems(t *testing.T) {
	const syntax = "a ${ does not begin the name of a variable; write ${NAME}, or $${ to mean ${ itself"
	tests := map[string]string{
		"${": syntax, "${}": syntax, "${A": syntax, "${A B}": syntax, "${1A}": syntax, "${A}${": syntax,
		"${A}${GONE}": "the variable GONE is not set; set it before weir starts",
	}
	for text, want := range tests {
		if got, err := Expand(text, environment); got != "" || err == nil || err.Error() != want {
			t.Errorf("%q: got %q, %v, want %s", text, got, err, want)
		}
	}
}

// A text is put together from what stands between the variables, and an error repeats nothing of it.
func FuzzExpand(f *testing.F) {
	for _, s := range []string{"", "${A}", "$${A}", "x${A}y", "${", "${GONE}", "$${${A}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Expand(text, func(string) (string, bool) { return "", true })
		if err != nil {
			return
		}
		if !strings.Contains(text, "${") && got != text {
			t.Errorf("%q became %q", text, got)
		}
		if len(got) > len(text) {
			t.Errorf("%q grew to %q", text, got)
		}
	})
}
