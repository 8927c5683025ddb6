package egress

import (
	"context"
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

func TestLoopback(t *testing.T) {
	t.Parallel()
	const port = 5432
	conn := func(text string) call.Connection {
		return call.Connection{Act: call.Connect, Addr: addr(text), Port: port, Protocol: "tcp", Loopback: true}
	}
	mirror := func(t *testing.T, r *rig, listenAt string) net.Addr {
		l, err := net.Listen("tcp", listenAt)
		if err != nil {
			need.Missing(t, "services of the machine at "+listenAt, err.Error())
		}
		t.Cleanup(func() { _ = l.Close() })
		r.background(t, func() error { return r.Loopback(l, port) })
		return l.Addr()
	}
	t.Run("IPv4", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, &scriptedJudge{}, nil)
		c := dialTCP(t, mirror(t, r, "127.0.0.1:0"))
		send(t, c, "GET / HTTP/1.1\r\nHost: localhost:5432\r\n\r\n")
		receive(t, r.acceptOne(t), "GET / HTTP/1.1\r\nHost: localhost:5432\r\n\r\n")
		r.judge.expect(t, conn("127.0.0.1")) // the name says no more than where it leads
		r.expectDialed(t, "127.0.0.1:5432")
	})
	t.Run("a silent client", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, &scriptedJudge{}, nil)
		r.patience = time.Millisecond
		c := dialTCP(t, mirror(t, r, "127.0.0.1:0"))
		send(t, r.acceptOne(t), "220 hello\r\n")
		receive(t, c, "220 hello\r\n")
		want := conn("127.0.0.1")
		want.Unread = true
		r.judge.expect(t, want)
	})
	for name, sends := range map[string]string{
		"a proxy":            "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
		"a tunnel":           "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
		"a host":             "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
		"something doubtful": "\x1cGET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, &scriptedJudge{rule: refuseDoubt}, nil)
			c := dialTCP(t, mirror(t, r, "127.0.0.1:0"))
			send(t, c, sends)
			expectReset(t, c)
			r.expectDialed(t)
		})
	}
	t.Run("IPv6", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, &scriptedJudge{}, nil)
		send(t, dialTCP(t, mirror(t, r, "[::1]:0")), "PING\r\n")
		r.acceptOne(t)
		r.expectDialed(t, "[::1]:5432")
	})
	t.Run("the other family", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, &scriptedJudge{}, nil)
		r.cfg.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := r.dial(ctx, network, address)
			if address == "127.0.0.1:5432" && err == nil {
				_ = conn.Close()
				return nil, errors.New("nobody listens")
			}
			return conn, err
		}
		c := dialTCP(t, mirror(t, r, "127.0.0.1:0"))
		send(t, c, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
		r.acceptOne(t)
		receive(t, r.acceptOne(t), "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
		r.judge.expect(t, conn("127.0.0.1"), conn("::1"))
	})
	t.Run("refused", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, &scriptedJudge{rule: refuseAll}, nil)
		r.patience = time.Millisecond
		expectResetAt(t, mirror(t, r, "127.0.0.1:0"))
		r.expectDialed(t)
	})
	t.Run("own", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, &scriptedJudge{rule: refuseAll}, func(cfg *Config) { cfg.Own = port })
		c := dialTCP(t, mirror(t, r, "127.0.0.1:0"))
		send(t, c, "hello")
		receive(t, r.acceptOne(t), "hello")
		r.judge.expect(t)
	})
	t.Run("own, asked for in the other family", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, &scriptedJudge{rule: refuseAll}, func(cfg *Config) { cfg.Own = port })
		dialTCP(t, mirror(t, r, "[::1]:0"))
		r.acceptOne(t)
		r.expectDialed(t, "127.0.0.1:5432") // who has the port of ::1 is not known
	})
	t.Run("own, and away", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, &scriptedJudge{}, func(cfg *Config) {
			cfg.Own, cfg.OwnAlive = port, func() bool { return false }
		})
		expectResetAt(t, mirror(t, r, "127.0.0.1:0"))
		r.expectDialed(t)
		r.judge.expect(t)
	})
	t.Run("own, and gone meanwhile", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, &scriptedJudge{}, func(cfg *Config) { cfg.Own, cfg.OwnAlive = port, aliveFor(1) })
		expectResetAt(t, mirror(t, r, "127.0.0.1:0"))
		expectReset(t, r.acceptOne(t)) // and not a byte
	})
}

// aliveFor says yes so many times, and then no.
func aliveFor(times int64) func() bool {
	var asked atomic.Int64
	return func() bool { return asked.Add(1) <= times }
}
