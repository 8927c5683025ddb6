package confine

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// foreignSockets returns the real paths of all visible unix sockets that are not allowed. The process at the other end could make
// connections for the program.
func foreignSockets(allowed []string) ([]string, error) {
	var own []fs.FileInfo
	for _, path := range allowed {
		if info, err := os.Stat(path); err == nil {
			own = append(own, info)
		}
	}
	names, err := bound()
	if err != nil {
		return nil, err
	}
	mounts, err := readMounts()
	if err != nil {
		return nil, err
	}
	// The table has the original names: a socket may have been renamed since, and names may have line ends in them.
	names = append(names, socketFiles(socketFolders(), mounts)...)
	slices.Sort(names)
	var found []string
	for _, name := range slices.Compact(names) {
		resolved, _, err := trace(name)
		if err != nil {
			continue // it is in another mount namespace, or in a folder that this user cannot read
		}
		info, err := os.Lstat(resolved)
		if err != nil || info.Mode().Type() != fs.ModeSocket {
			continue
		}
		if !slices.ContainsFunc(own, func(o fs.FileInfo) bool { return os.SameFile(o, info) }) {
			found = append(found, resolved)
		}
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// bound returns the absolute paths to which unix sockets were bound, as far as they are known. The kernel has a table for each
// network namespace. A container engine without privileges listens in its own namespace.
func bound() ([]string, error) {
	own, err := os.ReadFile("/proc/self/net/unix")
	if err != nil {
		return nil, err
	}
	names := parseSockets(own)
	seen := make(map[string]bool)
	if space, err := os.Readlink("/proc/self/ns/net"); err == nil {
		seen[space] = true
	}
	var folders []string
	for _, pid := range processes() {
		base := filepath.Join("/proc", strconv.Itoa(pid))
		if folder, err := os.Readlink(filepath.Join(base, "cwd")); err == nil {
			folders = append(folders, folder)
		}
		space, err := os.Readlink(filepath.Join(base, "ns", "net"))
		if err != nil || seen[space] {
			continue
		}
		seen[space] = true
		if table, err := os.ReadFile(filepath.Join(base, "net", "unix")); err == nil {
			names = append(names, parseSockets(table)...)
		}
	}
	slices.Sort(folders)
	folders = slices.Compact(folders)
	var paths []string
	for _, name := range names {
		if filepath.IsAbs(name) {
			paths = append(paths, name)
			continue
		}
		// It was bound relative to the folder of an unknown process, so all folders are tried.
		for _, folder := range folders {
			paths = append(paths, filepath.Join(folder, name))
		}
	}
	return paths, nil
}

// Columns of the kernel's table of unix sockets. See proc_pid_net(5).
const (
	socketFlags = 3
	socketName  = 7
)

// parseSockets returns the names of sockets that are files. It includes sockets on which nobody listens: datagrams need no
// listener, and somebody may listen soon.
func parseSockets(table []byte) []string {
	var names []string
	for line := range bytes.Lines(table) {
		rest := strings.TrimSuffix(string(line), "\n")
		var columns [socketName]string
		complete := true
		for i := range columns {
			rest = strings.TrimLeft(rest, " ")
			columns[i], rest, complete = strings.Cut(rest, " ")
		}
		_, err := strconv.ParseUint(columns[socketFlags], 16, 32) // the line of headings has none
		if err != nil || !complete || rest == "" || rest[0] == '@' {
			continue
		}
		names = append(names, rest)
	}
	return names
}

// processes returns the ids of all processes.
func processes() []int {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return nil
	}
	var pids []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids
}
