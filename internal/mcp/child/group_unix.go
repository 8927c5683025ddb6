//go:build unix

package child

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// steps are the attempts before a process is killed, with Grace before each.
func (p *Process) steps() []func() error {
	// The last step does nothing: it gives the process time after the signal.
	return []func() error{
		func() error { return p.Signal(syscall.SIGTERM) },
		func() error { return nil },
	}
}

// Signal sends a signal to the process and those that it started, as a terminal would. It fails with os.ErrProcessDone if the
// process is gone.
func (p *Process) Signal(signal os.Signal) error {
	number, ok := signal.(syscall.Signal)
	if !ok {
		return fmt.Errorf("send signal to process: %w", errors.ErrUnsupported)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reaped {
		return fmt.Errorf("send signal to process: %w", os.ErrProcessDone)
	}
	if err := syscall.Kill(-p.cmd.Process.Pid, number); err != nil {
		return fmt.Errorf("send signal to process: %w", err)
	}
	return nil
}

// kill kills the process and those that it started.
func (p *Process) kill() error { return p.Signal(syscall.SIGKILL) }

// endGroup ends the processes that are left of the group after the process has ended.
func (p *Process) endGroup() {
	// There may be no process left to get the signals.
	_ = p.Signal(syscall.SIGTERM)
	// Remaining processes mostly have the output open: when it ends, they have ended.
	timer := time.NewTimer(p.grace)
	defer timer.Stop()
	select {
	case <-p.stdout.ended:
	case <-timer.C:
	}
	_ = p.kill()
}

// readAvailable reads the bytes in a pipe, without waiting for more.
func readAvailable(file *os.File, b []byte) (n int, err error) {
	raw, err := file.SyscallConn()
	if err != nil {
		return 0, fmt.Errorf("read the rest of a pipe: %w", err)
	}
	controlErr := raw.Control(func(fd uintptr) {
		for {
			n, err = syscall.Read(int(fd), b)
			if !errors.Is(err, syscall.EINTR) {
				return
			}
		}
	})
	switch {
	case controlErr != nil:
		return 0, fmt.Errorf("read the rest of a pipe: %w", controlErr)
	case n > 0:
		return n, nil
	case err == nil, errors.Is(err, syscall.EAGAIN):
		return 0, io.EOF
	}
	return 0, fmt.Errorf("read the rest of a pipe: %w", err)
}

// exitOf returns how a process ended.
func exitOf(state *os.ProcessState) Exit {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return Exit{Code: -1, Signal: status.Signal()}
	}
	return Exit{Code: state.ExitCode()}
}

// signalNumber returns the number of a signal.
func signalNumber(signal os.Signal) int {
	number, _ := signal.(syscall.Signal)
	return int(number)
}
