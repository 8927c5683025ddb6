package verify

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Outside of a session nothing keeps a program from what is tried: the trials must see that, and do no harm.
func TestTrialsSeeWhatIsNotStopped(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a probe tries these only in namespaces")
	}
	dir := filepath.Join(t.TempDir(), "rules")
	path := filepath.Join(dir, "policy.yaml")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("version: 1\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := setBait(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	got := map[string]Result{}
	got["write"], _ = tryWrite(path)
	got["folder"], _ = tryFolder(path)
	got["replace"], _ = tryReplace(path)
	got["read"], _ = tryRead([]string{path}, "")
	got["read folder"], _ = tryRead([]string{dir}, "")
	got["port"], _ = tryPort(t.Context(), b.port, b.banner)
	got["sockets"], _ = trySockets(t.Context(), b.sockets)
	want := map[string]Result{"write": Done, "folder": Done, "replace": Done, "read": Done, "read folder": Done, "port": Done, "sockets": Done}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	after, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || string(text) != "version: 1\n" || after.Mode() != before.Mode() {
		t.Errorf("the policy is not what it was: %q, %v, %v", text, after.Mode(), err)
	}
	for _, folder := range []string{dir, filepath.Dir(dir)} {
		entries, err := os.ReadDir(folder)
		if err != nil || len(entries) != 1 {
			t.Errorf("left behind in %s: %v, %v", folder, entries, err)
		}
	}
}

// What is not there, empty or closed counts as stopped.
func TestTrialsThatAreStopped(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := uint16(l.Addr().(*net.TCPAddr).Port)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	gone := filepath.Join(dir, "gone")
	got := map[string]Result{}
	got["write"], _ = tryWrite(gone)
	got["folder"], _ = tryFolder(gone)
	got["replace"], _ = tryReplace(gone)
	got["read"], _ = tryRead([]string{gone, empty, folder}, "")
	got["port"], _ = tryPort(t.Context(), port, "banner")
	got["sockets"], _ = trySockets(t.Context(), []string{gone, empty})
	for trial, r := range got {
		if r != Stopped {
			t.Errorf("%s: %s", trial, r)
		}
	}
}
