package crash

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// binary is the real weir.
var binary string

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "weir-crash-")
	if err != nil {
		log.Fatal(err)
	}
	binary = filepath.Join(dir, "weir")
	code := 1
	if out, err := exec.Command("go", "build", "-o", binary, "../../cmd/weir").CombinedOutput(); err != nil {
		log.Printf("build weir: %v\n%s", err, out)
	} else {
		code = m.Run()
	}
	if err := os.RemoveAll(dir); err != nil {
		log.Print(err)
	}
	os.Exit(code)
}

// An install is a weir's configuration and its store, whether weir is running or not.
type install struct{ dir string }

// newInstall writes a configuration under which every call is allowed.
func newInstall(t *testing.T, upstream string, beforeRelease bool) install {
	t.Helper()
	in := install{t.TempDir()}
	text := fmt.Sprintf("listen: 127.0.0.1:0\nupstreams: {anthropic: {url: %q}}\npolicy: {version: 1, default: allow}\n"+
		"store: {url: %q}\naudit: {before_release: %t}\n", upstream, "sqlite://"+in.store(), beforeRelease)
	if err := os.WriteFile(in.config(), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return in
}

func (in install) config() string { return filepath.Join(in.dir, "weir.yaml") }
func (in install) store() string  { return filepath.Join(in.dir, "weir.db") }

// run runs a command of weir on the store.
func (in install) run(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, binary, append(args, "--config", in.config())...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("weir %s: %w\n%s%s", strings.Join(args, " "), err, out, stderr.Bytes())
	}
	return string(out), err
}

// verify checks the chains, and that everything that an earlier verify found is still there.
func (in install) verify(ctx context.Context) error {
	heads := filepath.Join(in.dir, "heads.txt")
	args := []string{"audit", "verify"}
	if _, err := os.Stat(heads); err == nil {
		args = append(args, "--expect", heads)
	}
	out, err := in.run(ctx, args...)
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

// A record is a call as the store has it.
type record struct {
	WireID  string         `json:"wire_id"`
	Args    jsontext.Value `json:"args"`
	Blocked bool           `json:"blocked"`
}

// records returns all calls in the store, by wire id.
func (in install) records(ctx context.Context) (map[string][]record, error) {
	out, err := in.run(ctx, "calls", "--json", "--limit", "0")
	if err != nil {
		return nil, err
	}
	records := map[string][]record{}
	for line := range strings.Lines(out) {
		var r record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			return nil, fmt.Errorf("read record: %w", err)
		}
		records[r.WireID] = append(records[r.WireID], r)
	}
	return records, nil
}

// An occasion is something after which weir may be killed.
type occasion int

const (
	begun     occasion = iota // its process is there
	listening                 // it has said so
	sent                      // the model has sent a call
	arrived                   // a call has reached a client
)

// A moment is when weir is killed: at the count-th occasion, or so long after.
type moment struct {
	after occasion
	count int64
	delay time.Duration
}

// A process is one run of weir, from its start until it is killed.
type process struct {
	base   string // its address; "": it was killed before it had one
	cmd    *exec.Cmd
	moment moment
	count  atomic.Int64 // of the occasions that have come
	killed atomic.Bool
	stderr bytes.Buffer  // to be read when ended is closed
	ended  chan struct{} // closed when the process is gone
}

// start starts weir and returns when it listens or has been killed.
func (in install) start(ctx context.Context, at moment) (*process, error) {
	p := &process{moment: at, ended: make(chan struct{})}
	p.cmd = exec.CommandContext(ctx, binary, "serve", "--quiet", "--config", in.config())
	p.cmd.Stderr = &p.stderr
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.happened(begun)
	out := bufio.NewReader(stdout)
	line, _ := out.ReadString('\n') // what it lacks tells the error
	go func() {
		defer close(p.ended)
		_, _ = io.Copy(io.Discard, out)
		_ = p.cmd.Wait() // it was killed
	}()
	_, address, ok := strings.Cut(strings.TrimSpace(line), " is listening on ")
	if !ok {
		<-p.ended
		if p.killed.Load() {
			return p, nil
		}
		return nil, fmt.Errorf("weir did not start:\n%s%s", line, p.stderr.Bytes())
	}
	p.base = address
	p.happened(listening)
	return p, nil
}

// happened kills the process if this is its moment.
func (p *process) happened(o occasion) {
	if o != p.moment.after || p.count.Add(1) != p.moment.count {
		return
	}
	if p.moment.delay == 0 {
		p.kill()
		return
	}
	time.AfterFunc(p.moment.delay, p.kill)
}

// kill ends the process by SIGKILL: it has no chance to do anything any more.
func (p *process) kill() {
	p.killed.Store(true)
	_ = p.cmd.Process.Kill() // it may have been killed already
}
