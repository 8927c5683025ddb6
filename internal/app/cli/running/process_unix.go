//go:build unix

package running

import (
	"os/exec"
	"syscall"
)

// detach makes a command outlive this process and its terminal.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
