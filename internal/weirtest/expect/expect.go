// Package expect has the checks that most tests make, one line each. What a check is about may follow its values: a format with its arguments.
package expect

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// OK ends the test if there is an error.
func OK(t testing.TB, err error, what ...any) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s%v", about(what), err)
	}
}

// Is wants an error to be another. If that is nil, there must be none.
func Is(t testing.TB, got, want error, what ...any) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%sgot error %v, want %v", about(what), got, want)
	}
}

// Equal wants two values to be equal.
func Equal[T comparable](t testing.TB, got, want T, what ...any) {
	t.Helper()
	if got != want {
		t.Errorf("%sgot %s, want %s", about(what), shown(got), shown(want))
	}
}

// Fails wants an error.
func Fails(t testing.TB, err error, what ...any) {
	t.Helper()
	if err == nil {
		t.Errorf("%sgot no error", about(what))
	}
}

// Text wants parts to be in a text, but those after an exclamation mark not to be.
func Text(t testing.TB, got, what string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		bad, without := strings.CutPrefix(part, "!")
		if without && strings.Contains(got, bad) || !without && !strings.Contains(got, part) {
			t.Errorf("%s: want %s in %s", what, part, got)
		}
	}
}

// Same wants two values to be the same in all that they consist of.
func Same(t testing.TB, want, got any, options ...cmp.Option) {
	t.Helper()
	NoDiff(t, cmp.Diff(want, got, options...), "(-want +got)")
}

// NoDiff wants cmp.Diff to have found nothing.
func NoDiff(t testing.TB, diff string, what ...any) {
	t.Helper()
	if diff != "" {
		t.Errorf("%s\n%s", about(what), diff)
	}
}

// about is what a message begins with.
func about(what []any) string {
	if len(what) == 0 {
		return ""
	}
	return fmt.Sprintf(what[0].(string), what[1:]...) + ": "
}

// shown is a value in a message. Texts are quoted.
func shown(v any) string {
	if s, ok := v.(string); ok {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprintf("%+v", v)
}
