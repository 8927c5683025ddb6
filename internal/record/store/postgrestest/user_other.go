//go:build !unix

package postgrestest

import "syscall"

// unprivileged is how a process starts as a user who is not an administrator; nil: as this one.
func unprivileged() *syscall.SysProcAttr { return nil }

// giveAway makes files belong to the user that unprivileged names.
func giveAway(...string) error { return nil }
