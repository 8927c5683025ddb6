package need

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// weirVar names the weir that is to be tested, by its absolute path. Who runs the tests of many packages builds it once for all.
const weirVar = "WEIR_BIN"

// Weir returns the path of the real weir: the one at WEIR_BIN, or one that is built for this test.
func Weir(t testing.TB) string {
	t.Helper()
	path, err := WeirIn(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Main runs the tests of a package with one weir for all of them, whose path it sets in binary, and returns the exit code.
func Main(m *testing.M, binary *string) int {
	flag.Parse()
	dir, err := os.MkdirTemp("", "weir-built-")
	if err == nil {
		defer func() {
			if err := os.RemoveAll(dir); err != nil {
				log.Print(err)
			}
		}()
		*binary, err = WeirIn(dir)
	}
	if err != nil {
		log.Print(err)
		return 1
	}
	return m.Run()
}

// WeirIn is like Weir. If weir is built, it is in the folder dir.
func WeirIn(dir string) (string, error) {
	root, err := checkout()
	if err != nil {
		return "", err
	}
	// The cache of test results sees what a test looks at, but not what it has built.
	for _, sources := range []string{"cmd", "internal"} {
		look := func(_ string, _ fs.DirEntry, err error) error { return err }
		if err := filepath.WalkDir(filepath.Join(root, sources), look); err != nil {
			return "", err
		}
	}
	if path := os.Getenv(weirVar); path != "" {
		if _, err := os.Stat(path); err != nil {
			return "", fmt.Errorf("%s: %w", weirVar, err)
		}
		return path, nil
	}
	path := filepath.Join(dir, "weir")
	build := exec.Command("go", "build", "-o", path, "./cmd/weir")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build weir: %w\n%s", err, out)
	}
	return path, nil
}

// checkout is the folder of the module in which a test runs.
func checkout() (string, error) {
	dir, err := os.Getwd()
	for ; err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
	}
	return "", errors.Join(errors.New("there is no go.mod above the test"), err)
}
