package verify

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/run/canary"
)

// A bait is a service on the machine's loopback, and one on a unix socket, that no session may reach.
type bait struct {
	port      uint16
	banner    string
	sockets   []string // one, or none if the path is too long for a socket
	dir       string
	listeners []net.Listener
	serving   sync.WaitGroup
}

func setBait(temp string) (*bait, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen on loopback: %w", err)
	}
	b := &bait{port: uint16(l.Addr().(*net.TCPAddr).Port), banner: canary.NewNonce()}
	b.serve(l)
	if b.dir, err = os.MkdirTemp(temp, "weir-verify-"); err != nil {
		b.close()
		return nil, fmt.Errorf("make a folder: %w", err)
	}
	path := filepath.Join(b.dir, "s")
	if l, err := net.Listen("unix", path); err == nil {
		b.serve(l)
		b.sockets = []string{path}
	}
	return b, nil
}

// serve sends the banner on every connection.
func (b *bait) serve(l net.Listener) {
	b.listeners = append(b.listeners, l)
	b.serving.Go(func() {
		for {
			conn, err := l.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil {
				continue
			}
			_ = conn.SetDeadline(time.Now().Add(dialWithin))
			_, _ = conn.Write([]byte(b.banner)) // a client that does not read it has not reached the service
			_ = conn.Close()
		}
	})
}

func (b *bait) close() {
	for _, l := range b.listeners {
		_ = l.Close()
	}
	b.serving.Wait()
	if b.dir != "" {
		_ = os.RemoveAll(b.dir)
	}
}

// connectable says that somebody listens on a unix socket and accepts connections of this process.
func connectable(path string) bool {
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err != nil {
		return false
	}
	return conn.Close() == nil
}
