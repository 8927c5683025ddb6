package confine

import (
	"container/heap"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Bounds of the search for socket files. The usual folders for them are small, but /tmp may have anything in it.
const (
	maxSocketDepth   = 4
	maxSocketEntries = 20_000 // below one folder where a search begins
)

// socketFolders returns the usual folders for the sockets of services.
func socketFolders() []string {
	folders := []string{"/run", "/var/run", "/tmp"}
	if own := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(own) {
		folders = append(folders, own)
	}
	var resolved []string
	for _, folder := range folders {
		if path, _, err := trace(folder); err == nil && !slices.Contains(resolved, path) {
			resolved = append(resolved, path)
		}
	}
	return resolved
}

// socketFiles returns the socket files in folders and below them, whether a process uses them or not. It does not follow links, and
// skips folders that cannot be read. If there are too many folders, it reads the last changed ones first: running services made
// their sockets since the machine was started, and leftovers are older.
func socketFiles(folders []string, mounts []mount) []string {
	var found []string
	for _, folder := range folders {
		ahead := &branches{{path: folder, depth: 1}}
		for left := maxSocketEntries; left > 0 && ahead.Len() > 0; {
			at := heap.Pop(ahead).(branch)
			left -= readEntries(at.path, left, func(e fs.DirEntry) {
				path := filepath.Join(at.path, e.Name())
				switch {
				case e.Type() == fs.ModeSocket:
					found = append(found, path)
				case e.IsDir() && at.depth < maxSocketDepth && !slices.Contains(folders, path) && !remote(path, mounts):
					if info, err := e.Info(); err == nil {
						heap.Push(ahead, branch{path: path, depth: at.depth + 1, changed: info.ModTime()})
					}
				}
			})
		}
	}
	return found
}

// A branch is a folder that is still to be searched.
type branch struct {
	path    string
	depth   int
	changed time.Time // when an entry was last added
}

// branches is a heap with the last changed branch on top.
type branches []branch

func (b branches) Len() int           { return len(b) }
func (b branches) Less(i, j int) bool { return b[i].changed.After(b[j].changed) }
func (b branches) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b *branches) Push(x any)        { *b = append(*b, x.(branch)) }

func (b *branches) Pop() any {
	last := len(*b) - 1
	x := (*b)[last]
	*b = (*b)[:last]
	return x
}

// readSize is how many entries of a folder are read at a time.
const readSize = 512

// readEntries reads at most this many entries of a folder, and returns how many it read. A folder that cannot be read has none.
func readEntries(dir string, most int, each func(fs.DirEntry)) int {
	if most <= 0 {
		return 0
	}
	f, err := os.Open(dir)
	if err != nil {
		return 0
	}
	defer f.Close()
	n := 0
	for n < most {
		entries, err := f.ReadDir(min(readSize, most-n))
		for _, e := range entries {
			each(e)
		}
		n += len(entries)
		if err != nil {
			break
		}
	}
	return n
}

// remote says whether a folder is the mount point of a remote file system: reading it may take forever, and it has no sockets of
// this machine.
func remote(path string, mounts []mount) bool {
	return slices.ContainsFunc(mounts, func(m mount) bool {
		return m.point == path && (strings.HasPrefix(m.kind, "fuse") || strings.HasPrefix(m.kind, "nfs") ||
			slices.Contains([]string{"autofs", "cifs", "smb3", "9p", "ceph"}, m.kind))
	})
}
