//go:build unix

package postgrestest

import (
	"os"
	"syscall"
)

// nobody is the user, and the group, as whom a server runs that root starts.
const nobody = 65534

// unprivileged is how a process starts as a user who is not root; nil: as this one.
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
