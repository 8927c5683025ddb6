package fold

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/weirtest/notation"
)

func TestUnpackAllFailsWhereClientsStumble(t *testing.T) {
	for _, text := range []string{
		startLine + " «prelude»", startLine + " «checksum»", startLine + " «cut»", startLine + " «twice»", "«0001»", " {}", "chunk {",
		"!a {}\n" + startLine,
	} {
		if list, err := unpackAll(notation.Packets([]byte(text + "\n"))); err == nil || errors.Is(err, ErrFailed) {
			t.Errorf("%s: read as %v, %v", text, list, err)
		}
	}
	for _, text := range []string{"!a {}", "!!a b"} {
		if _, err := unpackAll(notation.Packets([]byte(startLine + "\n" + text + "\n"))); !errors.Is(err, ErrFailed) {
			t.Errorf("%s: %v", text, err)
		}
	}
	list, err := unpackAll(notation.Packets([]byte(startLine + " «header»\nchunk+abc {\"type\":\"ping\"}\n")))
	want := []event{{"messageStart", []byte(`{"role":"assistant"}`)}, {"ping", []byte(`{"type":"ping"}`)}}
	if diff := cmp.Diff(want, list, cmp.AllowUnexported(event{})); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}

func FuzzUnpackAll(f *testing.F) {
	f.Add(notation.Packets([]byte(startLine + "\nchunk+a {}\n!e {}\n")))
	f.Fuzz(func(_ *testing.T, body []byte) {
		_, _ = unpackAll(body) // it must not panic
	})
}
