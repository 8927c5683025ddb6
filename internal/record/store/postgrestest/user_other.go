//go:build !unix

package postgrestest

import "syscall"

// unprivileged are the attributes of a process that runs as a user without privileges; nil: as the current user.
func unprivileged() *syscall.SysProcAttr { return nil }

// giveAway makes files belong to the user that unprivileged names.
func giveAway(...string) error { return nil }
