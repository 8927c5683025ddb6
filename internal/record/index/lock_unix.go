//go:build unix

package index

import (
	"os"
	"path/filepath"
	"syscall"
)

// lockFolder makes sure that one process writes the index. The system lets go of the lock when the process ends.
func lockFolder(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "LOCK"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close() // nothing was written
		if err == syscall.EWOULDBLOCK {
			err = ErrBusy
		}
		return nil, err
	}
	return f, nil
}
