package confine

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// maxLinks is how many symbolic links a path may have, the same as in the kernel.
const maxLinks = 40

// trace resolves an absolute path. links are the symbolic links on the way, each by its real path.
func trace(path string) (resolved string, links []string, err error) {
	resolved = "/"
	rest := strings.Split(path, "/")
	for len(rest) > 0 {
		name := rest[0]
		rest = rest[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			resolved = filepath.Dir(resolved)
			continue
		}
		next := filepath.Join(resolved, name)
		info, err := os.Lstat(next)
		if errors.Is(err, fs.ErrPermission) && !owns(resolved) {
			err = errOutOfReach
		}
		if err != nil {
			return "", nil, err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			resolved = next
			continue
		}
		if links = append(links, next); len(links) > maxLinks {
			return "", nil, &fs.PathError{Op: "follow", Path: path, Err: syscall.ELOOP}
		}
		target, err := os.Readlink(next)
		if err != nil {
			return "", nil, err
		}
		if filepath.IsAbs(target) {
			resolved = "/"
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return resolved, links, nil
}

// errOutOfReach says that the user cannot read a folder, and cannot change that.
var errOutOfReach = errors.New("it is out of reach anyway")

// absent says that an error means that there is no such file, as far as this user can see.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, errOutOfReach)
}

// owns says whether a file is the user's.
func owns(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Sys().(*syscall.Stat_t).Uid == uint32(os.Geteuid())
}

// within says whether a path is dir or below it.
func within(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir+"/")
}

// A mount is one of the mounts of this process.
type mount struct {
	device string // of the file system
	root   string // the folder of the file system that is mounted
	point  string // where
	kind   string // of file system; "": unknown
}

func readMounts() ([]mount, error) {
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	return parseMounts(text), nil
}

// parseMounts parses a table of mounts. See proc_pid_mountinfo(5).
func parseMounts(text []byte) []mount {
	var mounts []mount
	for line := range bytes.Lines(text) {
		f := strings.Fields(string(line))
		if len(f) < 5 {
			continue
		}
		m := mount{device: f[2], root: unescape(f[3]), point: unescape(f[4])}
		// Some fields before the dash are optional.
		if i := slices.Index(f[5:], "-"); i >= 0 && len(f) > i+6 {
			m.kind = f[i+6]
		}
		mounts = append(mounts, m)
	}
	return mounts
}

// unescape decodes the octal escapes in a table of the kernel.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// aliases returns all paths of the file at a real path: its file system may be mounted more than once. The path itself comes first.
func aliases(resolved string, mounts []mount) []string {
	found := []string{resolved}
	var home mount
	for _, m := range mounts {
		if within(resolved, m.point) && len(m.point) >= len(home.point) {
			home = m // of two mounts at the same path the later one is on top
		}
	}
	if home.point == "" {
		return found
	}
	inside := filepath.Join(home.root, strings.TrimPrefix(resolved, home.point))
	this, err := os.Lstat(resolved)
	if err != nil {
		return found
	}
	for _, m := range mounts {
		if m == home || m.device != home.device || !within(inside, m.root) {
			continue
		}
		other := filepath.Join(m.point, strings.TrimPrefix(inside, m.root))
		// Something else may be mounted over that path.
		if info, err := os.Lstat(other); err == nil && other != resolved && os.SameFile(this, info) {
			found = append(found, other)
		}
	}
	return found
}

// renamable says whether this user can rename files in a folder, now or after changing the folder's mode.
func renamable(dir string) bool {
	return owns(dir) || syscall.Access(dir, 2) == nil // 2: for writing
}
