//go:build !unix

package run

import (
	"errors"
	"os"
)

// lockNow succeeds only the first time. Here it is not known whether another process has the file, so no folder is removed as a
// leftover.
func lockNow(f *os.File) error {
	if info, err := f.Stat(); err == nil && info.Size() > 0 {
		return errors.ErrUnsupported
	}
	_, err := f.WriteString("x")
	return err
}

// isOwn says whether a file is the user's own. Here the system's rules for folders of temporary files ensure it.
func isOwn(os.FileInfo) bool { return true }
