//go:build unix

package run

import (
	"os"
	"syscall"
)

// exitOf returns the status of a process that has ended, the same as in shells.
func exitOf(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}
