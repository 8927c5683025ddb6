package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/weir-gate/weir/internal/run/confine"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// weir is the path of the real weir.
var weir string

func TestMain(m *testing.M) {
	if confine.Inside() {
		confine.Main() // this binary was started to find out whether programs can be confined here
	}
	os.Exit(need.Main(m, &weir))
}

// shell runs a command line in a folder, as a person types it, and returns what it prints. weir is on the path, and has no files but those
// of the folder.
func shell(t *testing.T, dir, line string) (output string, code int) {
	t.Helper()
	home := t.TempDir()
	if err := os.Symlink(weir, filepath.Join(home, "weir")); err != nil { // whatever its file is called
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + home + string(filepath.ListSeparator) + os.Getenv("PATH"),
		"HOME=" + home, "TZ=UTC", "NO_COLOR=1",
	}
	out, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}
