package verify

import (
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/expect"
	"github.com/weir-gate/weir/internal/weirtest/port"
)

// Outside of a session nothing keeps a program from what is tried: the trials must see that, and do no harm.
func TestTrialsSeeWhatIsNotStopped(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a probe tries these only in namespaces")
	}
	dir := filepath.Join(t.TempDir(), "rules")
	path := filepath.Join(dir, "policy.yaml")
	expect.OK(t, os.Mkdir(dir, 0o700))
	expect.OK(t, os.WriteFile(path, []byte("version: 1\n"), 0o640))
	before, err := os.Stat(path)
	expect.OK(t, err)
	b, err := setBait(t.TempDir())
	expect.OK(t, err)
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
	expect.Same(t, want, got)
	after, err := os.Stat(path)
	expect.OK(t, err)
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
	expect.OK(t, os.WriteFile(empty, nil, 0o600))
	folder := filepath.Join(dir, "folder")
	expect.OK(t, os.Mkdir(folder, 0o700))
	closed := netip.MustParseAddrPort(port.Reserve(t)).Port()
	gone := filepath.Join(dir, "gone")
	got := map[string]Result{}
	got["write"], _ = tryWrite(gone)
	got["folder"], _ = tryFolder(gone)
	got["replace"], _ = tryReplace(gone)
	got["read"], _ = tryRead([]string{gone, empty, folder}, "")
	got["port"], _ = tryPort(t.Context(), closed, "banner")
	got["sockets"], _ = trySockets(t.Context(), []string{gone, empty})
	for trial, r := range got {
		expect.Equal(t, r, Stopped, "%s", trial)
	}
}
