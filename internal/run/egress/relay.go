package egress

import (
	"io"
	"net"
	"sync"
)

// relay copies between two connections until both ends are done, and closes them. first is done before anything of the client's is
// copied; if it says no, both are broken off. Each side may be done with sending before the other.
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
	_ = client.Close() // all that was to be said is said
	_ = server.Close() // likewise
}

// pass copies one way. An error on one side becomes one on the other: an orderly end would make a broken answer look complete.
func pass(dst, src net.Conn) {
	if _, err := io.Copy(dst, src); err != nil {
		abort(dst)
		abort(src)
		return
	}
	if half, ok := dst.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite() // fails if dst is gone, which the other direction finds
		return
	}
	abort(dst)
}
