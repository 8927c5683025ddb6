package run

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A socket can be in every scratch folder.
func TestLongTemp(t *testing.T) {
	temp := filepath.Join(t.TempDir(), strings.Repeat("x", 100))
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	s, err := makeScratch(temp)
	if err != nil {
		t.Fatal(err)
	}
	defer s.remove()
	l, err := net.Listen("unix", s.path(socketFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// Folders of runs that are over are removed by the next run; those of others are not.
func TestSweep(t *testing.T) {
	temp, err := os.MkdirTemp("", "weir") // with a short path
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(temp) }) // it is the system's to clean
	running, err := makeScratch(temp)
	if err != nil {
		t.Fatal(err)
	}
	defer running.remove()
	killed, err := makeScratch(temp)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(killed.path("mcp.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := killed.lock.Close(); err != nil { // as the system does when a process ends
		t.Fatal(err)
	}
	others := filepath.Join(temp, scratchPrefix+"others") // without a lock: it is just being made, or somebody else's
	if err := os.Mkdir(others, 0o700); err != nil {
		t.Fatal(err)
	}
	if left := Leftovers(temp); len(left) != 1 || left[0] != killed.dir {
		t.Errorf("%q are left over", left)
	}
	next, err := makeScratch(temp)
	if err != nil {
		t.Fatal(err)
	}
	for dir, there := range map[string]bool{running.dir: true, next.dir: true, others: true, killed.dir: false} {
		if _, err := os.Stat(dir); (err == nil) != there {
			t.Errorf("%s is there: %v", dir, !there)
		}
	}
	next.remove()
	if _, err := os.Stat(next.dir); err == nil {
		t.Error("the folder of a run that has ended is still there")
	}
}
