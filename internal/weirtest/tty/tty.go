// Package tty runs programs on terminals that tests can look at and type into.
package tty

import (
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
)

// A Program is a program on a terminal.
type Program struct {
	t      testing.TB
	cmd    *exec.Cmd
	file   *os.File
	mu     sync.Mutex
	screen vt10x.Terminal
	raw    strings.Builder // everything that was written
	ended  chan struct{}
	code   int
}

// patience is how long a test waits for something to appear.
const patience = 30 * time.Second

// Start starts a program on a terminal of so many columns and rows, with these variables beside those of the test.
func Start(t testing.TB, columns, rows int, env []string, program string, args ...string) *Program {
	t.Helper()
	p := &Program{t: t, cmd: exec.Command(program, args...), ended: make(chan struct{})}
	p.cmd.Env = append(append(os.Environ(), "TERM=xterm-256color", "NO_COLOR=1"), env...)
	p.screen = vt10x.New(vt10x.WithSize(columns, rows))
	file, err := pty.StartWithSize(p.cmd, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)})
	if err != nil {
		t.Fatal(err)
	}
	p.file = file
	go p.read()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // it may have ended
		<-p.ended
		_ = file.Close() // the program is gone
	})
	return p
}

// read shows what the program writes, until it has ended.
func (p *Program) read() {
	defer close(p.ended)
	buf := make([]byte, 32<<10)
	for {
		n, err := p.file.Read(buf)
		p.mu.Lock()
		p.raw.Write(buf[:n])
		_, _ = p.screen.Write(buf[:n]) // a screen in memory
		p.mu.Unlock()
		if err != nil {
			break
		}
	}
	if exited, ok := errors.AsType[*exec.ExitError](p.cmd.Wait()); ok {
		p.code = exited.ExitCode()
	}
}

// Text is what the terminal shows, without blanks at the ends of lines.
func (p *Program) Text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	lines := strings.Split(p.screen.String(), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// Raw is everything that the program wrote, with control sequences.
func (p *Program) Raw() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.raw.String()
}

// Type presses keys.
func (p *Program) Type(keys string) {
	p.t.Helper()
	if _, err := p.file.WriteString(keys); err != nil {
		p.t.Fatal(err)
	}
}

// Resize changes the window.
func (p *Program) Resize(columns, rows int) {
	p.t.Helper()
	p.mu.Lock()
	p.screen.Resize(columns, rows)
	p.mu.Unlock()
	if err := pty.Setsize(p.file, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)}); err != nil {
		p.t.Fatal(err)
	}
}

// Await waits until the terminal shows something.
func (p *Program) Await(pattern string) string {
	p.t.Helper()
	re := regexp.MustCompile("(?m)" + pattern)
	// Another process is to bring it about, so there is nothing to wait on.
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		text := p.Text()
		if re.MatchString(text) {
			return text
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("the terminal never showed %s; it shows:\n%s", pattern, text)
		}
	}
}

// Signal sends the program a signal.
func (p *Program) Signal(s os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// Exit waits until the program has ended, and returns its exit code.
func (p *Program) Exit() int {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.t.Fatalf("it did not end; the terminal shows:\n%s", p.Text())
	}
	return p.code
}
