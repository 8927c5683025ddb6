//go:build !linux

package port

import "net"

// bind only finds a free port: here nobody could listen at one at which a socket is bound.
func bind() (port int, release func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, nil, err
	}
	return l.Addr().(*net.TCPAddr).Port, func() {}, l.Close()
}
