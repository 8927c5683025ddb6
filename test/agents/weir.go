package agents

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Weir is one that has a home and a configuration. It may run.
type Weir struct {
	Address string // http://host:port

	binary string
	home   string
	config string // the path of its configuration
	store  string // as a URL
	env    []string
	cmd    *exec.Cmd    // nil: it does not run, or others started it
	log    bytes.Buffer // complete when the process has ended
	ended  chan error
}

var listening = regexp.MustCompile(`is listening on (http://\S+)`)

// StartWeir starts the weir at the path binary with these settings, which are YAML.
func StartWeir(t testing.TB, binary, settings string) *Weir {
	t.Helper()
	dir := t.TempDir()
	store := "sqlite://" + filepath.Join(dir, "weir.db")
	w := newWeir(t, Weir{binary: binary, home: dir, store: store}, dir, fmt.Sprintf("store: {url: %q}\n", store)+settings)
	w.start(t)
	return w
}

// newWeir has a weir configured by a file in a folder.
func newWeir(t testing.TB, w Weir, dir, settings string) *Weir {
	t.Helper()
	w.config, w.env, w.ended = filepath.Join(dir, "weir.yaml"), CleanEnv(w.home), make(chan error, 1)
	Put(t, "listen: 127.0.0.1:0\n"+settings, w.config)
	return &w
}

// start starts the weir, which ends with the test.
func (w *Weir) start(t testing.TB) {
	t.Helper()
	w.cmd = exec.Command(w.binary, "serve", "--config", w.config)
	w.cmd.Env, w.cmd.Stderr = w.env, &w.log
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	first, _ := lines.ReadString('\n')
	go func() {
		io.Copy(io.Discard, lines) //nolint:errcheck // nothing more is of interest
		w.ended <- w.cmd.Wait()
	}()
	t.Cleanup(func() { w.kill(t) })
	if m := listening.FindStringSubmatch(first); m != nil {
		w.Address = m[1]
		return
	}
	w.kill(t)
	t.Fatalf("weir does not listen; it says %q", first)
}

// kill ends a weir that was not stopped, and shows what it had to say if the test failed.
func (w *Weir) kill(t testing.TB) {
	if w.cmd != nil {
		_ = w.cmd.Process.Kill() // it may have ended by itself
		<-w.ended
		w.cmd = nil
	}
	if t.Failed() && w.log.Len() > 0 {
		t.Logf("weir's log:\n%s", w.log.String())
	}
}

// Stop ends a weir in order, so that its record is complete, and returns its log.
func (w *Weir) Stop(t testing.TB) string {
	t.Helper()
	if err := w.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-w.ended:
		w.cmd = nil
		if err != nil {
			t.Errorf("weir ended with %v", err)
		}
	case <-time.After(Patience):
		t.Fatal("weir does not stop")
	}
	return w.log.String()
}

// An Event is an entry of the record.
type Event struct {
	Type    string         `json:"type"`
	Dialect string         `json:"dialect"`
	Model   string         `json:"model"`
	Server  string         `json:"server"`
	Tool    string         `json:"tool"`
	WireID  string         `json:"wire_id"`
	Within  string         `json:"within"` // the call in whose arguments this one stands
	Verdict string         `json:"verdict"`
	Blocked bool           `json:"blocked"`
	Code    string         `json:"code"`
	Rule    string         `json:"rule"`
	Args    jsontext.Value `json:"args"`
	Surface string         `json:"surface"`
	Session string         `json:"session"`
	CallID  string         `json:"call_id"`
	Detail  struct {
		Declared bool   `json:"declared"`
		Remote   string `json:"remote_addr"`
		Linked   string `json:"linked_by"`
		Exit     int    `json:"exit"`
	} `json:"detail"`
}

// Record is all that a weir recorded. Nobody may have touched it.
func (w *Weir) Record(t testing.TB) []Event {
	t.Helper()
	w.command(t, "audit", "verify", "--store", w.store)
	var events []Event
	d := jsontext.NewDecoder(bytes.NewReader(w.command(t, "calls", "--json", "--type", "all", "--limit", "0", "--store", w.store)))
	for {
		var e Event
		err := json.UnmarshalDecode(d, &e)
		if err == io.EOF { //nolint:errorlint // the end is returned bare
			return events
		}
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
}

// command runs a command of weir and returns what it prints.
func (w *Weir) command(t testing.TB, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(w.binary, args...)
	cmd.Env = w.env // the key that signs the record is in its home
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("weir %q: %v\n%s", args, err, out)
	}
	return out
}
