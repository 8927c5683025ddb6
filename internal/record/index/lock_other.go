//go:build !unix

package index

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// lockFolder makes sure that one process writes the index. On this system a file that is open cannot be removed.
func lockFolder(dir string) (*os.File, error) {
	path := filepath.Join(dir, "LOCK")
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, ErrBusy
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, ErrBusy
	}
	return f, err
}
