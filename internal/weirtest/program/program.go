// Package program runs the real weir for tests as a user does: with a configuration file, a home, a store and an environment of its own.
package program

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// An Install is a weir with a home, a configuration and a store, whether it runs or not.
type Install struct {
	Binary string
	Home   string   // its key, its socket and its default store are in it
	Config string   // path of its configuration
	Store  string   // URL of its record; "": the default one in Home
	Env    []string // what its environment has beyond Environment
	Loud   bool     // it logs what it does, and not only what goes wrong
	// Exec makes the command that runs weir; nil: exec.Command. It may run elsewhere, such as in a network of its own.
	Exec func(name string, args ...string) *exec.Cmd
}

// In is a weir that has everything in one folder.
func In(dir, binary string) Install {
	return Install{Binary: binary, Home: dir, Config: filepath.Join(dir, "weir.yaml"), Store: "sqlite://" + filepath.Join(dir, "weir.db")}
}

// Environment is that of a program as its users have it. It has none of the keys, proxies and folders of whoever runs the tests, and
// nothing that tests are told of Go's runtime: a weir whose memory is measured collects its garbage as it does for users.
func Environment(home string, more ...string) []string {
	return append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LANG=C.UTF-8", "NO_PROXY=*"}, more...)
}

// Configure writes the configuration: these settings, which are YAML, beside the address and the store.
func (in Install) Configure(settings string) error {
	text := "listen: 127.0.0.1:0\n"
	if in.Store != "" {
		text += fmt.Sprintf("store: {url: %q}\n", in.Store)
	}
	return os.WriteFile(in.Config, []byte(text+settings), 0o600)
}

// Command is a command of weir that does not run yet.
func (in Install) Command(args ...string) *exec.Cmd {
	command := in.Exec
	if command == nil {
		command = exec.Command
	}
	cmd := command(in.Binary, args...)
	cmd.Env = Environment(in.Home, in.Env...)
	return cmd
}

// Begin starts weir as it is configured. Await must follow.
func (in Install) Begin() (*Process, error) { return Begin(in.serve()) }

func (in Install) serve() *exec.Cmd {
	if in.Loud {
		return in.Command("serve", "--config", in.Config)
	}
	return in.Command("serve", "--quiet", "--config", in.Config)
}

// Start configures weir, starts it and waits until it listens.
func (in Install) Start(settings string) (*Process, error) {
	if err := in.Configure(settings); err != nil {
		return nil, err
	}
	return Start(in.serve())
}

// Serve is Start for a test. The weir ends with it at the latest, and its log is shown if the test fails.
func (in Install) Serve(t testing.TB, settings string) *Process {
	t.Helper()
	p, err := in.Start(settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Kill()
		if text := p.Log(); t.Failed() && text != "" {
			t.Logf("weir's log:\n%s", text)
		}
	})
	return p
}

// Run runs a command of weir that goes by its configuration, and returns what it prints.
func (in Install) Run(t testing.TB, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	cmd := in.Command(append(args, "--config", in.Config)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() }) // it may have ended
	defer stop()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("weir %s: %v\n%s%s", strings.Join(args, " "), err, stdout.String(), stderr.String())
	}
	return stdout.String()
}

// Verify checks the chains of the record, and that everything that an earlier Verify found is still there.
func (in Install) Verify(t testing.TB) {
	t.Helper()
	heads := filepath.Join(in.Home, "heads.txt")
	args := []string{"audit", "verify"}
	if _, err := os.Stat(heads); err == nil {
		args = append(args, "--head", heads)
	}
	out := in.Run(t, args...)
	if !strings.Contains("\n"+out, "\nintact: ") {
		t.Errorf("weir audit verify does not say that the record is intact:\n%s", out)
	}
	if !strings.HasPrefix(out, "head ") {
		return // nothing is recorded yet
	}
	if err := os.WriteFile(heads, []byte(out), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Record is everything on record, the oldest first, as far as E reads it. Nobody may have touched it.
func Record[E any](t testing.TB, in Install) []E {
	t.Helper()
	in.Verify(t)
	return List[E](t, in, "calls", "--type", "all")
}

// List is what a command lists of the record, as far as E reads it.
func List[E any](t testing.TB, in Install, command ...string) (events []E) {
	t.Helper()
	out := in.Run(t, append(command, "--json", "--limit", "0")...)
	for d := jsontext.NewDecoder(strings.NewReader(out)); ; {
		var e E
		err := json.UnmarshalDecode(d, &e)
		if err == io.EOF { // it comes bare
			return events
		}
		if err != nil {
			t.Fatalf("read record: %v", err)
		}
		events = append(events, e)
	}
}
