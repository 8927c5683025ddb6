package need

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Codex returns the path of the Codex CLI that the package-lock.json in dir names. It is installed once for each lock
// file, outside the checkout. what is what cannot be tested without it.
func Codex(t testing.TB, dir, what string) string {
	t.Helper()
	return binary(t, dir, what, "@openai", "codex-*", "vendor", "*", "bin", "codex")
}

// ClaudeCode is like Codex, for Claude Code.
func ClaudeCode(t testing.TB, dir, what string) string {
	t.Helper()
	return binary(t, dir, what, "@anthropic-ai", "claude-code-*", "claude")
}

// OpenCode is like Codex, for opencode.
func OpenCode(t testing.TB, dir, what string) string {
	t.Helper()
	return binary(t, dir, what, "opencode-*", "bin", "opencode")
}

// GeminiCLI is like Codex, for the Gemini CLI. It is a script, so node, which runs it, is returned ahead of it.
func GeminiCLI(t testing.TB, dir, what string) []string {
	t.Helper()
	node := NodePackages(t, dir, what)
	script := filepath.Join(node.Modules, "@google", "gemini-cli", "bundle", "gemini.js")
	if _, err := os.Stat(script); err != nil {
		t.Fatal(err)
	}
	return []string{node.Program, script}
}

// binary returns the path of the program that is at the place pattern among the packages of dir.
func binary(t testing.TB, dir, what string, pattern ...string) string {
	t.Helper()
	path, ok := binaryIn(NodePackages(t, dir, what).Modules, pattern...)
	if !ok {
		Missing(t, what, "there is none for "+runtime.GOOS+"/"+runtime.GOARCH)
	}
	return path
}

// binaryIn finds a program itself in a node_modules folder, behind the script that starts it: what is started there is
// what is stopped, and it starts faster. The package manager installs the one for this machine only.
func binaryIn(modules string, pattern ...string) (path string, ok bool) {
	found, err := filepath.Glob(filepath.Join(append([]string{modules}, pattern...)...))
	if err != nil || len(found) != 1 {
		return "", false
	}
	return found[0], true
}
