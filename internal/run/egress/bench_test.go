package egress

import (
	"io"
	"net"
	"testing"
)

// BenchmarkBytes copies through the monitor, and directly: their ratio is what the door costs.
func BenchmarkBytes(b *testing.B) {
	piece := make([]byte, 64<<10)
	run := func(b *testing.B, c, s *net.TCPConn) {
		b.SetBytes(int64(len(piece)))
		done := make(chan error, 1)
		go func() {
			_, err := io.Copy(io.Discard, s)
			done <- err
		}()
		for b.Loop() {
			if _, err := c.Write(piece); err != nil {
				b.Fatal(err)
			}
		}
		_ = c.CloseWrite()
		if err := <-done; err != nil {
			b.Fatal(err)
		}
	}
	b.Run("monitor", func(b *testing.B) {
		r := newRig(b, &scriptedJudge{}, nil)
		c := dialTCP(b, r.redirect(b, somewhere))
		send(b, c, "\x00")
		run(b, c, r.acceptOne(b))
	})
	b.Run("direct", func(b *testing.B) {
		r := newRig(b, &scriptedJudge{}, nil)
		c := dialTCP(b, r.server.Addr())
		run(b, c, r.acceptOne(b))
	})
}

// BenchmarkConnection is a connection with a name in its first bytes, from its opening to its end.
func BenchmarkConnection(b *testing.B) {
	hello := clientHello(b, "api.example.com")
	run := func(b *testing.B, r *rig, to net.Addr) {
		go func() {
			for {
				s, err := r.server.Accept()
				if err != nil {
					return
				}
				go func() {
					_, _ = io.Copy(s, s)
					_ = s.Close()
				}()
			}
		}()
		for b.Loop() {
			c, err := net.Dial("tcp", to.String())
			if err != nil {
				b.Fatal(err)
			}
			_, _ = c.Write(hello)
			_ = c.(*net.TCPConn).CloseWrite()
			if n, err := io.Copy(io.Discard, c); err != nil || n != int64(len(hello)) {
				b.Fatal(n, err)
			}
			_ = c.Close()
		}
	}
	b.Run("monitor", func(b *testing.B) {
		r := newRig(b, &scriptedJudge{}, nil)
		run(b, r, r.redirect(b, somewhere))
	})
	b.Run("direct", func(b *testing.B) {
		r := newRig(b, &scriptedJudge{}, nil)
		run(b, r, r.server.Addr())
	})
}
