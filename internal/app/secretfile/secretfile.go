// Package secretfile reads files that other users must not read or write: keys of clients, and secrets that a platform mounts.
package secretfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// maxSize bounds a file, in bytes.
const maxSize = 4 << 20

// The permissions that nobody else may have. A file of the user that runs weir is for that user alone. A file of root may be readable by
// a group as well: that is how root gives a file to weir, and how Kubernetes mounts a secret for a user that is not root.
const (
	barredOwn   fs.FileMode = 0o077
	barredGiven fs.FileMode = 0o027
)

// Read reads a secret file. The error names the file, and what to do.
func Read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("%w; let it belong to the user that runs weir", err)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close() // nothing was written
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file; name a file", path)
	case info.Size() > maxSize:
		return nil, fmt.Errorf("%s has more than %d bytes; name another file", path, maxSize)
	}
	if err := checkAccess(path, info); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, maxSize))
}

// checkPermissions fails if others can use the file. own says whether it belongs to the user that runs weir.
func checkPermissions(path string, mode fs.FileMode, own bool) error {
	barred, given := barredOwn, "600"
	if !own {
		barred, given = barredGiven, "640"
	}
	if mode.Perm()&barred != 0 {
		return fmt.Errorf("%s can be read or written by others (mode %04o); run chmod %s %[1]s", path, mode.Perm(), given)
	}
	return nil
}
