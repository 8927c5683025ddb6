package need

import (
	"context"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// GoProgram builds the command at the path pkg of the module in dir and returns the path of the program. It is built once
// for each content of dir, outside the checkout, so dir must hold all that is not in another module. Modules are fetched as
// the module's go.sum has them. what is what cannot be tested without them.
func GoProgram(t testing.TB, dir, pkg, what string) string {
	t.Helper()
	tool := program(t, "go", what)
	key := append(contents(t, dir), []byte(pkg), []byte(runtime.Version()))
	path := once(t, what, "go", key, func(into string) {
		ctx, cancel := context.WithTimeout(t.Context(), installTime)
		defer cancel()
		fetch := exec.CommandContext(ctx, tool, "mod", "download")
		fetch.Dir = dir
		fetch.WaitDelay = time.Second // what it started may outlive it, and hold its output
		if out, err := fetch.CombinedOutput(); err != nil {
			t.Logf("go mod download in %s\n%s", dir, out)
			Missing(t, what, fmt.Sprintf("the modules cannot be fetched: %v: %s", err, complaint(out)))
		}
		build := exec.CommandContext(t.Context(), tool, "build", "-o", into+string(filepath.Separator), pkg)
		build.Dir = dir
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("build %s in %s: %v\n%s", pkg, dir, err, out)
		}
	})
	return filepath.Join(path, filepath.Base(pkg))
}

// contents are the names and the contents of the files of a folder.
func contents(t testing.TB, dir string) [][]byte {
	t.Helper()
	var all [][]byte
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		all = append(all, []byte(name), read(t, path))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
