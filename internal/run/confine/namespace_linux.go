package confine

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// namespaces returns the namespaces of the program. all says that every user of the machine exists there, too, because the caller
// may act for all users. Otherwise only the caller exists there.
func namespaces() (attr *syscall.SysProcAttr, all bool, err error) {
	attr = &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWUSER | unix.CLONE_NEWNET | unix.CLONE_NEWNS,
		// The process inside needs these to prepare everything. Then it gives them up.
		AmbientCaps: []uintptr{
			unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP, unix.CAP_NET_BIND_SERVICE, unix.CAP_SYS_RESOURCE,
		},
		UidMappings: []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}},
	}
	if all, err = actsForAll(); err != nil || !all {
		return attr, false, err
	}
	if attr.UidMappings, err = everyone("/proc/self/uid_map"); err != nil {
		return nil, false, err
	}
	if attr.GidMappings, err = everyone("/proc/self/gid_map"); err != nil {
		return nil, false, err
	}
	// If groups cannot be set here, that cannot be allowed inside either.
	groups, err := os.ReadFile("/proc/self/setgroups")
	attr.GidMappingsEnableSetgroups = err == nil && strings.TrimSpace(string(groups)) == "allow"
	return attr, true, nil
}

// actsForAll says whether the caller is root and has the capabilities to map all users.
func actsForAll() (bool, error) {
	if os.Geteuid() != 0 {
		return false, nil
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	if err := unix.Capget(&header, &sets[0]); err != nil {
		return false, fmt.Errorf("read the capabilities of this process: %w", err)
	}
	const needed = 1<<unix.CAP_SETUID | 1<<unix.CAP_SETGID | 1<<unix.CAP_SETFCAP
	return sets[0].Effective&needed == needed, nil
}

// everyone returns a mapping of all users (or groups) of this namespace to themselves.
func everyone(path string) ([]syscall.SysProcIDMap, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	maps, err := readIDs(text)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return maps, nil
}

func readIDs(text []byte) ([]syscall.SysProcIDMap, error) {
	var maps []syscall.SysProcIDMap
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		var first, outside, size int64
		if _, err := fmt.Sscan(lines.Text(), &first, &outside, &size); err != nil {
			return nil, err
		}
		if first < 0 || first > math.MaxInt32 && math.MaxInt == math.MaxInt32 || size <= 0 {
			continue // more than an int can hold on a 32-bit machine
		}
		id := int(first)
		maps = append(maps, syscall.SysProcIDMap{ContainerID: id, HostID: id, Size: int(min(size, math.MaxInt))})
	}
	if len(maps) == 0 {
		return nil, errors.New("it maps nobody")
	}
	return maps, lines.Err()
}

// cure says what to do about an error of making namespaces; "": not known.
func cure(err error) string {
	setting := func(path string) string {
		value, err := os.ReadFile(path)
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(value))
	}
	switch {
	case setting("/proc/sys/user/max_mnt_namespaces") == "0":
		return ": no mount namespaces can be made here, which is so within a program that is confined already"
	case setting("/proc/sys/kernel/unprivileged_userns_clone") == "0":
		return ": this system lets nobody but root make user namespaces; allow it with sysctl kernel.unprivileged_userns_clone=1"
	case errors.Is(err, syscall.ENOSPC) || setting("/proc/sys/user/max_user_namespaces") == "0":
		return ": there are as many namespaces as this system allows; allow more with sysctl user.max_user_namespaces," +
			" user.max_net_namespaces and user.max_mnt_namespaces"
	case setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1" && os.Geteuid() != 0:
		return ": AppArmor keeps programs without a profile of their own from using user namespaces; give weir a profile that" +
			" allows userns, or allow it for all with sysctl kernel.apparmor_restrict_unprivileged_userns=0"
	case errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOSYS):
		return ": this kernel has no user namespaces"
	case errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES):
		return ": user namespaces are forbidden here, as they are in many containers and in a chroot; start the container with a" +
			" seccomp profile that allows them"
	}
	return ""
}

// routesIPv6 says whether this machine has a default route for IPv6.
func routesIPv6() bool {
	text, err := os.ReadFile("/proc/net/ipv6_route")
	return err == nil && hasDefaultRoute(text)
}

// hasDefaultRoute searches a table of IPv6 routes for a default route. Without one, the kernel has an unreachable default route on
// loopback, which does not count.
func hasDefaultRoute(table []byte) bool {
	for line := range bytes.Lines(table) {
		f := bytes.Fields(line)
		if len(f) == 10 && string(f[1]) == "00" && string(f[9]) != "lo" && len(bytes.Trim(f[0], "0")) == 0 {
			return true
		}
	}
	return false
}
