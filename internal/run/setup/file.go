package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// mostBytes is the largest size of a configuration file. The largest known ones also hold histories, and have tens of megabytes.
const mostBytes = 128 << 20

// contents are the file at a path.
type contents struct {
	path   string
	data   []byte
	exists bool
	info   fs.FileInfo // nil: it does not exist
}

// isNowhere says that there is nothing at a path. Perhaps even its folder is missing.
func isNowhere(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// linkTarget returns the target of a link; linked is false if the path is not a link.
func linkTarget(path string) (target string, linked bool, err error) {
	info, err := os.Lstat(path)
	if isNowhere(err) {
		return "", false, nil
	}
	if err != nil {
		return "", false, readError(path, err)
	}
	if info.Mode()&fs.ModeSymlink == 0 {
		return "", false, nil
	}
	target, err = os.Readlink(path)
	if err != nil {
		return "", false, readError(path, err)
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(path), target)
	}
	return target, true, nil
}

// readContents reads a file. It need not exist.
func readContents(path string) (contents, error) {
	info, err := os.Lstat(path)
	if isNowhere(err) {
		return contents{path: path}, nil
	}
	if err != nil {
		return contents{}, readError(path, err)
	}
	if !info.Mode().IsRegular() {
		return contents{}, fmt.Errorf("read %s: this is not a regular file; move it away, and try again", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return contents{}, readError(path, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if err != nil {
		return contents{}, readError(path, err)
	}
	if len(data) > mostBytes {
		return contents{}, fmt.Errorf("read %s: it has more than %d MiB; is it the right file?", path, mostBytes>>20)
	}
	return contents{path: path, data: data, exists: true, info: info}, nil
}

// is says that a file has not changed since it was read.
func (c contents) is(other contents) bool {
	return c.exists == other.exists && bytes.Equal(c.data, other.data)
}

// Replace writes a file as a whole: a reader sees either the old file or the new one. It preserves the mode and the owner of old.
func Replace(path string, data []byte, old fs.FileInfo) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	f, err := os.CreateTemp(dir, ".weir-*.tmp")
	if err != nil {
		return fmt.Errorf("write %s: %w; its folder must be one that you can write to", path, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("write %s: %w", path, err)
			_ = f.Close()           // it may be closed
			_ = os.Remove(f.Name()) // a leftover file does no harm
		}
	}()
	if old != nil { // else only the user can read it
		if err := keepOwner(f, old); err != nil {
			return err
		}
		if err := f.Chmod(old.Mode().Perm()); err != nil {
			return err
		}
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncFolder(dir)
}

// remove removes a file durably.
func remove(path string) error {
	if err := os.Remove(path); err != nil {
		if isNowhere(err) {
			return nil
		}
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// missingFolders returns the folders above a path that do not exist, the innermost first.
func missingFolders(path string) []string {
	var missing []string
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !isNowhere(err) || dir == filepath.Dir(dir) {
			return missing
		}
		missing = append(missing, dir)
	}
}
