package clients

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
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
	env     []string
	cmd     *exec.Cmd
	log     bytes.Buffer
	ended   chan error
	address string // http://host:port
	store   string // as a URL
}

var listening = regexp.MustCompile(`is listening on (http://\S+)`)

// A place is where a weir lives: a folder that keeps its store when it ends.
type place struct{ binary, dir string }

// start starts a weir.
func (p place) start(t *testing.T, settings string) *weir {
	t.Helper()
	binary, dir := p.binary, p.dir
	w := &weir{binary: binary, ended: make(chan error, 1), store: "sqlite://" + filepath.Join(dir, "weir.db")}
	file := filepath.Join(dir, "weir.yaml")
	config := "listen: 127.0.0.1:0\n" + fmt.Sprintf("store: {url: %q}\n", w.store) + settings
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	w.cmd = exec.Command(binary, "serve", "--quiet", "--config", file)
	w.env = cleanEnv(dir)
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
		w.address = m[1]
		return w
	}
	w.kill(t)
	t.Fatalf("weir does not listen; it says %q", first)
	return nil
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

// patience is how long anything here may take before the test gives up.
const patience = 30 * time.Second

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
		t.Error("weir does not stop")
	}
}

// record is all that a weir recorded, by request.
func (w *weir) record(t *testing.T) map[string][]entry {
	t.Helper()
	byRequest := map[string][]entry{}
	d := jsontext.NewDecoder(bytes.NewReader(w.command(t, "calls", "--json", "--type", "all", "--limit", "0", "--store", w.store)))
	for {
		var e entry
		err := json.UnmarshalDecode(d, &e)
		if err == io.EOF { //nolint:errorlint // the end is returned bare
			return byRequest
		}
		if err != nil {
			t.Fatal(err)
		}
		byRequest[e.RequestID] = append(byRequest[e.RequestID], e)
	}
}

// command runs a command of weir and returns what it prints.
func (w *weir) command(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(w.binary, args...)
	cmd.Env = w.env // the key that signs the record is in its home
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("weir %q: %v\n%s", args, err, out)
	}
	return out
}

// cleanEnv is an environment without the keys, proxies and settings of whoever runs the tests.
func cleanEnv(home string, more ...string) []string {
	return append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LANG=C.UTF-8", "NO_PROXY=*"}, more...)
}
