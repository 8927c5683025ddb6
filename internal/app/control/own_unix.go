//go:build unix

package control

import (
	"os"
	"syscall"
)

// isOwn says whether a file is the user's own.
func isOwn(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}
