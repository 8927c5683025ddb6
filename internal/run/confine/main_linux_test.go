package confine

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/weirtest/need"
)

// programVar says that the test binary is the confined program.
const programVar = "CONFINE_TEST_PROGRAM"

// nobodyVar says that the tests run as a user without privileges, in a process of their own.
const nobodyVar = "CONFINE_TEST_NOBODY"

// patience bounds what must happen at all. Nothing is expected to take long.
const patience = 30 * time.Second

func TestMain(m *testing.M) {
	if Inside() {
		Main()
	}
	if os.Getenv(programVar) != "" {
		os.Exit(program(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// nobody is a user that has no privileges. It is not the usual one: in a namespace that is what all others are called.
const nobody = 60606

// TestAsNobody runs the tests of this package once more without privileges.
func TestAsNobody(t *testing.T) {
	if os.Getenv(nobodyVar) != "" || os.Geteuid() != 0 {
		t.Skip("these are the tests without privileges")
	}
	need.Long(t)
	dir, err := os.MkdirTemp("/tmp", "confine-nobody-") // others can look into it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	must(t, os.Chown(dir, nobody, nobody))
	binary := filepath.Join(dir, "confine.test")
	own, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	copied, err := os.OpenFile(binary, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(copied, own); err != nil {
		t.Fatal(err)
	}
	must(t, copied.Close())
	must(t, os.Chmod(binary, 0o755))
	cmd := exec.Command(binary, "-test.v", "-test.timeout=300s", "-test.parallel=2")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), nobodyVar+"=yes", "TMPDIR="+dir, "HOME="+dir, "WEIR_SKIPS=", "WEIR_REQUIRE=")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if _, why, ok := strings.Cut(string(out), "without privileges cannot be tested here: "); ok {
		why, _, _ = strings.Cut(why, "\n")
		need.Missing(t, "confining programs without privileges", why)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "--- PASS: TestStreams") {
		t.Errorf("it does not run the tests:\n%s", out)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// running is a confined program of a test.
type running struct {
	*Process
	t      testing.TB
	stdin  *os.File
	stdout chan string // all of it, once
}

// begin starts the test binary as a confined program that does one thing.
func begin(t testing.TB, cfg Config, do ...string) *running {
	t.Helper()
	r, err := tryBegin(t, cfg, do...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// check is Check, once for all tests.
var check = sync.OnceValue(Check)

func tryBegin(t testing.TB, cfg Config, do ...string) (*running, error) {
	t.Helper()
	need.Long(t)
	if err := check(); err != nil {
		what := "confining programs"
		if os.Getenv(nobodyVar) != "" {
			what += " without privileges"
		}
		need.Missing(t, what, err.Error())
	}
	exe, err := os.Executable()
	must(t, err)
	if cfg.Path == "" {
		cfg.Path = exe
	}
	cfg.Args = append([]string{"program"}, do...)
	cfg.Env = append(cfg.Env, programVar+"=yes", "GORACE=atexit_sleep_ms=0") // the race detector would wait at each end
	inR, inW, err := os.Pipe()
	must(t, err)
	outR, outW, err := os.Pipe()
	must(t, err)
	cfg.Stdin, cfg.Stdout, cfg.Stderr = inR, outW, os.Stderr
	p, err := Start(cfg)
	must(t, errors.Join(inR.Close(), outW.Close()))
	if err != nil {
		must(t, errors.Join(inW.Close(), outR.Close()))
		return nil, err
	}
	r := &running{Process: p, t: t, stdin: inW, stdout: make(chan string, 1)}
	go func() {
		out, _ := io.ReadAll(outR)
		_ = outR.Close()
		r.stdout <- string(out)
	}()
	t.Cleanup(func() {
		_ = inW.Close()
		must(t, p.Close())
	})
	return r, nil
}

// end waits for the program and returns what it says.
func (r *running) end() string {
	r.t.Helper()
	_ = r.stdin.Close()
	var out string
	select {
	case out = <-r.stdout:
	case <-time.After(patience):
		r.t.Error("the program does not end")
		must(r.t, r.Signal(os.Kill))
	}
	if _, err := r.Wait(); err != nil {
		r.t.Error(err)
	}
	return strings.TrimSpace(out)
}

// run starts the test binary as a confined program that does one thing, and returns what it says.
func run(t testing.TB, cfg Config, do ...string) string {
	t.Helper()
	return begin(t, cfg, do...).end()
}

// accept takes the next connection of a listener.
func accept1(t testing.TB, l net.Listener) net.Conn {
	t.Helper()
	must(t, l.(*net.TCPListener).SetDeadline(time.Now().Add(patience)))
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// file makes a file for a test.
func file(t testing.TB, content string, path ...string) string {
	t.Helper()
	name := filepath.Join(path...)
	must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(t, os.WriteFile(name, []byte(content), 0o600))
	return name
}

// is compares what a program says.
func is(t testing.TB, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: the program says %q, want %q", what, got, want)
	}
}

// has looks for a part of what a program says.
func has(t testing.TB, what, got, want string) {
	t.Helper()
	if !bytes.Contains([]byte(got), []byte(want)) {
		t.Errorf("%s: the program says %q, want %q in it", what, got, want)
	}
}
