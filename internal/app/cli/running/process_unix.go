//go:build unix

package running

import (
	"os/exec"
	"syscall"
)

// detach has a command go on when this process and its terminal are gone.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
