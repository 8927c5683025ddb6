package agents

import (
	"net"
	"net/netip"
	"sync/atomic"
	"testing"
)

// A listener is a service of this machine. It says that it is here to whoever asks.
type listener struct {
	net.Listener
	connections atomic.Int32
}

// listen starts one, which ends with the test.
func listen(t *testing.T) *listener {
	t.Helper()
	l := &listener{}
	var err error
	if l.Listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			l.connections.Add(1)
			_, _ = conn.Write([]byte(here)) // the one who asked may be gone
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-ended
	})
	return l
}

func (l *listener) addr() string { return l.Addr().String() }

func (l *listener) port() uint16 { return netip.MustParseAddrPort(l.addr()).Port() }

func (l *listener) count() int { return int(l.connections.Load()) }
