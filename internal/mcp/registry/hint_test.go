package registry

import (
	"fmt"
	"testing"
)

func TestHints(t *testing.T) {
	for entry, want := range map[string]string{
		`{"name":"a"}`:                  "[]",
		`{"name":"a","annotations":{}}`: "[]",
		`{"name":"a","annotations":{"destructiveHint":true}}`:                                                                            "[destructive]",
		`{"name":"a","annotations":{"destructiveHint":false,"readOnlyHint":true}}`:                                                       "[read_only]",
		`{"name":"a","annotations":{"idempotentHint":true,"openWorldHint":true,"title":"x","readOnlyHint":true,"destructiveHint":true}}`: "[destructive read_only open_world idempotent]",
		`{"name":"a","annotations":{"destructiveHint":"true","readOnlyHint":1,"openWorldHint":null}}`:                                    "[]",
		`{"name":"a","annotations":{"DestructiveHint":true}}`:                                                                            "[]",
		`{"name":"a","destructiveHint":true}`:                                                                                            "[]",
	} {
		d, err := Bounds{}.Read("s", []byte(entry))
		if got := fmt.Sprint(d.Hints()); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", entry, got, err, want)
		}
	}
}
