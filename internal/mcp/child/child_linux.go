package child

import (
	"runtime"
	"syscall"
)

// attributes are those of a new process: it leads a group of its own, so that all that it starts can be ended, and it is killed when
// the thread that started it ends, which it does with weir.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// holdThread keeps the goroutine on its thread, and that alive, until what it returns is called: the system takes the end of the
// thread that started a process for the end of its parent.
func holdThread() (release func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}

// awaitExit waits until the process has ended, and leaves it to be reaped: as long as it is not, nobody else can get its id.
func (p *Process) awaitExit() {
	const byID = 1 // P_PID
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, byID, uintptr(p.cmd.Process.Pid), 0, syscall.WEXITED|syscall.WNOWAIT, 0, 0)
		switch errno {
		case syscall.EINTR:
		case 0:
			return
		default:
			// The system does not let us wait so. It is reaped then, but its group keeps the id while anyone is in it.
			_ = p.cmd.Wait()
			return
		}
	}
}
