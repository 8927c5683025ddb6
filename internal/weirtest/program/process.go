package program

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Listening is what a program says ahead of its address, in the first line that it prints.
const Listening = " is listening on "

// Patience is how long a program may take to start or to stop.
const Patience = 3 * time.Minute

// A Process is a program that runs, and says where it listens.
type Process struct {
	Base string        // its address, http://host:port; "": it has none yet, or ended before it had one
	Cmd  *exec.Cmd     // for those who measure it
	Gone chan struct{} // closed when it has ended

	first chan string // the first line that it prints
	log   text
}

// Begin starts a program. Await must follow.
func Begin(cmd *exec.Cmd) (*Process, error) {
	p := &Process{Cmd: cmd, Gone: make(chan struct{}), first: make(chan string, 1)}
	cmd.Stderr = &p.log
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(p.Gone)
		lines := bufio.NewReader(stdout)
		line, _ := lines.ReadString('\n') // what it lacks tells Await
		p.first <- strings.TrimSpace(line)
		_, _ = io.Copy(io.Discard, lines) // nobody reads the rest
		_ = cmd.Wait()                    // how it ended tells ExitCode
	}()
	return p, nil
}

// Start starts a program and waits until it listens.
func Start(cmd *exec.Cmd) (*Process, error) {
	p, err := Begin(cmd)
	if err == nil {
		err = p.Await()
	}
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	return p, nil
}

// Await waits until the program listens. Where it does not, it has ended.
func (p *Process) Await() error {
	var line string
	select {
	case line = <-p.first:
	case <-time.After(Patience):
	}
	_, address, ok := strings.Cut(line, Listening)
	if !ok {
		if line != "" {
			p.Kill() // it may go on without an address
		}
		select {
		case <-p.Gone:
		case <-time.After(Patience):
			p.Kill()
		}
		return fmt.Errorf("it does not say where it listens: %s\n%s", line, p.Log())
	}
	p.Base = address
	return nil
}

// Kill ends the program by SIGKILL, so that it has no chance to do anything any more, and waits until it is gone.
func (p *Process) Kill() {
	_ = p.Cmd.Process.Kill() // it may have ended already
	<-p.Gone
}

// Stop has the program end in good order, as a service manager does, and returns its log.
func (p *Process) Stop(t testing.TB) string {
	t.Helper()
	if err := p.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatalf("stop weir: %v\n%s", err, p.Log())
	}
	select {
	case <-p.Gone:
	case <-time.After(Patience):
		t.Fatalf("weir does not stop:\n%s", p.Log())
	}
	if code := p.ExitCode(); code != 0 {
		t.Errorf("weir stopped with exit code %d:\n%s", code, p.Log())
	}
	return p.Log()
}

// ExitCode is how a program that is gone ended.
func (p *Process) ExitCode() int { return p.Cmd.ProcessState.ExitCode() }

// Log is what the program has logged so far.
func (p *Process) Log() string { return p.log.String() }

// A text grows while others read it.
type text struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements io.Writer.
func (t *text) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.Write(p)
}

func (t *text) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.String()
}
