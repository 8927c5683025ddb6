//go:build !linux

package confine

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"runtime"

	"github.com/weir-gate/weir/internal/call"
)

// errLinux says why programs cannot be confined here.
var errLinux = errors.New("programs cannot be confined on " + runtime.GOOS + ": namespaces are a feature of Linux")

// Check says why programs cannot be confined on this machine.
func Check() error { return errLinux }

// Inside says whether this process is to become a confined program: never, here.
func Inside() bool { return false }

// Main ends the process, because it cannot become a confined program.
func Main() { os.Exit(2) }

// A Process is a confined program that runs. There are none here.
type Process struct{}

// Start fails: see Check.
func Start(Config) (*Process, error) { return nil, errLinux }

// Ways returns where its connections arrive.
func (*Process) Ways() Ways { return Ways{} }

// PID returns its process id.
func (*Process) PID() int { return 0 }

// Signal sends it a signal.
func (*Process) Signal(os.Signal) error { return errLinux }

// Wait waits for its end.
func (*Process) Wait() (Exit, error) { return Exit{}, errLinux }

// Close closes its ways.
func (*Process) Close() error { return nil }

// Owner finds the process of a connection.
func (*Process) Owner(_, _ netip.AddrPort) call.Process { return call.Process{} }

// Destination returns the original destination of a connection.
func Destination(net.Conn) (netip.AddrPort, error) { return netip.AddrPort{}, errLinux }
