package recordlog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Files is where a log is written: the disk. Tests have others, which fail.
type Files interface {
	// Create creates a file for so many bytes, if possible with all the room that it needs, and makes that durable. An existing file is
	// replaced.
	Create(path string, size int64) (File, error)
	// Rename gives a file its name, and returns when the name is durable.
	Rename(f File, path string) error
	// Remove removes a file.
	Remove(path string) error
}

// A File is a segment that is written.
type File interface {
	io.WriterAt
	// Sync makes what was written durable.
	Sync() error
	// Truncate cuts the file to a size.
	Truncate(size int64) error
	// Present fails if the file is no longer at its path.
	Present() error
	Close() error
}

// Disk is the real file system.
var Disk Files = disk{}

type disk struct{}

type diskFile struct {
	*os.File
	path string
	info os.FileInfo
}

func (disk) Create(path string, size int64) (File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	// Where room cannot be had in advance, each write takes its own.
	if err = reserve(f, size); err != nil {
		err = f.Truncate(0)
	}
	info, statErr := f.Stat()
	if err := errors.Join(err, statErr, f.Sync()); err != nil {
		f.Close() // the first error is the one to report
		return nil, err
	}
	return &diskFile{f, path, info}, nil
}

func (disk) Rename(file File, path string) error {
	f, ok := file.(*diskFile)
	if !ok {
		return fmt.Errorf("%T is not a file on disk", file)
	}
	if err := os.Rename(f.path, path); err != nil {
		return err
	}
	f.path = path
	return syncFolder(filepath.Dir(path))
}

func (disk) Remove(path string) error { return os.Remove(path) }

func (f *diskFile) Sync() error { return syncData(f.File) }

func (f *diskFile) Present() error {
	info, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(info, f.info) {
		return fmt.Errorf("%s was moved or deleted while in use; put it back or restart weir", f.path)
	}
	return err
}

// syncFolder makes the names in a folder durable.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
