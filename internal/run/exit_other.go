//go:build !unix

package run

import "os"

// exitOf returns the status of a process that has ended.
func exitOf(state *os.ProcessState) int { return state.ExitCode() }
