package need

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMissing runs a test that lacks something in a process of its own, because it ends the test.
func TestMissing(t *testing.T) {
	if os.Getenv("NEED_TEST_LACKS") == "yes" {
		Missing(t, "the moon", "no\tway\nto get there")
		t.Fatal("it goes on")
	}
	for _, tt := range []struct {
		name, require string
		fails         bool
		says          string
	}{
		{"skipped", "", false, "--- SKIP: TestMissing"},
		{"required", "all", true, "--- FAIL: TestMissing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			skips := filepath.Join(t.TempDir(), "skips")
			cmd := exec.Command(os.Args[0], "-test.run=^TestMissing$", "-test.v")
			cmd.Env = append(os.Environ(), "NEED_TEST_LACKS=yes", skipsVar+"="+skips, "WEIR_REQUIRE="+tt.require)
			out, err := cmd.CombinedOutput()
			if failed := err != nil; failed != tt.fails {
				t.Errorf("failed: %v, want %v", failed, tt.fails)
			}
			if !strings.Contains(string(out), tt.says) || strings.Contains(string(out), "it goes on") {
				t.Errorf("it says\n%s", out)
			}
			rows, err := os.ReadFile(skips)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff("the moon\tno way to get there\n", string(rows)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The second of two installations of the same packages does not disturb the first.
func TestKeepTheFirst(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "kept")
	for _, name := range []string{"first", "second"} {
		aside := filepath.Join(dir, "new-"+name)
		if err := os.Mkdir(aside, 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(aside, "who"), []byte(name))
		if err := keep(aside, path); err != nil {
			t.Fatalf("keep the %s: %v", name, err)
		}
	}
	if got := string(read(t, filepath.Join(path, "who"))); got != "first" {
		t.Errorf("kept the %s", got)
	}
}

// Tests that need the same packages at the same time install them once.
func TestInstalledOnce(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var installed atomic.Int32
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			tree(t, "the moon", "once", [][]byte{[]byte("key")}, func(ctx context.Context, _ string) *exec.Cmd {
				installed.Add(1)
				return exec.CommandContext(ctx, os.Args[0], "-test.run=^$")
			})
		})
	}
	all.Wait()
	if n := installed.Load(); n != 1 {
		t.Errorf("installed %d times", n)
	}
}

// What an installation depends on cannot be confused by where one part ends.
func TestDigestTellsPartsApart(t *testing.T) {
	one := digest([][]byte{[]byte("ab"), []byte("c")})
	two := digest([][]byte{[]byte("a"), []byte("bc")})
	if one == two {
		t.Errorf("both are %s", one)
	}
}

func TestComplaint(t *testing.T) {
	for out, want := range map[string]string{
		"":                                   "",
		"killed\nsoon\n":                     "killed",
		"npm error code E1\nnpm error two\n": "npm error code E1",
		"WARNING: Retrying\nERROR: none\n":   "ERROR: none",
	} {
		if got := complaint([]byte(out)); got != want {
			t.Errorf("of %q: %q, want %q", out, got, want)
		}
	}
}

func TestSeeds(t *testing.T) {
	all := []string{"a", "b", "c"}
	for most, want := range map[string]int{"": 3, "2": 2, "3": 3, "9": 3} {
		t.Setenv(seedsVar, most)
		got := map[string]bool{}
		for _, seed := range Seeds(all) {
			got[seed] = slices.Contains(all, seed)
		}
		if len(got) != want || strings.Join(all, "") != "abc" {
			t.Errorf("%q: %v of %v", most, got, all)
		}
	}
}
