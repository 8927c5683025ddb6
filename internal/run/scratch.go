package run

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// A scratch is a folder with what is made for one run: files that route the agent through weir, and the socket for shims. It is
// locked as long as the run lasts.
type scratch struct {
	dir  string
	lock *os.File
}

const (
	scratchPrefix = "weir-run-"
	lockFile      = "lock"
	socketFile    = "ask.sock"
)

// maxTemp is how long the path of the folder for temporary files may be: every system limits the length of the path of a socket in
// it.
const maxTemp = 60

// shortTemp returns a folder for temporary files whose path is short enough for sockets.
func shortTemp(temp string) string {
	if len(temp) > maxTemp && runtime.GOOS != "windows" {
		return "/tmp"
	}
	return temp
}

// makeScratch makes a scratch folder, and removes those of runs that were killed.
func makeScratch(temp string) (*scratch, error) {
	temp = shortTemp(temp)
	sweep(temp)
	dir, err := os.MkdirTemp(temp, scratchPrefix)
	if err != nil {
		return nil, fmt.Errorf("make a temporary folder: %w; set TMPDIR to a folder you can write to", err)
	}
	lock, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_CREATE|os.O_RDWR, 0o600)
	if err == nil {
		err = lockNow(lock)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make a temporary folder: %w", err), os.RemoveAll(dir))
	}
	return &scratch{dir: dir, lock: lock}, nil
}

func (s *scratch) remove() {
	_ = os.RemoveAll(s.dir) // the next run removes what is left
	_ = s.lock.Close()
}

// path returns the path of a file in the folder.
func (s *scratch) path(name string) string { return filepath.Join(s.dir, name) }

// write makes a file for the run. Only the user can read it: it may have secrets.
func (s *scratch) write(path string, content []byte) error {
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, content, 0o600)
	}
	if err != nil {
		return fmt.Errorf("write temporary settings for the agent: %w", err)
	}
	return nil
}

// otherScratch returns the folders of other runs: they have the addresses of their sessions.
func otherScratch(own string) []string {
	found, err := filepath.Glob(filepath.Join(filepath.Dir(own), scratchPrefix+"*"))
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(found, func(dir string) bool { return dir == own })
}

// sweep removes the folders of runs that are over.
func sweep(temp string) {
	for _, dir := range Leftovers(temp) {
		_ = os.RemoveAll(dir) // another run may remove it at the same time
	}
}

// Leftovers returns the folders of runs that were killed.
func Leftovers(temp string) []string {
	found, err := filepath.Glob(filepath.Join(shortTemp(temp), scratchPrefix+"*"))
	if err != nil {
		return nil
	}
	var over []string
	for _, dir := range found {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() || !isOwn(info) {
			continue
		}
		lock, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_RDWR, 0)
		if err != nil {
			continue // a folder that is just being made has no lock yet
		}
		if lockNow(lock) == nil {
			over = append(over, dir)
		}
		_ = lock.Close()
	}
	return over
}
