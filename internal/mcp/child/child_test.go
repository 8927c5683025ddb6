//go:build unix

package child_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/mcp/child"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// start starts a child that is killed, at the latest, when the test ends.
func start(t *testing.T, cfg child.Config) *child.Process {
	t.Helper()
	p, err := child.Start(cfg)
	expect.OK(t, err)
	t.Cleanup(func() { stopNow(p) })
	return p
}

// stopNow kills a child.
func stopNow(p *child.Process) child.Exit {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_ = p.Stdout.Close()
	return p.Stop(ctx)
}

// readPID reads a line that is a process id.
func readPID(t *testing.T, r *bufio.Reader) int {
	t.Helper()
	line, err := r.ReadString('\n')
	expect.OK(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	expect.OK(t, err)
	return pid
}

// awaitGone waits until there is no process with that id.
func awaitGone(t *testing.T, pid int) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for range 2000 {
		if isGone(pid) {
			return
		}
		<-tick.C
	}
	t.Errorf("process %d is still there", pid)
}

// isGone reports whether no process has the id, or one that is dead and only waits for its parent, who is not weir.
func isGone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return runtime.GOOS == "linux"
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(rest, "Z")
}

func TestConversation(t *testing.T) {
	p := start(t, helper("echo"))
	out := bufio.NewReader(p.Stdout)
	for _, word := range []string{"one", "two"} {
		if _, err := io.WriteString(p.Stdin, word+"\n"); err != nil {
			t.Fatal(err)
		}
		if line, err := out.ReadString('\n'); err != nil || line != "echo "+word+"\n" {
			t.Errorf("got %q, %v", line, err)
		}
	}
	expect.Is(t, errors.Join(p.Stdin.Close(), p.Stdin.Close()), nil)
	if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 {
		t.Errorf("after the end of the input: %q, %v", rest, err)
	}
	expect.Equal(t, p.Wait(), child.Exit{}, "it")
}

func TestExit(t *testing.T) {
	tests := map[string]struct {
		cfg    child.Config
		want   child.Exit
		status int
		text   string
	}{
		"well":   {helper("exit", "0"), child.Exit{}, 0, "ended with exit code 0"},
		"badly":  {helper("exit", "3"), child.Exit{Code: 3}, 3, "ended with exit code 3"},
		"killed": {helper("suicide"), child.Exit{Code: -1, Signal: syscall.SIGKILL}, 137, "was killed by a signal (killed)"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := start(t, test.cfg)
			var waiting sync.WaitGroup
			for range 3 {
				waiting.Go(func() {
					expect.Same(t, test.want, p.Wait())
				})
			}
			waiting.Wait()
			expect.Equal(t, p.Wait().Status(), test.status, "status")
			expect.Equal(t, p.Wait().String(), test.text, "it")
			expect.Is(t, p.Signal(os.Interrupt), os.ErrProcessDone, "a signal after the end")
		})
	}
}

// What a process wrote before it ended can be read after it was waited for.
func TestLastWords(t *testing.T) {
	p := start(t, helper("exit", "0"))
	p.Wait()
	if got, err := io.ReadAll(p.Stdout); err != nil || string(got) != "last words" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestStop(t *testing.T) {
	tests := map[string]struct {
		helper string
		grace  time.Duration
		want   child.Exit
	}{
		"at the end of its input": {"echo", time.Minute, child.Exit{}},
		"when told to":            {"polite", time.Second, child.Exit{Code: 7}},
		"by force":                {"stubborn", 100 * time.Millisecond, child.Exit{Code: -1, Signal: syscall.SIGKILL}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			cfg := helper(test.helper)
			cfg.Grace = test.grace
			p := start(t, cfg)
			if test.helper != "echo" {
				readPID(t, bufio.NewReader(p.Stdout))
			}
			go func() { _, _ = io.Copy(io.Discard, p.Stdout) }()
			expect.Same(t, test.want, p.Stop(t.Context()))
			expect.NoDiff(t, cmp.Diff(test.want, p.Stop(t.Context())), "a second time")
		})
	}
}

func TestStopEndsWithContext(t *testing.T) {
	cfg := helper("stubborn")
	cfg.Grace = time.Hour
	p := start(t, cfg)
	readPID(t, bufio.NewReader(p.Stdout))
	if got := stopNow(p); got.Signal != syscall.SIGKILL {
		t.Errorf("it %s", got)
	}
}

func TestSignal(t *testing.T) {
	p := start(t, helper("polite"))
	out := bufio.NewReader(p.Stdout)
	readPID(t, out)
	expect.OK(t, p.Signal(syscall.SIGUSR1))
	rest, err := io.ReadAll(out)
	if err != nil || string(rest) != syscall.SIGUSR1.String()+"\n" {
		t.Errorf("it said %q, %v", rest, err)
	}
	if got := p.Wait(); got.Code != 7 {
		t.Errorf("it %s", got)
	}
}

// What a process leaves behind in its group goes with it, whether it minds being told to end or not.
func TestNoOrphans(t *testing.T) {
	for _, left := range []string{"idle", "stubborn"} {
		t.Run(left, func(t *testing.T) {
			p := start(t, helper("parent", left))
			out := bufio.NewReader(p.Stdout)
			pid := readPID(t, out)
			if _, err := io.ReadAll(out); err != nil {
				t.Error(err)
			}
			expect.Equal(t, p.Wait(), child.Exit{}, "it")
			awaitGone(t, pid)
		})
	}
}

// One that left the group cannot be ended. The output ends all the same.
func TestOutputEndsWithoutEscaped(t *testing.T) {
	for _, first := range []string{"read", "wait"} {
		t.Run(first+" first", func(t *testing.T) {
			cfg := helper("parent", "escaped")
			cfg.Stderr = &bytes.Buffer{}
			p := start(t, cfg)
			if first == "wait" {
				p.Wait()
			}
			out := bufio.NewReader(p.Stdout)
			pid := readPID(t, out)
			defer func() { _ = syscall.Kill(pid, syscall.SIGKILL) }()
			if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 {
				t.Errorf("got %q, %v", rest, err)
			}
			expect.Equal(t, p.Wait(), child.Exit{}, "it")
		})
	}
}

func TestFloodOfStderr(t *testing.T) {
	cfg := helper("flood")
	var stderr bytes.Buffer
	cfg.Stderr = &stderr
	p := start(t, cfg)
	if got, err := io.ReadAll(p.Stdout); err != nil || string(got) != "done\n" {
		t.Errorf("got %q, %v", got, err)
	}
	p.Wait()
	expect.Equal(t, stderr.Len(), 8<<20, "%d bytes of standard error", stderr.Len())
}

// A write to a process that does not read ends when the process is stopped.
func TestDeaf(t *testing.T) {
	p := start(t, helper("deaf"))
	out := bufio.NewReader(p.Stdout)
	if _, err := out.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	written := make(chan error)
	go func() {
		_, err := io.CopyN(p.Stdin, endless{}, 1<<20)
		written <- err
	}()
	stopNow(p)
	expect.Fails(t, <-written, "all was written")
}

func TestCannotStart(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	script := filepath.Join(dir, "script")
	for path, text := range map[string]string{plain: "text", script: "#!/no/such/interpreter\n"} {
		expect.OK(t, os.WriteFile(path, []byte(text), 0o600))
	}
	if err := os.Chmod(script, 0o700); err != nil { // it is to be run
		t.Fatal(err)
	}
	tests := map[string]struct {
		cfg  child.Config
		want string
	}{
		"no such name":   {child.Config{Path: "no-such-program"}, "start no-such-program: there is no such program on PATH; install it, or give its full path"},
		"no such path":   {child.Config{Path: dir + "/none"}, "start " + dir + "/none: there is no such program, or what it says runs it is missing; install it, or correct its path"},
		"no interpreter": {child.Config{Path: script}, "start " + script + ": there is no such program, or what it says runs it is missing; install it, or correct its path"},
		"no program":     {child.Config{Path: plain}, "start " + plain + ": it may not be run; make it executable, or name the program that runs it"},
		"no folder":      {child.Config{Path: os.Args[0], Dir: dir + "/none"}, "start " + os.Args[0] + ": its folder " + dir + "/none is not there, or no folder; create it, or name another"},
		"odd name":       {child.Config{Path: "a\x1b[31mb"}, `start "a\x1b[31mb": there is no such program on PATH; install it, or give its full path`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := child.Start(test.cfg)
			if err == nil {
				t.Fatal("it started")
			}
			expect.Same(t, test.want, err.Error())
		})
	}
}

func TestDir(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	expect.OK(t, err)
	cfg := helper("dir")
	cfg.Dir = dir
	p := start(t, cfg)
	if got, err := io.ReadAll(p.Stdout); err != nil || string(got) != dir+"\n" {
		t.Errorf("got %q, %v", got, err)
	}
}

// Nobody who starts a process and forgets its environment hands out weir's keys.
func TestDefaultEnvironment(t *testing.T) {
	t.Setenv("WEIR_KEY", "secret")
	t.Setenv(helperVariable, "environ")
	t.Setenv("GORACE", "atexit_sleep_ms=0")
	p := start(t, child.Config{Path: os.Args[0]})
	got, err := io.ReadAll(p.Stdout)
	expect.OK(t, err)
	expect.Text(t, string(got), "", helperVariable+"=environ\n", "!secret")
}

// When a process was waited for, the system knows nothing of it any more.
func TestNoZombies(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc")
	}
	for _, cfg := range []child.Config{helper("exit", "0"), helper("suicide")} {
		p := start(t, cfg)
		p.Wait()
	}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	expect.OK(t, err)
	for _, path := range stats {
		stat, _ := os.ReadFile(path)
		_, rest, _ := strings.Cut(string(stat), ") ")
		if fields := strings.Fields(rest); len(fields) > 1 && fields[0] == "Z" && fields[1] == strconv.Itoa(os.Getpid()) {
			t.Errorf("a zombie is left: %s", stat)
		}
	}
}

// A process does not end with the thread of whoever had it started.
func TestOutlivesThread(t *testing.T) {
	started := make(chan *child.Process)
	go func() {
		runtime.LockOSThread() // and never unlocked, so that the thread ends with the goroutine
		p, err := child.Start(helper("echo"))
		expect.Is(t, err, nil)
		started <- p
	}()
	p := <-started
	if p == nil {
		return
	}
	t.Cleanup(func() { stopNow(p) })
	out := bufio.NewReader(p.Stdout)
	for range 10 {
		if _, err := io.WriteString(p.Stdin, "still there\n"); err != nil {
			t.Fatal(err)
		}
		if line, err := out.ReadString('\n'); err != nil || line != "echo still there\n" {
			t.Fatalf("got %q, %v", line, err)
		}
		runtime.Gosched()
	}
}

// A process ends with weir, even if weir is killed, and if the process minds neither its input nor signals.
func TestEndsWithWeir(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no process ends with its parent here")
	}
	cfg := helper("weir")
	weir := exec.Command(cfg.Path)
	weir.Env = cfg.Env
	stdout, err := weir.StdoutPipe()
	expect.OK(t, err)
	expect.OK(t, weir.Start())
	pid := readPID(t, bufio.NewReader(stdout))
	if isGone(pid) {
		t.Fatal("the child did not live")
	}
	expect.OK(t, weir.Process.Kill())
	_ = weir.Wait()
	awaitGone(t, pid)
}
