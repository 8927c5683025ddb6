package need

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// module makes a module with a command in it and returns its folder.
func module(t *testing.T, requires string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), []byte("module example.com/hello\n\ngo 1.26\n"+requires))
	if err := os.Mkdir(filepath.Join(dir, "hello"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "hello", "main.go"), []byte("package main\n\nfunc main() { println(\"hello\") }\n"))
	return dir
}

func TestGoProgram(t *testing.T) {
	out, err := exec.Command(GoProgram(t, module(t, ""), "./hello", "greetings")).CombinedOutput()
	if err != nil || string(out) != "hello\n" {
		t.Errorf("it says %q and %v", out, err)
	}
}

// TestGoModuleMissing runs a test whose module cannot be fetched in a process of its own, because it ends the test.
func TestGoModuleMissing(t *testing.T) {
	if os.Getenv("NEED_TEST_LACKS") == "yes" {
		GoProgram(t, module(t, "require example.com/nowhere v1.0.0\n"), "./hello", "greetings")
		t.Fatal("it goes on")
	}
	skips := filepath.Join(t.TempDir(), "skips")
	cmd := exec.Command(os.Args[0], "-test.run=^TestGoModuleMissing$", "-test.v")
	cmd.Env = append(os.Environ(), "NEED_TEST_LACKS=yes", skipsVar+"="+skips, "WEIR_REQUIRE=", "GOPROXY=off", "GOFLAGS=")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- SKIP: TestGoModuleMissing") {
		t.Errorf("%v: it says\n%s", err, out)
	}
	if rows := string(read(t, skips)); !strings.HasPrefix(rows, "greetings\tthe modules cannot be fetched: ") {
		t.Errorf("rows are %q", rows)
	}
}
