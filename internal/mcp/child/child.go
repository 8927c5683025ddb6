// Package child runs an MCP server as a separate process, from its start until all of its processes have ended.
package child

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/text/inert"
)

const (
	// defaultGrace is how long a process may take for each step of its end.
	defaultGrace = 2 * time.Second
	// maxShown is how many characters of a path errors show.
	maxShown = 200
)

// Config says what to run.
type Config struct {
	Path string   // the program; a name without a separator is looked up on weir's own PATH
	Args []string // after the program's name
	Dir  string   // its working directory; "": weir's
	// Env is its whole environment; nil: the result of Environ for weir's own environment.
	Env []string
	// Stderr gets the standard error of the process. A file is given to the process directly. If Stderr is slow, the process waits for
	// it; nil: the output is dropped.
	Stderr io.Writer
	// Grace is how long the process may take to end: after its input was closed, again after the signal to end, and again for
	// processes that it leaves behind; 0: 2 s.
	Grace time.Duration
}

// A Process is a child, with the processes that it started and that stayed in its group. Its methods may be called by several
// goroutines.
//
// It ends on its own, by Stop, or with weir if the system supports that (Linux). Remaining processes of its group are then told to
// end, and killed after Grace.
type Process struct {
	Stdin io.WriteCloser // a Write blocks while the process does not read; Close unblocks it, and may be called twice
	// Stdout ends when the process has ended and its last output was read, even if another process still has it open.
	Stdout io.ReadCloser

	cmd    *exec.Cmd
	grace  time.Duration
	stdout *output

	mu sync.Mutex
	// reaped says that the system may reuse the process id: no more signals may be sent to it.
	reaped bool

	done chan struct{} // closed when the process is gone
	exit Exit          // how it ended, once done is closed
}

// Start starts a process. Its errors say what the user can do.
func Start(cfg Config) (*Process, error) {
	cmd, err := command(cfg)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", inert.Name(cfg.Path, maxShown), err)
	}
	p, err := launch(cmd, cmp.Or(cfg.Grace, defaultGrace))
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", inert.Name(cfg.Path, maxShown), explain(err))
	}
	return p, nil
}

// command returns the command to run, without its streams.
func command(cfg Config) (*exec.Cmd, error) {
	if cfg.Dir != "" {
		// The system reports a missing folder like a missing program.
		if info, err := os.Stat(cfg.Dir); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("its folder %s is not there, or no folder; create it, or name another", inert.Name(cfg.Dir, maxShown))
		}
	}
	cmd := exec.Command(cfg.Path, cfg.Args...)
	if cmd.Err != nil {
		return nil, explain(cmd.Err)
	}
	cmd.Dir, cmd.Env, cmd.Stderr = cfg.Dir, cfg.Env, cfg.Stderr
	if cmd.Env == nil {
		cmd.Env = Environ(os.Environ(), Lists{})
	}
	// Another process may have standard error open without limit; this ends the copying.
	cmd.WaitDelay = cmp.Or(cfg.Grace, defaultGrace)
	cmd.SysProcAttr = attributes()
	return cmd, nil
}

// explain returns err with advice for the user.
func explain(err error) error {
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return errors.New("there is no such program on PATH; install it, or give its full path")
	case errors.Is(err, exec.ErrDot):
		return errors.New("the program is only found in the current folder; give its full path")
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("there is no such program, or what it says runs it is missing; install it, or correct its path")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("it may not be run; make it executable, or name the program that runs it")
	}
	return err
}

// launch starts the command with its streams, and a goroutine that waits for its end.
func launch(cmd *exec.Cmd, grace time.Duration) (*Process, error) {
	in, stdin, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make standard input: %w", err)
	}
	stdout, out, err := os.Pipe()
	if err != nil {
		_, _ = in.Close(), stdin.Close()
		return nil, fmt.Errorf("make standard output: %w", err)
	}
	cmd.Stdin, cmd.Stdout = in, out
	p := &Process{
		Stdin: &input{file: stdin}, cmd: cmd, grace: grace, done: make(chan struct{}),
		stdout: &output{file: stdout, ended: make(chan struct{})},
	}
	p.Stdout = p.stdout
	started := make(chan error)
	go p.watch(started)
	err = <-started
	// The child has its own copies; while weir has these open, neither stream would end.
	_, _ = in.Close(), out.Close()
	if err != nil {
		_, _ = stdin.Close(), stdout.Close()
		return nil, err
	}
	return p, nil
}

// watch starts the process, and waits until it is gone.
func (p *Process) watch(started chan<- error) {
	defer holdThread()()
	if err := p.cmd.Start(); err != nil {
		started <- err
		return
	}
	started <- nil
	p.awaitExit()
	p.endGroup()
	p.mu.Lock()
	p.reaped = true
	p.mu.Unlock()
	// The error is ignored: the state says how the process ended, errors of copying to Stderr concern its writer, and the process may
	// have been reaped before.
	_ = p.cmd.Wait()
	p.exit = exitOf(p.cmd.ProcessState)
	p.stdout.drain()
	_ = p.Stdin.Close()
	close(p.done)
}

// Wait waits until the process is gone, and returns how it ended.
func (p *Process) Wait() Exit {
	<-p.done
	return p.exit
}

// Stop ends the process and returns how it ended. It closes the input, which tells a server to end. After Grace it sends a signal,
// if the system has signals. After Grace again, or when ctx ends, it kills the process.
func (p *Process) Stop(ctx context.Context) Exit {
	_ = p.Stdin.Close()
	for _, step := range p.steps() {
		if p.gone(ctx, p.grace) {
			return p.exit
		}
		if ctx.Err() != nil {
			break
		}
		_ = step()
	}
	// A process that has ended meanwhile cannot be killed, and need not be.
	_ = p.kill()
	return p.Wait()
}

// gone reports whether the process is gone within a time, or before ctx ends.
func (p *Process) gone(ctx context.Context, within time.Duration) bool {
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-p.done:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}
