package mcp

import (
	"bufio"
	"bytes"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A weir is a running one.
type weir struct {
	binary  string
	at      place
	home    string
	file    string // its configuration
	store   string // as a URL
	address string // http://host:port
	cmd     *exec.Cmd
	log     bytes.Buffer
	ended   chan error
}

var listening = regexp.MustCompile(`is listening on (http://\S+)`)

// startWeir starts a weir that knows some servers. policy is what it holds besides; nil: everything is allowed.
func startWeir(t *testing.T, binary string, at place, policy map[string]any, servers ...server) *weir {
	t.Helper()
	home := t.TempDir()
	w := &weir{binary: binary, at: at, home: home, file: filepath.Join(home, "weir.yaml"), store: "sqlite://" + filepath.Join(home, "weir.db"), ended: make(chan error, 1)}
	w.configure(t, policy, servers)
	w.cmd = at.command(binary, "serve", "--quiet", "--config", w.file)
	w.cmd.Env, w.cmd.Stderr = cleanEnv(home, "WEIR_TEST_SECRET=good"), &w.log
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
	m := listening.FindStringSubmatch(first)
	if m == nil {
		w.kill(t)
		t.Fatalf("weir does not listen; it says %q", first)
	}
	w.address = m[1]
	return w
}

// configure writes the configuration. JSON is YAML.
func (w *weir) configure(t *testing.T, policy map[string]any, servers []server) {
	t.Helper()
	declared := []map[string]any{}
	for _, s := range servers {
		d := map[string]any{"id": s.id, "type": s.kind}
		if s.kind == "stdio" {
			d["command"], d["args"] = s.command[0], s.command[1:]
		} else {
			d["url"] = s.url()
		}
		maps.Copy(d, s.extra)
		declared = append(declared, d)
	}
	all := map[string]any{"version": 1, "default": "allow", "mcp": map[string]any{"servers": declared}}
	maps.Copy(all, policy)
	text, err := json.Marshal(map[string]any{"listen": "127.0.0.1:0", "store": map[string]any{"url": w.store}, "policy": all}, json.Deterministic(true), jsontext.Multiline(true), jsontext.WithIndent("  "))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// kill ends a weir that was not stopped, and shows what it had to say if the test failed.
func (w *weir) kill(t *testing.T) {
	if w.cmd != nil {
		_ = w.cmd.Process.Kill() // it may have ended by itself
		<-w.ended
		w.cmd = nil
	}
	if t.Failed() && w.log.Len() > 0 {
		t.Logf("weir's log:\n%s", w.log.String())
	}
}

// stop ends a weir in order, so that its record is complete.
func (w *weir) stop(t *testing.T) {
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
	case <-time.After(patience):
		t.Fatal("weir does not stop")
	}
}

// gateway is a server as weir offers it over HTTP.
func (w *weir) gateway(j job, s server) job {
	j.Transport, j.Command, j.URL = "http", nil, w.address+"/mcp/"+s.id
	return j
}

// wrapped is a server with weir around it.
func (w *weir) wrapped(j job, s server) job {
	j.Transport, j.URL = "stdio", ""
	j.Command = append([]string{w.binary, "mcp", "wrap", "--config", w.file, "--id", s.id, "--"}, s.command...)
	return j
}

// An event is an entry of the record.
type event struct {
	Type    string `json:"type"`
	Surface string `json:"surface"`
	Server  string `json:"server"`
	Tool    string `json:"tool"`
	Verdict string `json:"verdict"`
	Blocked bool   `json:"blocked"`
	Code    string `json:"code"`
}

// record is all that a weir recorded, the oldest first. Nobody may have touched it.
func (w *weir) record(t *testing.T) []event {
	t.Helper()
	run(t, w.at, w.home, w.binary, "audit", "verify", "--store", w.store)
	out := run(t, w.at, w.home, w.binary, "calls", "--json", "--type", "all", "--limit", "0", "--store", w.store)
	var events []event
	for d := jsontext.NewDecoder(bytes.NewReader(out)); ; {
		var e event
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
