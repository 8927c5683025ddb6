package confine

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// originalDestination is the socket option, of IPv4 and IPv6 alike, from linux/netfilter_ipv4.h.
const originalDestination = 80

// Destination returns the original destination of a connection from Ways.TCP. It is not for Ways.Loopback: there the listener is
// the destination.
func Destination(c net.Conn) (netip.AddrPort, error) {
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		return netip.AddrPort{}, fmt.Errorf("find the destination of a connection: it is not one of TCP but %T", c)
	}
	local := tcp.LocalAddr().(*net.TCPAddr).AddrPort()
	raw, err := tcp.SyscallConn()
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("find the destination of a connection: %w", err)
	}
	var meant netip.AddrPort
	var failed error
	read := originalIPv4
	if local.Addr().Unmap().Is6() {
		read = originalIPv6
	}
	if err := raw.Control(func(fd uintptr) { meant, failed = read(fd) }); err != nil {
		failed = err
	}
	if failed != nil {
		return netip.AddrPort{}, fmt.Errorf("find the destination of a connection: %w", failed)
	}
	meant = netip.AddrPortFrom(meant.Addr().Unmap(), meant.Port())
	if meant == netip.AddrPortFrom(local.Addr().Unmap(), local.Port()) {
		return netip.AddrPort{}, errors.New("find the destination of a connection: it was made to the listener itself")
	}
	if !meant.IsValid() || meant.Addr().IsUnspecified() || meant.Port() == 0 {
		return netip.AddrPort{}, errors.New("find the destination of a connection: the kernel names no address")
	}
	return meant, nil
}

func originalIPv4(fd uintptr) (netip.AddrPort, error) {
	var a unix.RawSockaddrInet4
	if err := option(fd, unix.SOL_IP, unsafe.Pointer(&a), unsafe.Sizeof(a)); err != nil {
		return netip.AddrPort{}, err
	}
	return netip.AddrPortFrom(netip.AddrFrom4(a.Addr), bigEndian(&a.Port)), nil
}

func originalIPv6(fd uintptr) (netip.AddrPort, error) {
	var a unix.RawSockaddrInet6
	if err := option(fd, unix.SOL_IPV6, unsafe.Pointer(&a), unsafe.Sizeof(a)); err != nil {
		return netip.AddrPort{}, err
	}
	return netip.AddrPortFrom(netip.AddrFrom16(a.Addr), bigEndian(&a.Port)), nil
}

func option(fd uintptr, level int, value unsafe.Pointer, size uintptr) error {
	length := uint32(size)
	_, _, errno := unix.Syscall6(unix.SYS_GETSOCKOPT, fd, uintptr(level), originalDestination,
		uintptr(value), uintptr(unsafe.Pointer(&length)), 0)
	if errno != 0 {
		return errno
	}
	if uintptr(length) != size {
		return errors.New("the kernel's response is too short")
	}
	return nil
}

// bigEndian reads a port in the kernel's byte order.
func bigEndian(port *uint16) uint16 {
	b := (*[2]byte)(unsafe.Pointer(port))
	return uint16(b[0])<<8 | uint16(b[1])
}
