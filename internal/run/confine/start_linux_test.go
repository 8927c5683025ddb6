package confine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

func TestStreams(t *testing.T) {
	r := begin(t, Config{}, "echo")
	if _, err := r.stdin.WriteString("hello"); err != nil {
		t.Fatal(err)
	}
	is(t, "echo", r.end(), "heard hello")
}

func TestExit(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   []string
		want Exit
	}{
		{"zero", []string{"exit", "0"}, Exit{}},
		{"code", []string{"exit", "42"}, Exit{Code: 42}},
		{"signal", []string{"kill"}, Exit{Code: -1, Signal: syscall.SIGKILL}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := begin(t, Config{}, tt.do...).Wait()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSignal(t *testing.T) {
	begin(t, Config{}, "exit", "0") // skips where nothing can be confined
	exe, err := os.Executable()
	must(t, err)
	r, w, err := os.Pipe()
	must(t, err)
	p, err := Start(Config{Path: exe, Args: []string{"program", "trap"}, Env: []string{programVar + "=yes"}, Stdout: w})
	must(t, errors.Join(err, w.Close()))
	t.Cleanup(func() { must(t, p.Close()) })
	line := make([]byte, len("ready\n"))
	if _, err := io.ReadFull(r, line); err != nil {
		t.Fatal(err)
	}
	must(t, p.Signal(syscall.SIGUSR1))
	rest, err := io.ReadAll(r)
	must(t, err)
	is(t, "trap", strings.TrimSpace(string(rest)), "user defined signal 1")
	if exit, err := p.Wait(); err != nil || exit != (Exit{}) {
		t.Errorf("it ends with %v, %v", exit, err)
	}
}

func TestNotStarted(t *testing.T) {
	begin(t, Config{}, "exit", "0") // skips where nothing can be confined
	dir := t.TempDir()
	text := file(t, "text", dir, "text")
	for _, tt := range []struct {
		name string
		cfg  Config
		says string
	}{
		{"no path", Config{}, "there is no path"},
		{"not found", Config{Path: filepath.Join(dir, "nothing")}, "no such file or directory"},
		{"not a program", Config{Path: text}, "permission denied"},
		{"no folder", Config{Path: "/proc/self/exe", Dir: filepath.Join(dir, "nowhere")}, "change to the folder"},
		{"root hidden", Config{Path: "/proc/self/exe", Hide: []string{"/"}}, "it is the root folder"},
		{"odd name", Config{Path: filepath.Join(dir, "a\x1b[2Jb")}, `a\x1b[2Jb`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Start(tt.cfg)
			if err == nil {
				_, _ = p.Wait()
				t.Fatalf("it starts")
			}
			if !strings.Contains(err.Error(), tt.says) {
				t.Errorf("the error is %q, want %q in it", err, tt.says)
			}
		})
	}
}

func conditionOf(t *testing.T, cfg Config, do ...string) condition {
	t.Helper()
	var c condition
	if err := json.Unmarshal([]byte(run(t, cfg, append(do, "state")...)), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCondition(t *testing.T) {
	dir := t.TempDir()
	// A file that the caller was started with, and that its children get.
	open, err := unix.Open("/dev/null", unix.O_RDONLY, 0)
	must(t, err)
	t.Cleanup(func() { _ = unix.Close(open) })
	c := conditionOf(t, Config{Dir: dir, Env: []string{"ODD=\xff"}})
	sid, err := unix.Getsid(0)
	must(t, err)
	if c.UID != os.Getuid() || c.GID != os.Getgid() || c.Group != unix.Getpgrp() || c.Session != sid {
		t.Errorf("it is user %d of group %d, in process group %d and session %d", c.UID, c.GID, c.Group, c.Session)
	}
	if diff := cmp.Diff([]string{"0", "1", "2"}, c.Files); diff != "" {
		t.Error(diff)
	}
	resolved, _, err := trace(dir)
	must(t, err)
	if c.Dir != resolved {
		t.Errorf("it is in %s, want %s", c.Dir, resolved)
	}
	if len(c.Env) != 3 {
		t.Errorf("its variables are %q", c.Env)
	}
	want := fmt.Sprintf("%016x", 0)
	if os.Geteuid() == 0 {
		want = fmt.Sprintf("%016x", kept)
	}
	for name, value := range map[string]string{
		"CapPrm": want, "CapEff": want, "CapBnd": want, "CapInh": fmt.Sprintf("%016x", 0), "CapAmb": fmt.Sprintf("%016x", 0),
		"NoNewPrivs": "1", "Seccomp": "2",
	} {
		if c.Status[name] != value {
			t.Errorf("%s is %s, want %s", name, c.Status[name], value)
		}
	}
}

// What root may not do has no way back: not through children, and not through names of namespaces.
func TestCapabilitiesStayAway(t *testing.T) {
	const never = 1<<unix.CAP_NET_ADMIN | 1<<unix.CAP_NET_RAW | 1<<unix.CAP_SYS_ADMIN | 1<<unix.CAP_SYS_PTRACE |
		1<<unix.CAP_SYS_MODULE | 1<<unix.CAP_MKNOD | 1<<unix.CAP_SYS_RESOURCE | 1<<unix.CAP_SETPCAP | 1<<unix.CAP_SYS_RAWIO
	if kept&never != 0 {
		t.Errorf("%x are kept", kept&never)
	}
	c := conditionOf(t, Config{}, "child")
	got, err := strconv.ParseUint(c.Status["CapEff"], 16, 64)
	if err != nil || got&never != 0 {
		t.Errorf("a child can %x (%v)", got&never, err)
	}
}

func TestFilter(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   []string
		want string
	}{
		{"virtual machine socket", []string{"socket", "40", "1"}, "error: address family not supported by protocol"},
		{"packet socket", []string{"socket", "17", "2"}, "error: address family not supported by protocol"},
		{"raw socket", []string{"socket", "2", "3", "1"}, "error: operation not permitted"},
		{"unix socket", []string{"socket", "1", "1"}, "made"},
		{"netlink socket", []string{"socket", "16", "3"}, "made"},
		{"typing", []string{"type"}, "error: operation not permitted"},
		{"ring", []string{"ring"}, "error: function not implemented"},
		{"rules", []string{"flush"}, "error: netlink receive: operation not permitted"},
	} {
		t.Run(tt.name, func(t *testing.T) { is(t, tt.name, run(t, Config{}, tt.do...), tt.want) })
	}
}

// Each filter comes to a result within itself, whatever the call is.
func TestFilterEnds(t *testing.T) {
	for arch, known := range abis {
		filter := filter{mountNamespaces: true}.code(known)
		for i, f := range filter {
			if f.Code != equal && f.Code != atLeast && f.Code != anyOf {
				continue
			}
			if next := i + 1 + int(max(f.Jt, f.Jf)); next >= len(filter) {
				t.Errorf("%s: instruction %d leads to %d of %d", arch, i, next, len(filter))
			}
		}
	}
}

func TestInside(t *testing.T) {
	if Inside() {
		t.Error("this is not it")
	}
}

func TestMessages(t *testing.T) {
	want := order{Path: "/p\xff", Args: []string{"", "a\x00b"}, Env: []string{"A=\xfe"}, Ports: []uint16{1, 65535}, Root: true}
	var b bytes.Buffer
	must(t, writeMessage(&b, want))
	b.WriteString("rest")
	whole := bytes.Clone(b.Bytes())
	var got order
	must(t, readMessage(&b, &got))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if b.String() != "rest" {
		t.Errorf("it leaves %q", b.String())
	}
	if err := readMessage(bytes.NewReader(nil), &got); !errors.Is(err, io.EOF) {
		t.Errorf("of nothing: %v", err)
	}
	for n := 1; n < len(whole)-len("rest"); n++ {
		if err := readMessage(bytes.NewReader(whole[:n]), &got); err == nil || errors.Is(err, io.EOF) {
			t.Fatalf("of %d bytes: %v", n, err)
		}
	}
	if err := readMessage(strings.NewReader("\xff\xff\xff\xff"), &got); err == nil {
		t.Error("it takes a message of any length")
	}
}
