//go:build !unix

package recordlog

import (
	"errors"
	"io/fs"
	"os"
)

// A lock says that a process uses the log in a folder. On this system a file that is open cannot be removed.
type lock struct{ file *os.File }

// lockFile locks a file, which is created if need be, and returns false if somebody else has locked it.
func lockFile(path string) (lock, bool, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return lock{}, false, nil
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return lock{}, false, nil
	}
	return lock{f}, err == nil, err
}

// release lets other processes lock the log.
func (l lock) release() {
	if l.file != nil {
		l.file.Close() // nothing was written
	}
}
