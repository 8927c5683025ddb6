//go:build unix

package shim

import (
	"os"
	"syscall"
)

// ends says whether a signal asks a process to end.
func ends(s os.Signal) bool {
	return s == os.Interrupt || s == syscall.SIGTERM || s == syscall.SIGHUP
}

// Forwarded are the signals to pass on.
func Forwarded() []os.Signal {
	return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2}
}
