package install

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/need"
)

const script = "../../install.sh"

// program plays weir in the archives.
const program = "#!/bin/sh\necho weir v1.2.3\n"

// archive packs a file as releases do.
func archive(t *testing.T, name, text string) []byte {
	t.Helper()
	var buf bytes.Buffer
	compressed := gzip.NewWriter(&buf)
	w := tar.NewWriter(compressed)
	if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text))}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := compressed.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// archiveName is the name of an archive for this machine.
func archiveName(version string) string {
	return fmt.Sprintf("weir_%s_%s_%s.tar.gz", version, runtime.GOOS, runtime.GOARCH)
}

func sumLine(data []byte, name string) string {
	return fmt.Sprintf("%x  %s\n", sha256.Sum256(data), name)
}

// serve serves files by their paths, and returns the address.
func serve(t *testing.T, files map[string]string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, text)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// release returns the files of version 1.2.3, which is the newest.
func release(t *testing.T) map[string]string {
	t.Helper()
	name, data := archiveName("1.2.3"), archive(t, "weir", program)
	sums := sumLine([]byte("other"), "weir_1.2.3_plan9_mips.tar.gz") + sumLine(data, name) + sumLine([]byte("doc"), name+".spdx.json")
	return map[string]string{
		"/latest/download/checksums.txt": sums, "/download/v1.2.3/checksums.txt": sums, "/download/v1.2.3/" + name: string(data),
	}
}

func TestInstall(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		need.Missing(t, "install.sh", "it is for Linux and macOS")
	}
	here := "/download/v1.2.3/" + archiveName("1.2.3")
	tests := map[string]struct {
		change func(files map[string]string)
		args   []string
		says   string
		weir   string // in the folder afterwards; it was "old" before
		fails  bool
	}{
		"the newest":             {says: "installed", weir: program},
		"a version":              {args: []string{"--version", "1.2.3"}, says: "weir v1.2.3", weir: program},
		"a version, as a tag":    {args: []string{"--version", "v1.2.3"}, says: "weir v1.2.3", weir: program},
		"a version that is none": {args: []string{"--version", "9.9.9"}, says: "cannot download", weir: "old", fails: true},
		"only what it would do":  {args: []string{"--dry-run"}, says: "would install", weir: "old"},
		"an unknown argument":    {args: []string{"--force"}, says: "unknown argument --force", weir: "old", fails: true},
		"a missing value":        {args: []string{"--version"}, says: "--version needs a value", weir: "old", fails: true},
		"another archive than the sums say": {
			change: func(files map[string]string) { files[here] = string(archive(t, "weir", "#!/bin/sh\necho owned\n")) },
			says:   "but must have", weir: "old", fails: true,
		},
		"an archive that is cut off": {
			change: func(files map[string]string) { files[here] = files[here][:len(files[here])/2] },
			says:   "but must have", weir: "old", fails: true,
		},
		"no archive": {
			change: func(files map[string]string) { delete(files, here) },
			says:   "cannot download", weir: "old", fails: true,
		},
		"sums without this platform": {
			change: func(files map[string]string) {
				files["/latest/download/checksums.txt"] = sumLine(nil, "weir_1.2.3_plan9_mips.tar.gz")
			},
			says: "lists no archive for", weir: "old", fails: true,
		},
		"two sums for this platform": {
			change: func(files map[string]string) {
				files["/latest/download/checksums.txt"] += sumLine(nil, archiveName("6.6.6"))
			},
			says: "more than one archive", weir: "old", fails: true,
		},
		"sums of another version": {
			change: func(files map[string]string) {
				files["/download/v1.2.2/checksums.txt"] = files["/download/v1.2.3/checksums.txt"]
			},
			args: []string{"--version", "1.2.2"}, says: "is of version 1.2.3, not 1.2.2", weir: "old", fails: true,
		},
		"a page in place of the sums": {
			change: func(files map[string]string) { files["/latest/download/checksums.txt"] = "<html>Please log in</html>" },
			says:   "lists no archive for", weir: "old", fails: true,
		},
		"a program that does not run": {
			change: func(files map[string]string) {
				broken := archive(t, "weir", "#!/bin/sh\nexit 1\n")
				files[here] = string(broken)
				files["/latest/download/checksums.txt"] = sumLine(broken, archiveName("1.2.3"))
			},
			says: "does not run on this machine", weir: "old", fails: true,
		},
		"an archive without weir": {
			change: func(files map[string]string) {
				other := archive(t, "other", program)
				files[here] = string(other)
				files["/latest/download/checksums.txt"] = sumLine(other, archiveName("1.2.3"))
			},
			says: "has no weir in it", weir: "old", fails: true,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := release(t)
			if test.change != nil {
				test.change(files)
			}
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "weir"), []byte("old"), 0o755); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("sh", append([]string{script, "--from", serve(t, files), "--dir", dir}, test.args...)...)
			cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir(), "no_proxy=*")
			said, err := cmd.CombinedOutput()
			if (err != nil) != test.fails || !strings.Contains(string(said), test.says) {
				t.Errorf("got %v, want %q in:\n%s", err, test.says, said)
			}
			if got := readFolder(t, dir); got != "weir: "+test.weir+"\n" {
				t.Errorf("the folder has\n%s", got)
			}
			if left := readFolder(t, strings.TrimPrefix(cmd.Env[len(cmd.Env)-2], "TMPDIR=")); left != "" {
				t.Errorf("it left behind\n%s", left)
			}
		})
	}
}

// readFolder returns the names and texts of the files in a folder.
func readFolder(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil && !e.IsDir() {
			t.Fatal(err)
		}
		fmt.Fprintf(&all, "%s: %s\n", e.Name(), text)
	}
	return all.String()
}

// It shows its own first lines, which must not grow into the code.
func TestHelp(t *testing.T) {
	said, err := exec.Command("sh", script, "--help").CombinedOutput()
	if err != nil || !strings.Contains(string(said), "--dry-run") || strings.Contains(string(said), "set -eu") {
		t.Errorf("got %v:\n%s", err, said)
	}
}

func TestWrongKey(t *testing.T) {
	if _, err := exec.LookPath("minisign"); err == nil {
		t.Skip("what is tested is that it refuses to go on without minisign")
	}
	dir := t.TempDir()
	said, err := exec.Command("sh", script, "--from", serve(t, release(t)), "--dir", dir, "--key", "RWQ").CombinedOutput()
	if err == nil || !strings.Contains(string(said), "needs the program minisign") || readFolder(t, dir) != "" {
		t.Errorf("got %v:\n%s", err, said)
	}
}
