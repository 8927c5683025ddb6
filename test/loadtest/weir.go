package loadtest

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/weirtest/need"
)

// Main runs the tests of a package with the real weir, whose path it notes in binary, and returns the exit code.
func Main(m *testing.M, binary *string) int {
	flag.Parse()
	dir, err := os.MkdirTemp("", "weir-load-")
	if err != nil {
		log.Print(err)
		return 1
	}
	defer func() {
		if err := os.RemoveAll(dir); err != nil {
			log.Print(err)
		}
	}()
	if *binary, err = need.WeirIn(dir); err != nil {
		log.Print(err)
		return 1
	}
	return m.Run()
}

// An Install is a weir's configuration and its store, whether weir is running or not.
type Install struct {
	Binary   string
	Dir      string // where its configuration and its key are
	Store    string // a URL
	Upstream string // the model's URL
	Settings string // lines of configuration beyond what is needed
	Default  string // what the policy says of every call; "": allow
}

// Write writes a configuration under which every call is allowed, unless Default says otherwise.
func (in Install) Write() error {
	text := fmt.Sprintf("listen: 127.0.0.1:0\nupstreams: {anthropic: {url: %q}}\npolicy: {version: 1, default: %s}\nstore: {url: %q}\n%s",
		in.Upstream, cmp.Or(in.Default, "allow"), in.Store, in.Settings)
	return os.WriteFile(in.config(), []byte(text), 0o600)
}

func (in Install) config() string { return filepath.Join(in.Dir, "weir.yaml") }

func (in Install) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, in.Binary, append(args, "--config", in.config())...)
	// It collects its garbage as it does for users, whatever the tests were told: its memory is measured.
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GOGC=") })
	cmd.Env = append(env, "XDG_STATE_HOME="+in.Dir)
	return cmd
}

// Run runs a command of weir on the store and returns what it prints.
func (in Install) Run(ctx context.Context, args ...string) (string, error) {
	cmd := in.command(ctx, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("weir %s: %w\n%s%s", strings.Join(args, " "), err, out, stderr.Bytes())
	}
	return string(out), err
}

// Verify checks the chains, and that everything that an earlier Verify found is still there.
func (in Install) Verify(ctx context.Context) error {
	heads := filepath.Join(in.Dir, "heads.txt")
	args := []string{"audit", "verify"}
	if _, err := os.Stat(heads); err == nil {
		args = append(args, "--head", heads)
	}
	out, err := in.Run(ctx, args...)
	if err != nil {
		return err
	}
	if !strings.Contains("\n"+out, "\nintact: ") {
		return fmt.Errorf("weir audit verify does not say that the record is intact:\n%s", out)
	}
	if !strings.HasPrefix(out, "head ") {
		return nil // nothing is recorded yet
	}
	return os.WriteFile(heads, []byte(out), 0o600)
}

// A Record is a call as the store has it.
type Record struct {
	WireID  string         `json:"wire_id"`
	Args    jsontext.Value `json:"args"`
	Blocked bool           `json:"blocked"`
	Code    string         `json:"code"`
	Line    string         `json:"-"` // all that is recorded of it
}

// Records returns all calls in the store, by wire id. One that was withdrawn after it was recorded counts as refused.
func (in Install) Records(ctx context.Context) (map[string][]Record, error) {
	out, err := in.Run(ctx, "calls", "--json", "--limit", "0")
	if err != nil {
		return nil, err
	}
	withdrawn, err := in.Run(ctx, "events", "--type", "tool_call_withdrawn", "--json", "--limit", "0")
	if err != nil {
		return nil, err
	}
	records := map[string][]Record{}
	for line := range strings.Lines(out) {
		r := Record{Line: line}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			return nil, fmt.Errorf("read record: %w", err)
		}
		records[r.WireID] = append(records[r.WireID], r)
	}
	for line := range strings.Lines(withdrawn) {
		var w Record
		if err := json.Unmarshal([]byte(line), &w); err != nil {
			return nil, fmt.Errorf("read record: %w", err)
		}
		if list := records[w.WireID]; len(list) == 1 {
			list[0].Blocked, list[0].Code = true, w.Code
		} else {
			return nil, fmt.Errorf("call %s was withdrawn, and is recorded %d times", w.WireID, len(list))
		}
	}
	return records, nil
}

// A Process is one run of weir.
type Process struct {
	Ended chan struct{} // closed when it is gone
	cmd   *exec.Cmd
	out   *bufio.Reader
	log   text
}

// Begin starts weir. Listening must follow.
func (in Install) Begin(ctx context.Context) (*Process, error) {
	p := &Process{Ended: make(chan struct{}), cmd: in.command(ctx, "serve", "--quiet")}
	p.cmd.Stderr = &p.log
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(stdout)
	return p, p.cmd.Start()
}

// Listening waits until weir listens and returns its address, or "" if it has ended before.
func (p *Process) Listening() string {
	line, _ := p.out.ReadString('\n') // what it lacks shows below
	go func() {
		defer close(p.Ended)
		_, _ = io.Copy(io.Discard, p.out)
		_ = p.cmd.Wait() // how it ended shows in its log
	}()
	_, address, ok := strings.Cut(strings.TrimSpace(line), " is listening on ")
	if !ok {
		<-p.Ended
	}
	return address
}

// Kill ends the process by SIGKILL: it has no chance to do anything any more.
func (p *Process) Kill() { _ = p.cmd.Process.Kill() } // it may have ended already

// Stop has the process end in good order.
func (p *Process) Stop() { _ = p.cmd.Process.Signal(syscall.SIGTERM) } // likewise

// ExitCode is how a process that has ended did so.
func (p *Process) ExitCode() int { return p.cmd.ProcessState.ExitCode() }

// Log is what the process has logged so far.
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
