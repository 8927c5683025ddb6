package need

import (
	"path/filepath"
	"runtime"
	"testing"
)

// Codex returns the path of the Codex CLI that the package-lock.json in dir names. It is installed once for each lock
// file, outside the checkout. what is what cannot be tested without it.
func Codex(t testing.TB, dir, what string) string {
	t.Helper()
	path, ok := codexIn(NodePackages(t, dir, what).Modules)
	if !ok {
		Missing(t, what, "there is no Codex for "+runtime.GOOS+"/"+runtime.GOARCH)
	}
	return path
}

// codexIn finds the program itself in a node_modules folder, behind the script that starts it: what is started there is
// what is stopped, and it starts faster. The package manager installs the one for this machine only.
func codexIn(modules string) (path string, ok bool) {
	found, err := filepath.Glob(filepath.Join(modules, "@openai", "codex-*", "vendor", "*", "bin", "codex"))
	if err != nil || len(found) != 1 {
		return "", false
	}
	return found[0], true
}
