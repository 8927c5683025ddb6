package port

import (
	"errors"
	"net"
	"strconv"
	"syscall"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/need"
)

// Who is told a reserved address can listen there and stop. Whenever nobody listens, it refuses.
func TestReserve(t *testing.T) {
	address := Reserve(t)
	refuses := func(when string) {
		t.Helper()
		if conn, err := net.Dial("tcp", address); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("%s: dialled %v, %v", when, conn, err)
		}
	}
	refuses("before anybody listened")
	for range 2 {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		accepted, err := l.Accept()
		if err = errors.Join(err, l.Close()); err != nil {
			t.Fatal(err)
		}
		_ = accepted.Close() // first, so that the port is not forgotten at once
		_ = conn.Close()
		refuses("after somebody listened")
	}
}

// Who asks for any port gets the reserved one only after it is released, even if there is no other.
func TestReservedIsGivenToNobody(t *testing.T) {
	address, release, err := Hold()
	if err != nil {
		t.Fatal(err)
	}
	_, number, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(number)
	if err != nil {
		t.Fatal(err)
	}
	const localPortRange = 51 // IP_LOCAL_PORT_RANGE: the lowest port in the lower half, the highest in the upper one
	noOther := func(_, _ string, c syscall.RawConn) (err error) {
		failed := c.Control(func(fd uintptr) {
			err = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_IP, localPortRange, port<<16|port)
		})
		return errors.Join(failed, err)
	}
	anywhere := net.ListenConfig{Control: noOther}
	if l, err := anywhere.Listen(t.Context(), "tcp", "127.0.0.1:0"); errors.Is(err, syscall.ENOPROTOOPT) {
		need.Missing(t, "that a reserved port is given to nobody", "the kernel is older than 6.3")
	} else if !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("a listener got %v, %v", l, err)
	}
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	dialer := net.Dialer{Control: noOther}
	if conn, err := dialer.Dial("tcp", server.Addr().String()); !errors.Is(err, syscall.EADDRNOTAVAIL) {
		t.Errorf("a connection got %v, %v", conn, err)
	}
	release()
	l, err := anywhere.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil || l.Addr().String() != address {
		t.Fatalf("after the release: %v, %v", l, err)
	}
	_ = l.Close()
}
