//go:build unix

package run

import (
	"os"
	"syscall"
)

// exitOf is the status of a process that has ended, as shells have it.
func exitOf(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}
