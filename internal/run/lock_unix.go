//go:build unix

package run

import (
	"os"
	"syscall"
)

// lockNow locks a file for as long as it is open, or fails if another process has it.
func lockNow(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// isOwn says whether a file is the user's own.
func isOwn(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}
