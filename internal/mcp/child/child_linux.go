package child

import (
	"runtime"
	"syscall"
)

// attributes are the attributes of a new process. It leads its own group, so that all processes that it starts can be ended. It is
// killed when the thread that started it ends, which happens when weir ends.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// holdThread locks the goroutine to its thread until release is called: the system takes the end of the thread that started a
// process for the end of its parent.
func holdThread() (release func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}

// awaitExit waits until the process has ended, but does not reap it: until it is reaped, no other process can get its id.
func (p *Process) awaitExit() {
	const byID = 1 // P_PID
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, byID, uintptr(p.cmd.Process.Pid), 0, syscall.WEXITED|syscall.WNOWAIT, 0, 0)
		switch errno {
		case syscall.EINTR:
		case 0:
			return
		default:
			// The system does not support this wait. The process is reaped then, but its id stays in use while its group has processes.
			_ = p.cmd.Wait()
			return
		}
	}
}
