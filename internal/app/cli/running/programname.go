package running

import (
	"os"
	"os/exec"
	"path/filepath"
)

// ProgramName returns what a person types to run this program: its name if the PATH finds it, else the path with which it was
// started.
func ProgramName() string {
	const name = "weir"
	self, err := os.Executable()
	if err != nil || len(os.Args) == 0 {
		return name
	}
	found, err := exec.LookPath(name)
	if err == nil && sameFile(found, self) || !filepath.IsAbs(os.Args[0]) && filepath.Base(os.Args[0]) == os.Args[0] {
		return name
	}
	return os.Args[0]
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
