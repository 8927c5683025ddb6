package registry

import (
	"fmt"
	"testing"
)

func TestHints(t *testing.T) {
	for _, tt := range []struct{ annotations, want string }{
		{`{}`, "[]"},
		{`{"destructiveHint":true}`, "[destructive]"},
		{`{"destructiveHint":false,"readOnlyHint":true}`, "[read_only]"},
		{
			`{"idempotentHint":true,"openWorldHint":true,"title":"x","readOnlyHint":true,"destructiveHint":true}`,
			"[destructive read_only open_world idempotent]",
		},
		{`{"destructiveHint":"true","readOnlyHint":1,"openWorldHint":null}`, "[]"},
		{`{"DestructiveHint":true}`, "[]"},
	} {
		checkHints(t, `{"name":"a","annotations":`+tt.annotations+`}`, tt.want)
	}
	checkHints(t, `{"name":"a"}`, "[]")
	checkHints(t, `{"name":"a","destructiveHint":true}`, "[]")
}

func checkHints(t *testing.T, entry, want string) {
	t.Helper()
	d, err := Bounds{}.Read("s", []byte(entry))
	if got := fmt.Sprint(d.Hints()); err != nil || got != want {
		t.Errorf("%s: %s, %v, want %s", entry, got, err, want)
	}
}
