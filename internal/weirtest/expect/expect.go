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

// Is wants an error to be another.
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

// Contains wants a part to be in a text.
func Contains(t testing.TB, got, part string, what ...any) {
	t.Helper()
	if !strings.Contains(got, part) {
		t.Errorf("%sgot %s, which is without %s", about(what), got, part)
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
