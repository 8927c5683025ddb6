//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package terminal

import "os"

// isTerminal says that a file is a device. An end of the input is no answer, so that other devices than terminals give none.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
