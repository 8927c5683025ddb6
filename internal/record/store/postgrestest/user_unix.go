//go:build unix

package postgrestest

import (
	"os"
	"syscall"
)

// nobody is the user and the group of a server that root starts.
const nobody = 65534

// unprivileged are the attributes of a process that runs as a user other than root; nil: as the current user.
func unprivileged() *syscall.SysProcAttr {
	if os.Getuid() != 0 {
		return nil
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}

// giveAway makes files belong to the user that unprivileged names.
func giveAway(paths ...string) error {
	if os.Getuid() != 0 {
		return nil
	}
	for _, p := range paths {
		if err := os.Chown(p, nobody, nobody); err != nil {
			return err
		}
	}
	return nil
}
