package script

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what is read into the test files")

// calls writes a reading as the test files have it: a line for each call, with its arguments, where they have holes, and
// whether it repeats.
func calls(r Reading) string {
	var out strings.Builder
	for _, c := range r.Calls {
		words := []string{c.Tool, "?"}
		if c.Known {
			words[1] = string(c.Args)
		}
		words = append(words, c.Holes...)
		if c.Repeats {
			words = append(words, "repeats")
		}
		fmt.Fprintln(&out, strings.Join(words, " "))
	}
	return out.String()
}

// files compares what is read in the programs of a txtar file, NAME.js, with what must be, NAME.calls.
func files(t *testing.T, name string, read func(t *testing.T, source string) string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	archive, err := txtar.ParseFile(path)
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
		t.Run(title, func(t *testing.T) {
			got := read(t, string(source.Data))
			if *update {
				archive.Files[i+1].Data = []byte(got)
			} else if diff := cmp.Diff(string(want.Data), got); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
		})
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if n < 80 {
		t.Errorf("%d programs in %s, want 80 or more", n, name)
	}
}

// TestOrdinary reads programs as models write them for coding tasks: every call is found and nothing is opaque.
func TestOrdinary(t *testing.T) {
	files(t, "ordinary.txtar", func(t *testing.T, source string) string {
		r := Read(source, []string{"tools"})
		if r.Opaque {
			t.Errorf("opaque: %s", r.Why)
		}
		strict(t, r)
		return calls(r)
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
		if c.Known != (c.Args != nil) || !c.Known && c.Holes != nil {
			t.Errorf("known is %v for %s with holes %v", c.Known, c.Args, c.Holes)
		}
		for _, hole := range c.Holes {
			if at, ok := lookup(members, hole); !ok || at != nil {
				t.Errorf("%s has %v at %s", c.Args, at, hole)
			}
		}
	}
}

// lookup finds what a JSON pointer points to.
func lookup(v any, pointer string) (any, bool) {
	for _, name := range strings.Split(pointer, "/")[1:] {
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		switch parent := v.(type) {
		case map[string]any:
			item, ok := parent[name]
			if !ok {
				return nil, false
			}
			v = item
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(parent) {
				return nil, false
			}
			v = parent[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// TestObfuscated reads programs that hide what they call. The file has OPAQUE for those that must be opaque; of the
// others, every call must be found.
func TestObfuscated(t *testing.T) {
	files(t, "obfuscated.txtar", func(t *testing.T, source string) string {
		r := Read(source, []string{"tools"})
		strict(t, r)
		if r.Opaque {
			return "OPAQUE\n"
		}
		return calls(r)
	})
}
