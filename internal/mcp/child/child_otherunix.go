//go:build unix && !linux

package child

import "syscall"

// attributes are those of a new process: it leads a group of its own, so that all that it starts can be ended.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// holdThread does nothing: here no process ends with its parent's thread.
func holdThread() (release func()) { return func() {} }

// awaitExit waits until the process has ended. It is reaped then, but its group keeps the id while anyone is in it.
func (p *Process) awaitExit() { _ = p.cmd.Wait() }
