package confine

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// insideName is the name of the process until it becomes the program.
const insideName = "weir: becoming a confined program"

// insideSocket is the socket on which that process gets its order.
const insideSocket = 3

// Inside says whether this process is to become a confined program. If it is, the caller must only call Main. Such a process has
// only its name as an argument, no variables and a unix socket: nobody starts weir like that by accident.
func Inside() bool {
	if len(os.Args) != 1 || os.Args[0] != insideName || len(os.Environ()) != 0 {
		return false
	}
	domain, err := unix.GetsockoptInt(insideSocket, unix.SOL_SOCKET, unix.SO_DOMAIN)
	return err == nil && domain == unix.AF_UNIX
}

// Main becomes the confined program. It never returns.
func Main() {
	// Capabilities belong to a thread. The thread that gives them up must be the one that becomes the program.
	runtime.LockOSThread()
	unix.CloseOnExec(insideSocket)
	socket := os.NewFile(insideSocket, "outside")
	if err := becomeProgram(socket); err != nil {
		_ = writeMessage(socket, reply{Error: err.Error()}) // if it cannot be sent, nobody waits for it
		os.Exit(1)
	}
	os.Exit(0)
}

// becomeProgram prepares everything as the order says and becomes the program. It returns only with an error, or for a trial.
func becomeProgram(socket *os.File) error {
	var o order
	if err := readMessage(socket, &o); err != nil {
		return fmt.Errorf("read the order: %w", err)
	}
	out, filter, err := prepare(o)
	if err != nil {
		return err
	}
	if err := handOut(socket, out); err != nil {
		return fmt.Errorf("send sockets: %w", err)
	}
	if err := giveUp(o.Root); err != nil {
		return err
	}
	if err := filter.install(); err != nil {
		return fmt.Errorf("filter system calls: %w", err)
	}
	if o.Trial {
		return nil
	}
	// The program must not get any open files except the first three.
	if err := unix.CloseRange(3, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return fmt.Errorf("close inherited files: %w", err)
	}
	if err := syscall.Exec(o.Path, o.Args, o.Env); err != nil {
		return &fs.PathError{Op: "run", Path: o.Path, Err: err}
	}
	return nil
}

// prepare sets up the namespaces. filter does what namespaces cannot.
func prepare(o order) (out *outlets, filter filter, err error) {
	// The file is opened now, because root cannot open it later. It is written last, because mounting needs such namespaces, too. In
	// some containers it cannot be written.
	limit, unlimited := os.OpenFile("/proc/sys/user/max_mnt_namespaces", os.O_WRONLY, 0)
	if unlimited == nil {
		defer limit.Close() // a write takes effect at once
	}
	if out, err = openNetwork(o); err != nil {
		return nil, filter, fmt.Errorf("%w%s", err, lack(err))
	}
	if err := arrange(o); err != nil {
		return nil, filter, fmt.Errorf("%w%s", err, lack(err))
	}
	if !o.Sandboxes {
		// The limit applies to nested user namespaces, too. In a mount namespace that the program emptied, it could rename fixed files.
		if unlimited == nil {
			_, unlimited = limit.WriteString("0")
		}
		filter.mountNamespaces = unlimited != nil
	}
	// By its name, and only now: the folder may be in something that was mounted above.
	if err := os.Chdir(o.Dir); err != nil {
		return nil, filter, fmt.Errorf("change to the folder: %w", err)
	}
	return out, filter, nil
}

// handOut sends the sockets to the outside. They are closed here when the program takes over.
func handOut(socket *os.File, out *outlets) error {
	if err := writeMessage(socket, reply{Doors: out.doors}); err != nil {
		return err
	}
	for _, f := range out.files {
		if err := sendFile(insideSocket, int(f.Fd())); err != nil {
			return err
		}
	}
	return nil
}

// lack says what the machine lacks, according to an error; "": it is not known.
func lack(err error) string {
	var path *fs.PathError
	switch {
	case errors.As(err, &path):
		return "" // the error is about a file, and names it
	case errors.Is(err, syscall.ENOSYS):
		return ": this kernel is too old: Linux 5.12 is needed"
	case errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES):
		return ": namespaces can be made here, but not used, which is what AppArmor (sysctl" +
			" kernel.apparmor_restrict_unprivileged_userns) and the seccomp profiles of containers do"
	}
	return ""
}
