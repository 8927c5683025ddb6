package recordlog

import (
	"os"
	"syscall"
)

// reserve takes the room that a file will need, so that a commit changes no file size.
func reserve(f *os.File, size int64) error { return syscall.Fallocate(int(f.Fd()), 0, 0, size) }

// syncData makes the data of a file durable.
func syncData(f *os.File) error {
	for {
		if err := syscall.Fdatasync(int(f.Fd())); err != syscall.EINTR {
			return err
		}
	}
}
