package port

import (
	"errors"
	"os"
	"syscall"
)

// bind binds a socket that never listens. With SO_REUSEADDR it admits another one at its port that has the option, too, as those of
// Go and PostgreSQL do; but who asks for any free port never gets one at which a socket is bound.
func bind() (port int, release func(), err error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, nil, os.NewSyscallError("socket", err)
	}
	err = errors.Join(
		syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1),
		syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	name, unnamed := syscall.Getsockname(fd)
	if err = errors.Join(err, unnamed); err != nil {
		return 0, nil, errors.Join(err, syscall.Close(fd))
	}
	return name.(*syscall.SockaddrInet4).Port, func() { _ = syscall.Close(fd) }, nil // it holds nothing that could be lost
}
