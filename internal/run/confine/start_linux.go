package confine

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/weir-gate/weir/internal/text/inert"
)

// prepareTime is how long it may take to start the program. It normally takes some milliseconds; a file system that hangs must not
// block weir.
const prepareTime = 30 * time.Second

// maxComplaint is how many characters of an error from inside are shown.
const maxComplaint = 1000

// Check says why programs cannot be confined on this machine, and what to do about it; nil: they can. It does all that Start does,
// except to run a program.
func Check() error {
	p, err := start(Config{}, order{Trial: true, Dir: "/"})
	if err != nil {
		return err
	}
	_, err = p.Wait()
	return errors.Join(err, p.Close())
}

// Start starts a program. It is in the caller's process group and session, and ignores the signals that the caller ignores. When
// Start returns without an error, the program runs.
//
// A program of root can do with the files of all users what root can. It cannot change settings of the kernel, use disks without
// their file systems, or do anything that needs more rights than that.
func Start(cfg Config) (*Process, error) {
	o, err := cfg.order()
	if err != nil {
		return nil, err
	}
	return start(cfg, o)
}

// order returns the order for the process inside.
func (cfg Config) order() (order, error) {
	if cfg.Path == "" {
		return order{}, errors.New("start a confined program: there is no path")
	}
	here, err := os.Getwd()
	if err != nil {
		return order{}, fmt.Errorf("find the current folder: %w", err)
	}
	dir := here
	if cfg.Dir != "" {
		dir = absolute(here, cfg.Dir)
	}
	masks, err := foreignSockets(cfg.Sockets)
	if err != nil {
		return order{}, fmt.Errorf("find the unix sockets of this machine: %w", err)
	}
	o := order{
		Path: cfg.Path, Args: cfg.Args, Env: cfg.Env, Dir: dir,
		Masks: masks, Ports: slices.Clone(cfg.Ports), Socket: cfg.Socket, Sandboxes: cfg.Sandboxes, IPv6: routesIPv6(),
	}
	slices.Sort(o.Ports)
	o.Ports = slices.Compact(o.Ports)
	if len(o.Args) == 0 {
		o.Args = []string{cfg.Path}
	}
	for _, path := range cfg.Hide {
		o.Hide = append(o.Hide, absolute(here, path))
	}
	for _, path := range cfg.Fix {
		o.Fix = append(o.Fix, absolute(here, path))
	}
	for _, c := range cfg.Covers {
		o.Covers = append(o.Covers, Cover{Path: absolute(here, c.Path), With: absolute(here, c.With)})
	}
	return o, nil
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// start starts the process that becomes the program, and takes the sockets that it hands out.
func start(cfg Config, o order) (*Process, error) {
	if os.Args[0] == insideName {
		// Otherwise a program whose main function does not call Main would start itself again and again.
		return nil, errors.New("start a confined program: this process was to become one, and does not call confine.Main")
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("make a pair of sockets: %w", err)
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "outside"), os.NewFile(uintptr(pair[1]), "inside")
	defer theirs.Close() // the process inside has its own
	defer ours.Close()   // a copy is used
	conn, err := net.FileConn(ours)
	if err != nil {
		return nil, fmt.Errorf("use a pair of sockets: %w", err)
	}
	defer conn.Close() // nothing more is written to it
	attr, all, err := namespaces()
	if err != nil {
		return nil, err
	}
	if o.Root = all; all {
		o.Masks = append(o.Masks, pastMounts()...)
	}
	cmd := exec.Command("/proc/self/exe")
	cmd.Args = []string{insideName}
	cmd.Env = []string{} // the process inside depends only on the order
	cmd.ExtraFiles = []*os.File{theirs}
	cmd.SysProcAttr = attr
	// A nil *os.File in an interface would not be nil.
	if cfg.Stdin != nil {
		cmd.Stdin = cfg.Stdin
	}
	if cfg.Stdout != nil {
		cmd.Stdout = cfg.Stdout
	}
	if cfg.Stderr != nil {
		cmd.Stderr = cfg.Stderr
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a process in namespaces of its own: %w%s", err, cure(err))
	}
	if err := theirs.Close(); err != nil {
		return nil, errors.Join(err, abandon(cmd))
	}
	p := &Process{cmd: cmd, shim: cfg.Shim}
	p.members.space, err = os.Readlink(procPath(p.PID(), "ns", "net"))
	if err == nil {
		err = p.instruct(conn.(*net.UnixConn), o)
	}
	if err != nil {
		return nil, errors.Join(err, p.Close(), abandon(cmd))
	}
	return p, nil
}

// abandon ends a process that did not become the program.
func abandon(cmd *exec.Cmd) error {
	err := cmd.Process.Kill()
	if errors.Is(err, os.ErrProcessDone) {
		err = nil
	}
	_ = cmd.Wait() // how it ended is known
	return err
}

// instruct sends the order to the process inside, and takes the sockets that it hands out. It returns when that process has become
// the program.
func (p *Process) instruct(conn *net.UnixConn, o order) error {
	if err := conn.SetDeadline(time.Now().Add(prepareTime)); err != nil {
		return err
	}
	if err := writeMessage(conn, o); err != nil {
		return fmt.Errorf("send the order to the process in the namespaces: %w", err)
	}
	var answer reply
	if err := hear(conn, &answer); errors.Is(err, io.EOF) {
		return errors.New("the process in the namespaces ended before it was ready")
	} else if err != nil {
		return err
	}
	p.ways.Loopback = make(map[uint16][]net.Listener)
	for _, d := range answer.Doors {
		f, err := receiveFile(conn)
		if err != nil {
			return fmt.Errorf("take a socket from the namespaces: %w", err)
		}
		if err := p.take(d, f); err != nil {
			return fmt.Errorf("use a socket of the namespaces: %w", err)
		}
	}
	// The socket closes when the program takes over.
	if err := hear(conn, &answer); !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// hear reads a reply. If the reply reports an error, hear returns it.
func hear(conn *net.UnixConn, answer *reply) error {
	*answer = reply{}
	if err := readMessage(conn, answer); err != nil {
		return fmt.Errorf("read from the process in the namespaces: %w", err)
	}
	if answer.Error != "" {
		return errors.New(inert.Text(answer.Error, maxComplaint))
	}
	return nil
}

// take adds a socket that was handed out to the ways.
func (p *Process) take(d door, f *os.File) error {
	if d.Kind == doorDropped {
		p.drops = f
		p.ways.Dropped = tellDropped(f)
		return nil
	}
	defer f.Close() // a copy is used
	if d.Kind == doorDNS {
		c, err := net.FilePacketConn(f)
		if err != nil {
			return err
		}
		p.ways.DNS = append(p.ways.DNS, c)
		return nil
	}
	l, err := net.FileListener(f)
	if err != nil {
		return err
	}
	switch d.Kind {
	case doorLoopback:
		p.ways.Loopback[d.Port] = append(p.ways.Loopback[d.Port], l)
	case doorSocket:
		p.ways.Socket = l
	default:
		p.ways.TCP = append(p.ways.TCP, l)
	}
	return nil
}

// A Process is a confined program that runs.
type Process struct {
	cmd     *exec.Cmd
	ways    Ways
	drops   *os.File
	members members
	shim    func(pid int) string // nil: no process is a shim
}

// Ways returns where its connections arrive. They stay open until Close, because processes that the program started may outlive it.
func (p *Process) Ways() Ways { return p.ways }

// PID returns its process id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Signal sends it a signal.
func (p *Process) Signal(s os.Signal) error { return p.cmd.Process.Signal(s) }

// Wait waits for its end. It is called once.
func (p *Process) Wait() (Exit, error) {
	err := p.cmd.Wait()
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		return Exit{}, fmt.Errorf("wait for the confined program: %w", err)
	}
	exit := Exit{Code: p.cmd.ProcessState.ExitCode()}
	if status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		exit.Signal = status.Signal()
	}
	return exit, nil
}

// Close closes its ways: connections of processes that still run inside are refused from now on.
func (p *Process) Close() error {
	var errs []error
	for _, l := range p.ways.TCP {
		errs = append(errs, l.Close())
	}
	for _, all := range p.ways.Loopback {
		for _, l := range all {
			errs = append(errs, l.Close())
		}
	}
	if p.ways.Socket != nil {
		errs = append(errs, p.ways.Socket.Close())
	}
	for _, c := range p.ways.DNS {
		errs = append(errs, c.Close())
	}
	if p.drops != nil {
		// The last datagrams of the program are still to be reported.
		if p.drops.SetReadDeadline(time.Now().Add(lastTold)) != nil {
			errs = append(errs, p.drops.Close())
		}
	}
	// The holder of the ways may have closed some already.
	errs = slices.DeleteFunc(errs, func(err error) bool { return errors.Is(err, net.ErrClosed) || errors.Is(err, os.ErrClosed) })
	return errors.Join(errs...)
}
