// Package child runs an MCP server as a process of its own, from its start until nothing of it is left.
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
	// maxShown bounds what errors show of a path.
	maxShown = 200
)

// Config says what to run.
type Config struct {
	Path string   // the program; a name without a separator is looked up on weir's own PATH
	Args []string // after the program's name
	Dir  string   // where it runs; "": where weir does
	// Env is all of its environment; nil: what Environ makes of weir's own. See there for lists.
	Env []string
	// Stderr gets what the process says beside the protocol. A file is handed to the process as it is. A process that says
	// more than Stderr takes waits for it; nil: it is thrown away.
	Stderr io.Writer
	// Grace is how long the process may take to end: once its input has ended, once more when it was told to, and as long for
	// those that it leaves behind; 0: 2 s.
	Grace time.Duration
}

// A Process is a child, with the processes that it started and that stayed in its group. Its methods may be called by several
// goroutines.
//
// It ends by itself, by Stop, or with weir where the system can do that (Linux). Whatever is left of its group then is told to
// end, and killed after Grace.
type Process struct {
	Stdin io.WriteCloser // a Write waits while the process does not read; Close ends that, and may be called twice
	// Stdout ends when the process has ended and its last words are read, even if another process still holds it open.
	Stdout io.ReadCloser

	cmd    *exec.Cmd
	grace  time.Duration
	stdout *output

	mu sync.Mutex
	// reaped says that the system may give the process id to another process: no signal may be sent to it any more.
	reaped bool

	done chan struct{} // closed when the process is gone
	exit Exit          // how it ended, once done is closed
}

// Start starts a process. The error says what the user can do about it.
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

// command returns the command that is to run, without its streams.
func command(cfg Config) (*exec.Cmd, error) {
	if cfg.Dir != "" {
		// The system reports a missing folder as it does a missing program.
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
	// Someone else may hold standard error open for as long as they like; this ends the copying.
	cmd.WaitDelay = cmp.Or(cfg.Grace, defaultGrace)
	cmd.SysProcAttr = attributes()
	return cmd, nil
}

// explain returns err with what the user can do about it.
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

// launch starts the command with its streams, and watches over it.
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
	// The child has its own; as long as weir held these, neither stream would end.
	_, _ = in.Close(), out.Close()
	if err != nil {
		_, _ = stdin.Close(), stdout.Close()
		return nil, err
	}
	return p, nil
}

// watch starts the process, and stays with it until it is gone.
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
	// What went wrong is in the state: how the process ended. Errors of copying to Stderr are its writer's. Where the process was
	// reaped before, this says so.
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

// Stop ends the process and returns how it ended. Its input is closed, which tells a server to end; after Grace it is told by
// a signal, where there are signals; after Grace again it is killed, as it is when ctx ends.
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
	// A process that ended by itself in the meantime cannot be killed, and need not be.
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
