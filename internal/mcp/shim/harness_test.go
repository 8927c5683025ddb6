//go:build unix

package shim_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/child"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/shim"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// patience is how long a test waits for what must come.
const patience = 2 * time.Minute

// A judge refuses the tools whose names begin with bad, and lets those wait whose names begin with slow.
type judge struct {
	waits   chan string   // the tools that wait
	resume  chan struct{} // closed when they may go on
	refused chan string   // codes of what was refused for what it is
}

func newJudge() *judge {
	return &judge{waits: make(chan string, 1<<16), resume: make(chan struct{}), refused: make(chan string, 1<<16)}
}

// Call implements mcp.Judge.
func (j *judge) Call(ctx context.Context, c call.Call) call.Ruling {
	if strings.HasPrefix(c.Tool, "slow") {
		j.waits <- c.Tool
		select {
		case <-j.resume:
		case <-ctx.Done():
			return call.Ruling{Code: call.CodeCutShort}
		}
	}
	if strings.HasPrefix(c.Tool, "bad") {
		return call.Ruling{Code: call.CodeToolDenied, Reason: "Not here.", Rule: "r"}
	}
	return call.Ruling{Released: true, Call: c.ID}
}

// Tools implements mcp.Judge.
func (j *judge) Tools(_ context.Context, l call.Listing) (call.Offer, error) {
	o := call.Offer{Shown: make([]bool, len(l.Tools))}
	for i, t := range l.Tools {
		o.Shown[i] = !bytes.Contains(t, []byte(`"bad`))
	}
	return o, nil
}

// Given implements mcp.Judge.
func (j *judge) Given(context.Context, call.Given) call.Ruling { return call.Ruling{Released: true} }

// Refused implements mcp.Judge.
func (j *judge) Refused(_ call.Call, r call.Ruling) { j.refused <- r.Code }

// setup says how a shim is run; the zero value: with the server "server".
type setup struct {
	helper     string
	args       []string
	maxMessage int
	out        io.Writer // nil: the test reads it
	signals    chan os.Signal
	grace      time.Duration
	linger     time.Duration
	ctx        context.Context
}

// A running shim.
type running struct {
	t      *testing.T
	judge  *judge
	in     *os.File
	lines  chan string // what it writes, by line; closed at its end
	got    string      // the file in which the server writes down what it gets
	ended  chan struct{}
	status int
	err    error
}

// start runs a shim until the test ends it.
func start(t *testing.T, s setup) *running {
	t.Helper()
	if s.helper == "" {
		s.helper = "server"
	}
	if s.ctx == nil {
		s.ctx = t.Context()
	}
	in, client, err := os.Pipe()
	expect.OK(t, err)
	r := &running{
		t: t, judge: newJudge(), in: client, lines: make(chan string, 1<<16), got: filepath.Join(t.TempDir(), "got"), ended: make(chan struct{}),
	}
	out := s.out
	reader, writer := io.Pipe()
	if out == nil {
		out = writer
		go r.read(reader)
	}
	go func() {
		r.status, r.err = shim.Run(s.ctx, shim.Config{
			Server: call.MCPServer{ID: "s", Type: "stdio", Addr: "server"}, Judge: r.judge, In: in, Out: out,
			Process: child.Config{
				Path: os.Args[0], Args: s.args, Grace: 200 * time.Millisecond, Stderr: os.Stderr,
				Env: append(os.Environ(), helperVariable+"="+s.helper, gotVariable+"="+r.got, "GORACE=atexit_sleep_ms=0"),
			},
			Signals: s.signals, Grace: s.grace, Linger: s.linger, MaxMessage: s.maxMessage,
		})
		_ = writer.Close()
		close(r.ended)
	}()
	t.Cleanup(func() {
		_ = client.Close()
		r.wait()
		_ = in.Close()
	})
	return r
}

func (r *running) read(from io.Reader) {
	defer close(r.lines)
	in := bufio.NewScanner(from)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		r.lines <- in.Text()
	}
}

// send writes a line to the shim.
func (r *running) send(lines ...string) {
	r.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(r.in, line+"\n"); err != nil {
			r.t.Fatal(err)
		}
	}
}

// next is the next line to the client.
func (r *running) next() string {
	r.t.Helper()
	select {
	case line, ok := <-r.lines:
		if !ok {
			r.t.Fatal("the shim says no more")
		}
		return line
	case <-time.After(patience):
		r.t.Fatal("the shim says nothing")
		return ""
	}
}

// wait waits for the end of the shim.
func (r *running) wait() (status int) {
	r.t.Helper()
	select {
	case <-r.ended:
	case <-time.After(patience):
		r.t.Fatal("the shim does not end")
	}
	if r.err != nil {
		r.t.Fatal(r.err)
	}
	return r.status
}

// rest is all that the client still gets, once the shim has ended; sorted, since answers have no order.
func (r *running) rest() (lines []string) {
	r.t.Helper()
	r.wait()
	for line := range r.lines {
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}

// end ends the client's input and waits for the end of the shim.
func (r *running) end() (status int) {
	r.t.Helper()
	_ = r.in.Close()
	return r.wait()
}

// received is what the server got, by line.
func (r *running) received() []string {
	r.t.Helper()
	text, err := os.ReadFile(r.got)
	if err != nil && !os.IsNotExist(err) {
		r.t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// pid is the server's process id.
func (r *running) pid() int {
	r.t.Helper()
	text, err := os.ReadFile(r.got + ".pid")
	expect.OK(r.t, err)
	pid, err := strconv.Atoi(string(text))
	expect.OK(r.t, err)
	return pid
}

// checkMessages checks that each line is one message, or one array of them.
func checkMessages(t *testing.T, lines []string) {
	t.Helper()
	for _, line := range lines {
		if _, _, err := jsonrpc.ParseBody([]byte(line)); err != nil {
			t.Errorf("the client got a line that is no message: %v: %.200q", err, line)
		}
	}
}

// ownGoroutines are the stacks of what runs for a shim.
func ownGoroutines() (stacks []string) {
	var all bytes.Buffer
	_ = pprof.Lookup("goroutine").WriteTo(&all, 2)
	for stack := range strings.SplitSeq(all.String(), "\n\n") {
		if strings.Contains(stack, "shim.(*shim)") || strings.Contains(stack, "internal/mcp.") || strings.Contains(stack, "child.(*Process)") {
			stacks = append(stacks, stack)
		}
	}
	return stacks
}

// A buffer may be written and read at once.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements io.Writer.
func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) lines() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.b.Len() == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(b.b.String(), "\n"), "\n")
}
