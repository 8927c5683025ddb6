package verify

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// visible says whether a file or folder is not empty.
func visible(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return false
	}
	if info.IsDir() {
		names, _ := f.Readdirnames(1)
		return len(names) > 0
	}
	n, _ := io.ReadFull(f, make([]byte, 1))
	return n > 0
}

// tryRead reads files that must not be visible. root is a prefix of their paths.
func tryRead(paths []string, root string) (Result, string) {
	var seen []string
	for _, path := range paths {
		if visible(root + path) {
			seen = append(seen, path)
		}
	}
	if len(seen) > 0 {
		return Done, "can be seen: " + strings.Join(seen, ", ")
	}
	return Stopped, "they are hidden"
}

// tryProcesses reads the same files through processes outside.
func (p *Plan) tryProcesses() (Result, string) {
	for _, pid := range p.PIDs {
		proc := "/proc/" + strconv.Itoa(pid)
		if r, seen := tryRead(p.Hidden, proc+"/root"); r == Done {
			return r, seen
		}
		if same, err := os.ReadFile(proc + "/environ"); err == nil && len(same) > 0 {
			return Done, "its environment can be read"
		}
	}
	return Stopped, "they cannot be looked into"
}

// tryWrite opens the policy for writing. Nothing is written.
func tryWrite(path string) (Result, string) {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return Stopped, cause(err)
	}
	return Done, errors.Join(errors.New("it can be opened for writing"), f.Close()).Error()
}

// tryReplace replaces the policy by a copy. The two differ only in their inodes.
func tryReplace(path string) (Result, string) {
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return Stopped, cause(err)
	}
	text, err := os.ReadFile(resolved)
	if err != nil {
		return Stopped, cause(err)
	}
	info, err := os.Stat(resolved)
	if err != nil {
		return Stopped, cause(err)
	}
	beside, err := os.CreateTemp(filepath.Dir(resolved), ".weir-verify-*")
	if err != nil {
		return Stopped, cause(err)
	}
	defer os.Remove(beside.Name()) // if it replaced the policy, it no longer exists under this name
	_, err = beside.Write(text)
	if err = errors.Join(err, beside.Chmod(info.Mode().Perm()), beside.Close()); err != nil {
		return Unclear, cause(err)
	}
	if err := os.Rename(beside.Name(), resolved); err != nil {
		return Stopped, cause(err)
	}
	return Done, "another file took its place"
}

// tryFolder tries to rename the folder of the policy to another folder that is not empty. That always fails, and the error says
// whether the folder could be renamed.
func tryFolder(path string) (Result, string) {
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return Stopped, cause(err)
	}
	folder := filepath.Dir(resolved)
	other, err := os.MkdirTemp(filepath.Dir(folder), ".weir-verify-*")
	if err != nil {
		return Stopped, cause(err)
	}
	defer os.RemoveAll(other) // it has one empty file
	if err := os.WriteFile(filepath.Join(other, "full"), nil, 0o600); err != nil {
		return Unclear, cause(err)
	}
	switch err := rename(folder, other); {
	case err == nil:
		return Done, "it was renamed"
	case errors.Is(err, fs.ErrExist): // this is the error for a folder that is not empty
		return Done, "it can be renamed"
	default:
		return Stopped, cause(err)
	}
}
