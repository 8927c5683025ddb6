//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// isTerminal says that a file is a terminal. Other devices, such as /dev/null, have no attributes of one.
func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), getAttributes)
	return err == nil
}
