package need

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// Node is a JavaScript runtime and the packages of a lock file.
type Node struct {
	Program string // path of node
	Modules string // path of the node_modules folder
}

// NodePackages returns node and the packages that the package-lock.json in dir names. They are installed once for each
// lock file, outside the checkout. what is what cannot be tested without them.
func NodePackages(t testing.TB, dir, what string) Node {
	t.Helper()
	node, npm := program(t, "node", what), program(t, "npm", what)
	lock := read(t, filepath.Join(dir, "package-lock.json"))
	path := tree(t, what, "js", [][]byte{lock, version(t, node, "--version")}, func(ctx context.Context, into string) *exec.Cmd {
		for _, name := range []string{"package.json", "package-lock.json", ".npmrc"} {
			write(t, filepath.Join(into, name), read(t, filepath.Join(dir, name)))
		}
		cmd := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
		cmd.Dir = into
		return cmd
	})
	return Node{Program: node, Modules: filepath.Join(path, "node_modules")}
}

// Python is a Python interpreter and the packages of a requirements file.
type Python struct {
	Program string // path of python3
	Modules string // folder for PYTHONPATH
}

// PythonPackages returns python3 and the packages that the file at requirements names. They are installed once for each
// such file, outside the checkout. what is what cannot be tested without them.
func PythonPackages(t testing.TB, requirements, what string) Python {
	t.Helper()
	python := program(t, "python3", what)
	key := [][]byte{read(t, requirements), version(t, python, "-VV")}
	path := tree(t, what, "python", key, func(ctx context.Context, into string) *exec.Cmd {
		// Only packages that need no building: installing runs no code of theirs.
		return exec.CommandContext(ctx, python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
			"--only-binary=:all:", "--target", into, "--requirement", requirements)
	})
	return Python{Program: python, Modules: path}
}

// installTime is how long an installation may take. Installers try for long to reach a registry that is not there.
const installTime = 5 * time.Minute

// installing has a lock for every installation, by its path: tests of one process wait for each other.
var installing sync.Map

// tree returns the folder of an installation, which install makes if it is not there yet. key is what it depends on.
func tree(t testing.TB, what, kind string, key [][]byte, install func(ctx context.Context, into string) *exec.Cmd) string {
	t.Helper()
	return once(t, what, kind, key, func(into string) {
		ctx, cancel := context.WithTimeout(t.Context(), installTime)
		defer cancel()
		cmd := install(ctx, into)
		cmd.WaitDelay = time.Second // what it started may outlive it, and hold its output
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Logf("%s\n%s", strings.Join(cmd.Args, " "), out)
			Missing(t, what, fmt.Sprintf("the packages cannot be installed: %v: %s", err, complaint(out)))
		}
	})
}

// once returns a folder outside the checkout, which fill fills if it is not there yet. key is what it depends on.
// Tests of several processes may ask at the same time: each fills one aside, and the first to be done is kept.
func once(t testing.TB, what, kind string, key [][]byte, fill func(into string)) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		Missing(t, what, "there is no cache folder: "+err.Error())
	}
	cache = filepath.Join(cache, "weir-test")
	path := filepath.Join(cache, kind+"-"+digest(key))
	lock, _ := installing.LoadOrStore(path, new(sync.Mutex))
	lock.(*sync.Mutex).Lock()
	defer lock.(*sync.Mutex).Unlock()
	if _, err := os.Stat(path); err == nil {
		return path
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		Missing(t, what, "the cache folder cannot be made: "+err.Error())
	}
	aside, err := os.MkdirTemp(cache, "new-")
	if err != nil {
		Missing(t, what, "the cache folder cannot be written: "+err.Error())
	}
	defer os.RemoveAll(aside) // what is left over does no harm
	fill(aside)
	if err := keep(aside, path); err != nil {
		t.Fatalf("keep what is needed for %s: %v", what, err)
	}
	return path
}

// keep gives a finished installation its name, unless another one has it already.
func keep(aside, path string) error {
	if err := os.Chmod(aside, 0o755); err != nil {
		return err
	}
	err := os.Rename(aside, path)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// digest names an installation by all that it depends on.
func digest(key [][]byte) string {
	h := sha256.New()
	for _, part := range append(key, []byte(runtime.GOOS+"/"+runtime.GOARCH)) {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// version is what a program says of itself.
func version(t testing.TB, program, flag string) []byte {
	t.Helper()
	out, err := exec.Command(program, flag).Output()
	if err != nil {
		t.Fatalf("ask %s for its version: %v", program, err)
	}
	return out
}

// complaint is the line in which an installer says what went wrong; the first if none stands out.
func complaint(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for _, line := range lines {
		if strings.HasPrefix(line, "ERROR") || strings.HasPrefix(line, "npm error") {
			return line
		}
	}
	return lines[0]
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
