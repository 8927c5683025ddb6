//go:build !linux && !darwin && !windows

package doctor

// freeSpace is not known here.
func freeSpace(string) (bytes uint64, ok bool) { return 0, false }
