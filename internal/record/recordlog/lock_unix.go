//go:build unix

package recordlog

import (
	"os"
	"syscall"
)

// A lock says that a process uses the log in a folder. The system releases it when the process ends.
type lock struct{ file *os.File }

// lockFile locks a file, which is created if need be, and returns false if somebody else has locked it.
func lockFile(path string) (lock, bool, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return lock{}, false, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close() // nothing was written
		if err == syscall.EWOULDBLOCK {
			err = nil
		}
		return lock{}, false, err
	}
	return lock{f}, true, nil
}

// release lets other processes lock the log.
func (l lock) release() {
	if l.file != nil {
		l.file.Close() // nothing was written
	}
}
