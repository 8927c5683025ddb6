package script

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// calls writes a reading as the test files have it: a line for each call.
func calls(r Reading) string {
	var out strings.Builder
	for _, c := range r.Calls {
		args := "?"
		if c.Known {
			args = string(c.Args)
		}
		fmt.Fprintf(&out, "%s %s\n", c.Tool, args)
	}
	return out.String()
}

// files gives the pairs of a program and what is expected of it in a txtar file: NAME.js and NAME.calls.
func files(t *testing.T, name string, check func(t *testing.T, source, want string)) {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i := 0; i+1 < len(archive.Files); i += 2 {
		source, want := archive.Files[i], archive.Files[i+1]
		title, ok := strings.CutSuffix(source.Name, ".js")
		if !ok || want.Name != title+".calls" {
			t.Fatalf("%s is followed by %s", source.Name, want.Name)
		}
		n++
		t.Run(title, func(t *testing.T) { check(t, string(source.Data), string(want.Data)) })
	}
	if n < 80 {
		t.Errorf("%d programs in %s, want 80 or more", n, name)
	}
}

// TestOrdinary reads programs as models write them for coding tasks: every call is found and nothing is opaque.
func TestOrdinary(t *testing.T) {
	files(t, "ordinary.txtar", func(t *testing.T, source, want string) {
		r := Read(source, []string{"tools"})
		if r.Opaque {
			t.Errorf("opaque: %s", r.Why)
		}
		if diff := cmp.Diff(want, calls(r)); diff != "" {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
		strict(t, r)
	})
}

// strict fails for arguments that are not one JSON object.
func strict(t *testing.T, r Reading) {
	t.Helper()
	for _, c := range r.Calls {
		var members map[string]any
		if err := json.Unmarshal(c.Args, &members); c.Known && (err != nil || members == nil) {
			t.Errorf("arguments %s: %v", c.Args, err)
		}
		if c.Known != (c.Args != nil) {
			t.Errorf("known is %v for %s", c.Known, c.Args)
		}
	}
}

// TestObfuscated reads programs that hide what they call. The file has OPAQUE for those that must be opaque; of the
// others, every call must be found.
func TestObfuscated(t *testing.T) {
	files(t, "obfuscated.txtar", func(t *testing.T, source, want string) {
		r := Read(source, []string{"tools"})
		got := calls(r)
		if r.Opaque {
			got = "OPAQUE\n"
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("calls (-want +got), %s:\n%s", r.Why, diff)
		}
		strict(t, r)
	})
}
