package egress

import (
	"io"
	"net"
	"sync"
)

// relay copies between two connections until both ends are done, and closes them. It calls first before it copies anything from the
// client; if first returns false, both connections are aborted. Each side may finish sending before the other.
func relay(client, server net.Conn, first func() bool) {
	var both sync.WaitGroup
	both.Go(func() {
		if !first() {
			abort(client)
			abort(server)
			return
		}
		pass(server, client)
	})
	pass(client, server)
	both.Wait()
	_ = client.Close() // everything has been sent
	_ = server.Close() // everything has been sent
}

// pass copies in one direction. An error on one side becomes an error on the other: an orderly end would make a broken response
// look complete.
func pass(dst, src net.Conn) {
	if _, err := io.Copy(dst, src); err != nil {
		abort(dst)
		abort(src)
		return
	}
	if half, ok := dst.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite() // it fails if dst is gone; the other direction notices that
		return
	}
	abort(dst)
}
