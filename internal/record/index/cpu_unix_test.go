//go:build unix

package index

import "syscall"

// cpu is the CPU time of this process so far, in nanoseconds.
func cpu() int64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return u.Utime.Nano() + u.Stime.Nano()
}
