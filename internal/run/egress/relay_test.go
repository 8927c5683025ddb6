package egress

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
)

func TestHalfClose(t *testing.T) {
	t.Parallel()
	for name, order := range map[string]bool{"client first": true, "server first": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, &scriptedJudge{}, nil)
			c := dialTCP(t, r.redirect(t, somewhere))
			send(t, c, "\x00question")
			s := r.acceptOne(t)
			receive(t, s, "\x00question")
			one, other := c, s
			if !order {
				one, other = s, c
			}
			if err := one.CloseWrite(); err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(other); err != nil || len(got) > 0 {
				t.Fatalf("read %q, %v", got, err)
			}
			send(t, other, "still here")
			receive(t, one, "still here")
			if err := other.CloseWrite(); err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(one); err != nil || len(got) > 0 {
				t.Fatalf("read %q, %v", got, err)
			}
		})
	}
}

func TestClientThatEndsAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, &scriptedJudge{}, nil)
	c := dialTCP(t, r.redirect(t, somewhere))
	if err := c.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	s := r.acceptOne(t)
	if got, err := io.ReadAll(s); err != nil || len(got) > 0 {
		t.Fatalf("read %q, %v", got, err)
	}
	send(t, s, "unasked")
	receive(t, c, "unasked")
}

func TestResetIsPassedOn(t *testing.T) {
	t.Parallel()
	for name, fromServer := range map[string]bool{"of the server": true, "of the client": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, &scriptedJudge{}, nil)
			c := dialTCP(t, r.redirect(t, somewhere))
			send(t, c, "\x00")
			s := r.acceptOne(t)
			receive(t, s, "\x00")
			if fromServer {
				abort(s)
				expectReset(t, c)
				return
			}
			abort(c)
			expectReset(t, s)
		})
	}
}

func TestMuchBothWays(t *testing.T) {
	t.Parallel()
	r := newRig(t, &scriptedJudge{}, nil)
	c := dialTCP(t, r.redirect(t, somewhere))
	up, down := make([]byte, 8<<20), make([]byte, 12<<20)
	_, _ = rand.Read(up)
	_, _ = rand.Read(down)
	up[0] = 0 // no letter, no handshake
	var all sync.WaitGroup
	speak := func(conn *net.TCPConn, b []byte) {
		if _, err := conn.Write(b); err != nil {
			t.Error(err)
		}
		_ = conn.CloseWrite()
	}
	hear := func(conn *net.TCPConn, want []byte) {
		if got, err := io.ReadAll(conn); err != nil || !bytes.Equal(got, want) {
			t.Errorf("read %d bytes, %v; want %d", len(got), err, len(want))
		}
	}
	all.Go(func() { speak(c, up) })
	all.Go(func() { hear(c, down) })
	s := r.acceptOne(t)
	all.Go(func() { speak(s, down) })
	all.Go(func() { hear(s, up) })
	all.Wait()
}

func TestJudgeIsToldThatTheClientIsGone(t *testing.T) {
	t.Parallel()
	asked, over := make(chan struct{}), make(chan struct{})
	r := newRig(t, &scriptedJudge{rule: func(ctx context.Context, _ call.Connection) call.Ruling {
		close(asked)
		<-ctx.Done()
		close(over)
		return call.Ruling{}
	}}, nil)
	c := dialTCP(t, r.redirect(t, somewhere))
	send(t, c, "\x00")
	<-asked
	abort(c)
	select {
	case <-over:
	case <-time.After(patience):
		t.Error("it still waits")
	}
}

func TestWhatComesDuringTheRulingIsPassedOn(t *testing.T) {
	t.Parallel()
	asked, rule := make(chan struct{}), make(chan struct{})
	r := newRig(t, &scriptedJudge{rule: func(context.Context, call.Connection) call.Ruling {
		close(asked)
		<-rule
		return call.Ruling{Released: true}
	}}, nil)
	c := dialTCP(t, r.redirect(t, somewhere))
	send(t, c, "\x00one ")
	<-asked
	send(t, c, "two ")
	_ = c.CloseWrite()
	close(rule)
	if got, err := io.ReadAll(r.acceptOne(t)); err != nil || string(got) != "\x00one two " {
		t.Errorf("the server got %q, %v", got, err)
	}
}

func TestTooManyConnections(t *testing.T) {
	t.Parallel()
	troubles := make(chan error, maxConnections)
	r := newRig(t, &scriptedJudge{}, func(cfg *Config) { cfg.OnTrouble = func(err error) { troubles <- err } })
	for range maxConnections {
		r.slots <- struct{}{} // as if they were there
	}
	to := r.redirect(t, somewhere)
	expectResetAt(t, to)
	expectResetAt(t, to)
	if len(troubles) != 1 {
		t.Errorf("told %d times", len(troubles))
	}
	<-r.slots
	c := dialTCP(t, to)
	send(t, c, "\x00")
	receive(t, r.acceptOne(t), "\x00")
}

func TestCloseEndsAll(t *testing.T) {
	t.Parallel()
	r := newRig(t, &scriptedJudge{}, nil)
	to := r.redirect(t, somewhere)
	open, silent := dialTCP(t, to), dialTCP(t, to)
	send(t, open, "\x00")
	s := r.acceptOne(t)
	receive(t, s, "\x00")
	r.Close()
	expectReset(t, open)
	expectReset(t, s)
	if _, err := io.ReadAll(silent); err == nil {
		t.Error("an orderly end")
	}
	if _, err := net.Dial("tcp", to.String()); err == nil {
		t.Error("it still listens")
	}
	if err := r.Redirected(listen(t), nil); err != nil {
		t.Error(err)
	}
	r.Close() // twice does no harm
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, &scriptedJudge{rule: refuseHost("evil.example")}, nil)
	to := r.redirect(t, somewhere)
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
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			c, err := net.Dial("tcp", to.String())
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			r.addresses.learn("good.example", []netip.Addr{somewhere.Addr()})
			host := "good.example"
			if i%3 == 0 {
				host = "evil.example"
			}
			request := "GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n"
			if _, err := io.WriteString(c, request); err != nil {
				t.Error(err)
			}
			_ = c.(*net.TCPConn).CloseWrite()
			got, err := io.ReadAll(c)
			if released := string(got) == request && err == nil; released != (i%3 != 0) || i%3 == 0 && len(got) > 0 {
				t.Errorf("%s: %q, %v", host, got, err)
			}
		})
	}
	all.Wait()
	want := Tally{Connections: 66, Refused: 34, Hosts: []HostTally{{Host: "good.example", Connections: 66}, {Host: "evil.example", Refused: 34}}}
	if diff := cmp.Diff(want, r.Tally()); diff != "" {
		t.Errorf("tally (-want +got):\n%s", diff)
	}
}
