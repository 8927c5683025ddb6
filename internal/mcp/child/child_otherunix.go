//go:build unix && !linux

package child

import "syscall"

// attributes are the attributes of a new process. It leads its own group, so that all processes that it starts can be ended.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// holdThread does nothing: here no process ends with its parent's thread.
func holdThread() (release func()) { return func() {} }

// awaitExit waits until the process has ended. It is reaped then, but its id stays in use while its group has processes.
func (p *Process) awaitExit() { _ = p.cmd.Wait() }
