//go:build unix

package catchup

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/home/hometest"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/verify"
)

// TestReadOnly: whoever may only read a record can list and verify it, with and without an index.
func TestReadOnly(t *testing.T) {
	if os.Getuid() == 0 {
		// root may write everything, so another user reads.
		readAsNobody(t)
		return
	}
	for _, indexed := range []bool{true, false} {
		dir := os.Getenv("WEIR_TEST_READ_ONLY")
		if dir == "" {
			dir = t.TempDir()
			makeReadOnly(t, dir)
		}
		readOnly(t, dir, indexed)
	}
}

func readOnly(t *testing.T, dir string, indexed bool) {
	t.Helper()
	name := "indexed"
	if !indexed {
		name = "unindexed"
	}
	url := "sqlite://" + filepath.Join(dir, name, "weir.db")
	r, err := Open(t.Context(), Config{URL: url, Within: time.Millisecond, Say: func(text string) { t.Log(text) }})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() // nothing was written
	n := 0
	for _, err := range r.Entries(t.Context(), query.Filter{Tool: "Bash"}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	report, err := verify.Check{Record: r}.Run(t.Context())
	if n != 3 || err != nil || report.Found > 0 || report.Events != 3 {
		t.Errorf("%s: %d events, %+v, %v", name, n, report, err)
	}
}

// makeReadOnly makes two records that nobody may write, of which one has no index.
func makeReadOnly(t *testing.T, dir string) {
	t.Helper()
	call := record.Event{Type: record.Types.ToolCall, Tool: "Bash"}
	for _, name := range []string{"indexed", "unindexed"} {
		path := filepath.Join(dir, name, "weir.db")
		if err := hometest.Record(t.Context(), "sqlite://"+path, "", call, call, call); err != nil {
			t.Fatal(err)
		}
		if name == "unindexed" {
			if err := os.RemoveAll(path + "-index"); err != nil {
				t.Fatal(err)
			}
		}
	}
	setModes(t, dir, 0o555, 0o444)
	t.Cleanup(func() { setModes(t, dir, 0o755, 0o644) })
}

func setModes(t *testing.T, dir string, folders, files os.FileMode) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			return os.Chmod(path, folders)
		}
		return os.Chmod(path, files)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// readAsNobody runs this test as a user that has no rights.
func readAsNobody(t *testing.T) {
	t.Helper()
	dir, err := os.MkdirTemp("", "weir-read-only-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	makeReadOnly(t, dir)
	program := filepath.Join(dir+".test", "catchup.test")
	if err := os.MkdirAll(filepath.Dir(program), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(filepath.Dir(program)) })
	me, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(me)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, data, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^TestReadOnly$", "-test.v")
	cmd.Dir, cmd.Env, cmd.SysProcAttr = "/", append(os.Environ(), "WEIR_TEST_READ_ONLY="+dir), asNobody()
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}
