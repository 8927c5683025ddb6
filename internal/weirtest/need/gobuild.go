package need

import (
	"context"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// GoProgram builds the command at the path pkg of the module in dir and returns the path of the program. Modules are
// fetched as the module's go.sum has them. what is what cannot be tested without them.
func GoProgram(t testing.TB, dir, pkg, what string) string {
	t.Helper()
	tool := program(t, "go", what)
	depend(t, dir)
	ctx, cancel := context.WithTimeout(t.Context(), installTime)
	defer cancel()
	fetch := exec.CommandContext(ctx, tool, "mod", "download")
	fetch.Dir = dir
	fetch.WaitDelay = time.Second // what it started may outlive it, and hold its output
	if out, err := fetch.CombinedOutput(); err != nil {
		t.Logf("go mod download in %s\n%s", dir, out)
		Missing(t, what, fmt.Sprintf("the modules cannot be fetched: %v: %s", err, complaint(out)))
	}
	path := filepath.Join(t.TempDir(), filepath.Base(pkg))
	build := exec.CommandContext(t.Context(), tool, "build", "-o", path, pkg)
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build %s in %s: %v\n%s", pkg, dir, err, out)
	}
	return path
}

// depend reads the files of a folder. The cache of test results sees what a test reads, but not what it has built.
func depend(t testing.TB, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			read(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
