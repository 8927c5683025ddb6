package child

import (
	"fmt"
	"io"
	"os"
	"syscall"
)

// attributes are the attributes of a new process: none are needed.
func attributes() *syscall.SysProcAttr { return nil }

// holdThread does nothing: here no process ends with its parent's thread.
func holdThread() (release func()) { return func() {} }

// awaitExit does nothing: the end of the process is noticed when it is reaped.
func (p *Process) awaitExit() {}

// endGroup does nothing: here a process has no group.
func (p *Process) endGroup() {}

// steps are the attempts before a process is killed: there is no signal to end it, so it only gets time, once.
func (p *Process) steps() []func() error { return []func() error{func() error { return nil }} }

// Signal kills the process if the signal is os.Kill. Other signals cannot be sent here. It fails with os.ErrProcessDone if the
// process is gone.
func (p *Process) Signal(signal os.Signal) error {
	if err := p.cmd.Process.Signal(signal); err != nil {
		return fmt.Errorf("send signal to process: %w", err)
	}
	return nil
}

// kill kills the process.
func (p *Process) kill() error { return p.Signal(os.Kill) }

// readAvailable reads nothing: pipes have no deadlines here, so a blocked read ends with the last writer.
func readAvailable(*os.File, []byte) (int, error) { return 0, io.EOF }

// exitOf returns how a process ended.
func exitOf(state *os.ProcessState) Exit { return Exit{Code: state.ExitCode()} }

// signalNumber returns 0: no process is killed by a signal here.
func signalNumber(os.Signal) int { return 0 }
