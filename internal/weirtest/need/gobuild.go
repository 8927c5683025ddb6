package need

import (
	"context"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// GoProgram builds the command at the path pkg of the module in dir and returns the path of the program. Its modules are
// fetched as its go.sum has them. what is what cannot be tested without them.
func GoProgram(t testing.TB, dir, pkg, what string) string {
	t.Helper()
	tool := program(t, "go", what)
	ctx, cancel := context.WithTimeout(t.Context(), installTime)
	defer cancel()
	run := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, tool, args...)
		cmd.Dir = dir
		cmd.WaitDelay = time.Second // what it started may outlive it, and hold its output
		return cmd.CombinedOutput()
	}
	if out, err := run("mod", "download"); err != nil {
		t.Logf("go mod download in %s\n%s", dir, out)
		Missing(t, what, "the modules cannot be fetched: "+err.Error()+": "+complaint(out))
	}
	path := filepath.Join(t.TempDir(), filepath.Base(pkg))
	if out, err := run("build", "-o", path, pkg); err != nil {
		t.Fatalf("build %s in %s: %v\n%s", pkg, dir, err, out)
	}
	return path
}
