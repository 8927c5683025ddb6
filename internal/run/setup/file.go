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

// mostBytes bounds a configuration file. The largest that are known hold histories, too, and have tens of megabytes.
const mostBytes = 128 << 20

// contents are what is at a path.
type contents struct {
	path   string
	data   []byte
	exists bool
	info   fs.FileInfo // nil: it does not exist
}

// isNowhere says that there is nothing at a path, and maybe no folder that it could be in.
func isNowhere(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// linkTarget is where a link leads; a path that is none leads nowhere.
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

// readContents reads a file, or finds that it is not there.
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

// is says that a file is as it was read.
func (c contents) is(other contents) bool {
	return c.exists == other.exists && bytes.Equal(c.data, other.data)
}

// replace writes a file as a whole: whoever reads it sees the old one or the new one. It keeps the mode and the owner of old.
func replace(path string, data []byte, old fs.FileInfo) (err error) {
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
			_ = os.Remove(f.Name()) // what is left of it does no harm
		}
	}()
	if old != nil { // else it is for the user alone
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

// remove takes a file away for good.
func remove(path string) error {
	if err := os.Remove(path); err != nil {
		if isNowhere(err) {
			return nil
		}
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// missingFolders are the folders above a path that are not there, the innermost first.
func missingFolders(path string) []string {
	var missing []string
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !isNowhere(err) || dir == filepath.Dir(dir) {
			return missing
		}
		missing = append(missing, dir)
	}
}
