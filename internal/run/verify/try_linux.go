package verify

import (
	"os"
	"os/exec"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// rename is the bare system call. os.Rename checks first, so its error would say nothing about the system.
func rename(from, to string) error { return unix.Rename(from, to) }

// nestedArgument makes a probe remove mounts in its own namespaces.
const nestedArgument = "nested"

// tryNested makes its own namespaces, and removes the mounts that hide files in them.
func tryNested(hidden []string) (Result, string) {
	self, err := os.Executable()
	if err != nil {
		return Unclear, cause(err)
	}
	cmd := exec.Command(self, append([]string{ProbeCommand, nestedArgument}, hidden...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.Output()
	if err != nil {
		return Stopped, "none can be made: " + cause(err)
	}
	if seen := strings.TrimSpace(string(out)); seen != "" {
		return Done, seen
	}
	return Stopped, "what hides them cannot be taken away"
}

// Nested is the part of a probe that runs in its own namespaces: it removes the mounts at the paths, and says which paths are
// visible then.
func Nested(args []string) (seen string, ok bool) {
	if len(args) == 0 || args[0] != nestedArgument {
		return "", false
	}
	for _, path := range args[1:] {
		for range 4 { // several mounts may be on top of each other
			if unix.Unmount(path, unix.MNT_DETACH) != nil {
				break
			}
		}
	}
	if r, seen := tryRead(args[1:], ""); r == Done {
		return seen, true
	}
	return "", true
}
