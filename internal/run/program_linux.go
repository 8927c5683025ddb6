package run

import (
	"fmt"
	"os"
)

// isOwnProgram says whether a process runs the same program file as this process.
func isOwnProgram(pid int) bool {
	theirs, err := os.Stat(fmt.Sprintf("/proc/%d/exe", pid))
	if err != nil {
		return false
	}
	ours, err := os.Stat("/proc/self/exe")
	return err == nil && os.SameFile(ours, theirs)
}
