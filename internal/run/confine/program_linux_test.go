package confine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/google/nftables"
	"golang.org/x/sys/unix"
)

// program is what a confined test binary does. It says what came of it in one line.
func program(args []string) int {
	if address := os.Getenv("CONFINE_TEST_DIAL"); address != "" {
		args = []string{"child", "identify", address}
		_ = os.Unsetenv("CONFINE_TEST_DIAL")
	}
	verb, args := args[0], args[1:]
	if verb == "exit" {
		code, _ := strconv.Atoi(args[0])
		return code
	}
	do, ok := verbs[verb]
	if !ok {
		fmt.Println("unknown verb", verb)
		return 2
	}
	said, err := do(args)
	if err != nil {
		said = "error: " + err.Error()
	}
	fmt.Println(said)
	return 0
}

var verbs map[string]func([]string) (string, error)

func init() {
	verbs = map[string]func([]string) (string, error){
		"echo":     func([]string) (string, error) { b, err := io.ReadAll(os.Stdin); return "heard " + string(b), err },
		"wait":     func([]string) (string, error) { _, err := io.ReadAll(os.Stdin); return "ended", err },
		"state":    state,
		"dial":     dial,
		"fastopen": fastOpen,
		"udp":      sendDatagram,
		"ask":      ask,
		"serve":    serve,
		"read":     func(a []string) (string, error) { b, err := os.ReadFile(a[0]); return "read " + string(b), err },
		"write": func(a []string) (string, error) {
			return "written", os.WriteFile(a[0], []byte("changed"), 0o600)
		},
		"append": func(a []string) (string, error) {
			f, err := os.OpenFile(a[0], os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				return "", err
			}
			return "open", f.Close()
		},
		"list":   list,
		"rename": func(a []string) (string, error) { return "renamed", os.Rename(a[0], a[1]) },
		"remove": func(a []string) (string, error) { return "removed", os.Remove(a[0]) },
		"mkdir":  func(a []string) (string, error) { return "made", os.Mkdir(a[0], 0o755) },
		"chmod":  func(a []string) (string, error) { return "changed", os.Chmod(a[0], 0o777) },
		"link":   func(a []string) (string, error) { return os.Readlink(a[0]) },
		"kill": func([]string) (string, error) {
			return "alive", errors.Join(syscall.Kill(os.Getpid(), syscall.SIGKILL), io.EOF)
		},
		"trap":   trap,
		"flush":  flush,
		"socket": socket,
		"type":   typeIntoTerminal,
		"ring":   ring,
		"umount": func(a []string) (string, error) { return "unmounted", unix.Unmount(a[0], unix.MNT_DETACH) },
		// A thread cannot leave for another user namespace alone, so a mount namespace is asked for after one.
		"unshare": func([]string) (string, error) { return runIn(unix.CLONE_NEWUSER, "unshared") },
		"unshared": func([]string) (string, error) {
			runtime.LockOSThread()
			return "unshared", unix.Unshare(unix.CLONE_NEWNS | unix.CLONE_FS)
		},
		"multipath": func(a []string) (string, error) {
			var d net.Dialer
			d.SetMultipathTCP(true)
			c, err := d.Dial("tcp", a[0])
			if err != nil {
				return "", err
			}
			b, err := io.ReadAll(c)
			return "got " + string(b), err
		},
		"bind":     bindUnix,
		"post":     post,
		"nested":   nested,
		"sneak":    sneak,
		"child":    child,
		"many":     many,
		"lookup":   func(a []string) (string, error) { h, err := net.LookupHost(a[0]); return strings.Join(h, " "), err },
		"identify": identify,
	}
}

// A condition is what a program finds itself in.
type condition struct {
	UID, GID, Group, Session int
	Status                   map[string]string
	Files                    []string
	Dir                      string
	Env                      []string
}

func state([]string) (string, error) {
	c := condition{UID: os.Getuid(), GID: os.Getgid(), Group: unix.Getpgrp(), Status: make(map[string]string), Env: os.Environ()}
	c.Session, _ = unix.Getsid(0)
	c.Dir, _ = os.Getwd()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if k, v, ok := strings.Cut(line, ":"); ok {
			c.Status[k] = strings.TrimSpace(v)
		}
	}
	// Only what is there when a program starts counts: this one has opened files of its own since.
	for fd := range 64 {
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err == nil && flags&unix.FD_CLOEXEC == 0 {
			c.Files = append(c.Files, strconv.Itoa(fd))
		}
	}
	b, err := json.Marshal(c)
	return string(b), err
}

func dial(a []string) (string, error) {
	c, err := net.DialTimeout(a[0], a[1], patience)
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(c)
	return "got " + string(b), errors.Join(err, c.Close())
}

func fastOpen(a []string) (string, error) {
	address, err := net.ResolveTCPAddr("tcp4", a[0])
	if err != nil {
		return "", err
	}
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err != nil {
		return "", err
	}
	if err := unix.Sendto(s, []byte("early"), unix.MSG_FASTOPEN, &unix.SockaddrInet4{Port: address.Port, Addr: [4]byte(address.IP.To4())}); err != nil {
		return "", err
	}
	b := make([]byte, 64)
	n, err := unix.Read(s, b)
	return "got " + string(b[:max(n, 0)]), err
}

func sendDatagram(a []string) (string, error) {
	c, err := net.Dial("udp", a[0])
	if err != nil {
		return "", err
	}
	if _, err := c.Write([]byte("datagram")); err != nil {
		return "", err
	}
	_ = c.SetReadDeadline(time.Now().Add(patience))
	_, err = c.Read(make([]byte, 64))
	return "answered", err
}

// ask sends a datagram and waits for an answer.
func ask(a []string) (string, error) {
	c, err := net.Dial("udp", a[0])
	if err != nil {
		return "", err
	}
	if _, err := c.Write([]byte("query")); err != nil {
		return "", err
	}
	_ = c.SetReadDeadline(time.Now().Add(patience))
	b := make([]byte, 64)
	n, err := c.Read(b)
	return "got " + string(b[:n]), err
}

// serve listens on the program's own loopback and connects to it.
func serve(a []string) (string, error) {
	l, err := net.Listen("tcp", a[0])
	if err != nil {
		return "", err
	}
	go func() {
		if c, err := l.Accept(); err == nil {
			_, _ = c.Write([]byte("own"))
			_ = c.Close()
		}
	}()
	u, err := net.ListenPacket("udp", a[0])
	if err != nil {
		return "", err
	}
	go func() {
		b := make([]byte, 64)
		if _, from, err := u.ReadFrom(b); err == nil {
			_, _ = u.WriteTo([]byte("own"), from)
		}
	}()
	first, err := dial([]string{"tcp", l.Addr().String()})
	if err != nil {
		return "", err
	}
	second, err := ask([]string{u.LocalAddr().String()})
	return first + ", " + second, err
}

func list(a []string) (string, error) {
	entries, err := os.ReadDir(a[0])
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	slices.Sort(names)
	return fmt.Sprint(names), err
}

// trap waits for a signal.
func trap([]string) (string, error) {
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGUSR1)
	fmt.Println("ready")
	select {
	case s := <-heard:
		return s.String(), nil
	case <-time.After(patience):
		return "", errors.New("no signal")
	}
}

func flush([]string) (string, error) {
	conn, err := nftables.New()
	if err != nil {
		return "", err
	}
	conn.FlushRuleset()
	return "flushed", conn.Flush()
}

func socket(a []string) (string, error) {
	family, _ := strconv.Atoi(a[0])
	kind, _ := strconv.Atoi(a[1])
	protocol := 0
	if len(a) > 2 {
		protocol, _ = strconv.Atoi(a[2])
	}
	s, err := unix.Socket(family, kind, protocol)
	if err != nil {
		return "", err
	}
	return "made", unix.Close(s)
}

func typeIntoTerminal([]string) (string, error) {
	return "typed", unix.IoctlSetPointerInt(0, unix.TIOCSTI, 'x')
}

func ring([]string) (string, error) {
	_, _, errno := unix.Syscall(unix.SYS_IO_URING_SETUP, 1, 0, 0)
	return "", errno
}

// nested runs the program in a user and a mount namespace of its own.
func nested(a []string) (string, error) { return runIn(unix.CLONE_NEWUSER|unix.CLONE_NEWNS, a...) }

// runIn runs the program in new namespaces, as root of them.
func runIn(namespaces uintptr, a ...string) (string, error) {
	cmd := exec.Command("/proc/self/exe", a...)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  namespaces,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}

// sneak empties its mount namespace and then renames in a folder that it opened before.
func sneak(a []string) (string, error) {
	dir, err := unix.Open(a[0], unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return "", err
	}
	if err := unix.Mount("tmpfs", a[1], "tmpfs", 0, ""); err != nil {
		return "", err
	}
	old := filepath.Join(a[1], "old")
	if err := errors.Join(os.Mkdir(old, 0o755), unix.PivotRoot(a[1], old), unix.Unmount("/old", unix.MNT_DETACH)); err != nil {
		return "", err
	}
	return "renamed", unix.Renameat(dir, a[2], dir, a[2]+"-away")
}

// child runs the program in a process and session of its own.
func child(a []string) (string, error) {
	cmd := exec.Command("/proc/self/exe", a...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Stdin = os.Stdin
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}

// many does several things, separated by semicolons.
func many(a []string) (string, error) {
	var said []string
	for part := range slices.Values(splitAt(a, ";")) {
		s, err := verbs[part[0]](part[1:])
		if err != nil {
			s = "error: " + err.Error()
		}
		said = append(said, s)
	}
	return strings.Join(said, "\n"), nil
}

func splitAt(all []string, at string) [][]string {
	parts := [][]string{nil}
	for _, s := range all {
		if s == at {
			parts = append(parts, nil)
			continue
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], s)
	}
	return parts
}

// identify connects from a process whose arguments are given.
func identify(a []string) (string, error) {
	address, args := a[0], a[1:]
	if len(args) == 0 {
		return dial([]string{"tcp", address})
	}
	cmd := exec.Command("/proc/self/exe")
	cmd.Args = args
	cmd.Env = append(os.Environ(), "CONFINE_TEST_DIAL="+address)
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}

// bindUnix listens at a unix socket.
func bindUnix(a []string) (string, error) {
	l, err := net.Listen("unix", a[0])
	if err != nil {
		return "", err
	}
	return "bound", l.Close()
}

// post sends a datagram to a unix socket.
func post(a []string) (string, error) {
	c, err := net.Dial(a[0], a[1])
	if err != nil {
		return "", err
	}
	_, err = c.Write([]byte("datagram"))
	return "sent", errors.Join(err, c.Close())
}
