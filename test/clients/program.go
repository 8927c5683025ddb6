package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/expect"
	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/internal/weirtest/program"
)

// A Program plays clients of some kinds, one after the other.
type Program struct {
	Name  string
	Kinds []Kind
	// Prepare gets what the program needs and returns how it is started.
	Prepare func(t *testing.T) Launch
}

// A Launch makes the command that starts a program.
type Launch func(t *testing.T) *exec.Cmd

// JavaScript is the program of the module with that name in the folder js.
func JavaScript(module string, kinds ...Kind) Program {
	return Program{"javascript-" + module, kinds, func(t *testing.T) Launch {
		node := need.NodePackages(t, "../js", "the JavaScript SDKs")
		return func(t *testing.T) *exec.Cmd {
			dir := copied(t, "../js/*.mjs")
			// Modules are found beside the program that imports them.
			expect.OK(t, os.Symlink(node.Modules, filepath.Join(dir, "node_modules")))
			cmd := exec.Command(node.Program, filepath.Join(dir, "client.mjs"), module)
			cmd.Env = program.Environment(dir)
			return cmd
		}
	}}
}

// Python is the program of the module with that name in the folder python.
func Python(module string, kinds ...Kind) Program {
	return Program{"python-" + module, kinds, func(t *testing.T) Launch {
		python := need.PythonPackages(t, "../python/requirements.txt", "the Python SDKs")
		return func(t *testing.T) *exec.Cmd {
			dir := copied(t, "../python/*.py")
			cmd := exec.Command(python.Program, filepath.Join(dir, "client.py"), module)
			cmd.Env = program.Environment(dir, "PYTHONPATH="+python.Modules, "PYTHONNOUSERSITE=1", "PYTHONDONTWRITEBYTECODE=1")
			return cmd
		}
	}}
}

// Go is the program of the command with that name in the folder go, which is a module of its own.
func Go(command string, kinds ...Kind) Program {
	return Program{"go-" + command, kinds, func(t *testing.T) Launch {
		path := need.GoProgram(t, "../go", "./"+command, "the Go SDKs")
		return func(t *testing.T) *exec.Cmd {
			cmd := exec.Command(path)
			cmd.Env = program.Environment(t.TempDir())
			return cmd
		}
	}}
}

// copied returns a folder of its own with the files that match a pattern.
func copied(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", pattern, len(files), err)
	}
	dir := t.TempDir()
	for _, file := range files {
		data, err := os.ReadFile(file)
		expect.OK(t, err)
		expect.OK(t, os.WriteFile(filepath.Join(dir, filepath.Base(file)), data, 0o600))
	}
	return dir
}
