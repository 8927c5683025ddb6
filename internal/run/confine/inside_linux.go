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

// insideName is what the process that becomes the program is called until then.
const insideName = "weir: becoming a confined program"

// insideSocket is where that process hears what to do.
const insideSocket = 3

// Inside says whether this process is on its way to become a confined program. If it is, Main is all there is to do. It has
// nothing but its name for an argument, no variables and a unix socket: nobody starts weir like that by accident.
func Inside() bool {
	if len(os.Args) != 1 || os.Args[0] != insideName || len(os.Environ()) != 0 {
		return false
	}
	domain, err := unix.GetsockoptInt(insideSocket, unix.SOL_SOCKET, unix.SO_DOMAIN)
	return err == nil && domain == unix.AF_UNIX
}

// Main becomes the confined program. It never returns.
func Main() {
	// Capabilities belong to a thread. The thread that gives them up is the one that becomes the program.
	runtime.LockOSThread()
	unix.CloseOnExec(insideSocket)
	socket := os.NewFile(insideSocket, "outside")
	if err := becomeProgram(socket); err != nil {
		_ = writeMessage(socket, reply{Error: err.Error()}) // if nobody hears it, nobody waits for it
		os.Exit(1)
	}
	os.Exit(0)
}

// becomeProgram prepares all as ordered and becomes the program. It returns with an error, or when no program is to be started.
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
	// Whatever is open but the first three is nobody's business there.
	if err := unix.CloseRange(3, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return fmt.Errorf("close inherited files: %w", err)
	}
	if err := syscall.Exec(o.Path, o.Args, o.Env); err != nil {
		return &fs.PathError{Op: "run", Path: o.Path, Err: err}
	}
	return nil
}

// prepare makes the namespaces what they are to be. filter is what they cannot do.
func prepare(o order) (out *outlets, filter filter, err error) {
	// It is opened now, since root cannot open it later, and written last, since mounting takes such namespaces, too. In some
	// containers it cannot be written.
	limit, unlimited := os.OpenFile("/proc/sys/user/max_mnt_namespaces", os.O_WRONLY, 0)
	if unlimited == nil {
		defer limit.Close() // what is written has its effect at once
	}
	if out, err = openNetwork(o); err != nil {
		return nil, filter, fmt.Errorf("%w%s", err, lack(err))
	}
	if err := arrange(o); err != nil {
		return nil, filter, fmt.Errorf("%w%s", err, lack(err))
	}
	if !o.Sandboxes {
		// This counts for user namespaces within, too. In a mount namespace that the program emptied, nothing would keep it from
		// renaming what is fixed.
		if unlimited == nil {
			_, unlimited = limit.WriteString("0")
		}
		filter.mountNamespaces = unlimited != nil
	}
	// By its name, and only now: the folder may be on something that was mounted since.
	if err := os.Chdir(o.Dir); err != nil {
		return nil, filter, fmt.Errorf("change to the folder: %w", err)
	}
	return out, filter, nil
}

// handOut gives the sockets away. They are closed here when the program takes over.
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

// lack is what the machine lacks that an error tells of; "": nobody knows.
func lack(err error) string {
	var path *fs.PathError
	switch {
	case errors.As(err, &path):
		return "" // it is about a file, which it names
	case errors.Is(err, syscall.ENOSYS):
		return ": this kernel is too old: Linux 5.12 is needed"
	case errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES):
		return ": namespaces can be made here, but not used, which is what AppArmor (sysctl" +
			" kernel.apparmor_restrict_unprivileged_userns) and the seccomp profiles of containers do"
	}
	return ""
}
