package confine

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// peer is the process at the other end of a unix socket.
func peer(t *testing.T, c net.Conn) int {
	t.Helper()
	raw, err := c.(*net.UnixConn).SyscallConn()
	must(t, err)
	var credentials *unix.Ucred
	var failed error
	must(t, raw.Control(func(fd uintptr) {
		credentials, failed = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	}))
	must(t, failed)
	return int(credentials.Pid)
}

func TestSocketOfTheSession(t *testing.T) {
	name := fmt.Sprintf("weir-session-test-%d", os.Getpid())
	// Somebody outside has the same name, and it is another socket.
	outside, err := net.Listen("unix", "@"+name)
	must(t, err)
	t.Cleanup(func() { _ = outside.Close() })
	r := begin(t, Config{Socket: name}, "many", "dial", "unix", "@"+name, ";", "bind", "@"+name)
	l := r.Ways().Socket
	if l == nil {
		t.Fatal("there is none")
	}
	must(t, l.(*net.UnixListener).SetDeadline(time.Now().Add(patience)))
	c, err := l.Accept()
	must(t, err)
	if got := peer(t, c); got != r.PID() {
		t.Errorf("process %d is heard, want %d", got, r.PID())
	}
	_, err = c.Write([]byte("weir"))
	must(t, err)
	must(t, c.Close())
	heard, failed, _ := strings.Cut(r.end(), "\n")
	is(t, "connecting", heard, "got weir")
	has(t, "taking its place", failed, "address already in use")
	must(t, outside.(*net.UnixListener).SetDeadline(time.Now()))
	if c, err := outside.Accept(); err == nil {
		t.Errorf("%v came to the socket outside", c.RemoteAddr())
	}
}

func TestSocketOfTheSessionEnds(t *testing.T) {
	const name = "weir-session-test"
	r := begin(t, Config{Socket: name}, "many", "wait", ";", "dial", "unix", "@"+name)
	if c, err := net.Dial("unix", "@"+name); err == nil {
		t.Errorf("%v can be reached from outside", c.RemoteAddr())
	}
	must(t, r.Close())
	has(t, "after the end", r.end(), "connection refused")
	if r := begin(t, Config{}, "echo"); r.Ways().Socket != nil {
		t.Error("there is one that nobody asked for")
	}
	if _, err := tryBegin(t, Config{Socket: strings.Repeat("x", 200)}, "echo"); err == nil || !strings.Contains(err.Error(), "socket of the session") {
		t.Errorf("with a name that is too long: %v", err)
	}
}

// What the kernel's table of sockets does not tell, or tells as something else.
func TestOddSocketsOfOthers(t *testing.T) {
	dir, err := os.MkdirTemp("/tmp", "odd-sockets-")
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(dir)) })
	must(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	for _, tt := range []struct{ name, network, bound, found string }{
		{"datagrams", "unixgram", "datagrams", "datagrams"},
		{"packets", "unixpacket", "packets", "packets"},
		{"renamed", "unix", "before", "after"},
		{"renamed datagrams", "unixgram", "gram-before", "gram-after"},
		{"renamed into a folder", "unix", "moved", "folder/moved"},
		{"a newline", "unix", "two\nlines", "two\nlines"},
		{"a newline and datagrams", "unixgram", "\n", "\n"},
		{"odd bytes", "unix", "\xff\x01 \\012 @", "\xff\x01 \\012 @"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bound, found := filepath.Join(dir, tt.bound), filepath.Join(dir, tt.found)
			socketAt(t, tt.network, bound)
			if bound != found {
				must(t, os.Rename(bound, found))
			}
			has(t, "reaching it", run(t, Config{}, "post", tt.network, found), "connection refused")
			is(t, "reaching it when it is allowed", run(t, Config{Sockets: []string{found}}, "post", tt.network, found), "sent")
		})
	}
}

// socketAt has a socket of some kind at a path until the test ends.
func socketAt(t *testing.T, network, path string) {
	t.Helper()
	if network == "unixgram" {
		c, err := net.ListenPacket(network, path)
		must(t, err)
		t.Cleanup(func() { _ = c.Close() })
		return
	}
	l, err := net.Listen(network, path)
	must(t, err)
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = c.Close() })
		}
	}()
}

func TestSocketFiles(t *testing.T) {
	dir, err := os.MkdirTemp("/tmp", "walk-")
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(dir)) })
	at := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	must(t, os.MkdirAll(at("1", "2", "3", "4"), 0o700))
	must(t, os.MkdirAll(at("mounted"), 0o700))
	must(t, os.Symlink(at("1"), at("link")))
	file(t, "no socket", dir, "file")
	for _, path := range []string{at("s"), at("1", "2", "3", "s"), at("1", "2", "3", "4", "s"), at("mounted", "s")} {
		socketAt(t, "unix", path)
	}
	got := socketFiles([]string{dir}, []mount{{point: at("mounted"), kind: "fuse.sshfs"}})
	slices.Sort(got)
	if diff := cmp.Diff([]string{at("1", "2", "3", "s"), at("s")}, got); diff != "" {
		t.Error(diff)
	}
	if got := socketFiles([]string{at("nothing"), at("file")}, nil); len(got) != 0 {
		t.Errorf("of nothing: %q", got)
	}
}

func TestReadEntriesIsBounded(t *testing.T) {
	dir := t.TempDir()
	for i := range 2 * readSize {
		file(t, "", dir, fmt.Sprint(i))
	}
	for _, most := range []int{-1, 0, 1, readSize, readSize + 1, 2 * readSize, 3 * readSize} {
		n := 0
		got := readEntries(dir, most, func(os.DirEntry) { n++ })
		if want := min(max(most, 0), 2*readSize); got != want || n != want {
			t.Errorf("at most %d: %d, of which %d are told", most, got, n)
		}
	}
}

func TestPassesCommands(t *testing.T) {
	for path, want := range map[string]bool{
		"/dev/bsg/0:0:0:0": true, "/dev/ng0n1": true, "/dev/nvme0": true, "/dev/nvme-fabrics": true,
		"/dev/null": false, "/dev/net/tun": false, "/dev/bsg": false, "/tmp/nvme0": false, "/dev/input/ng0": false,
	} {
		if got := passesCommands(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func BenchmarkForeignSockets(b *testing.B) {
	for b.Loop() {
		if _, err := foreignSockets(nil); err != nil {
			b.Fatal(err)
		}
	}
}
