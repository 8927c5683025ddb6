//go:build linux || darwin

package doctor

import "golang.org/x/sys/unix"

// freeSpace returns how many bytes can be written at a path.
func freeSpace(path string) (bytes uint64, ok bool) {
	var s unix.Statfs_t
	if unix.Statfs(path, &s) != nil || s.Bsize <= 0 {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}
