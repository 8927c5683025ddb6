//go:build !unix

package recordlog

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// A lock says that a process uses the log in a folder. On this system a file that is open cannot be removed.
type lock struct{ file *os.File }

// lockFolder locks the log in a folder, and returns false if another process has locked it.
func lockFolder(dir string) (lock, bool, error) {
	path := filepath.Join(dir, lockName)
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
