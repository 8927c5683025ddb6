package reach_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/mcp/child"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/reach"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func TestStdioNoise(t *testing.T) {
	noise := make(chan string, 1)
	conn, err := reach.Stdio(reach.StdioConfig{
		Process: helper("noisy"),
		Noise:   func(n jsonrpc.Noise) { noise <- string(n.Text) },
	})
	expect.OK(t, err)
	open(t, conn)
	send(t, conn, request(1, "echo", `{}`))
	expect.Equal(t, receive(t, conn), `{"jsonrpc":"2.0","id":1,"result":{"echo":true}}`)
	expect.Equal(t, <-noise, "Server starting on stdio", "noise")
}

func TestStdioOdd(t *testing.T) {
	conn, err := reach.Stdio(reach.StdioConfig{Process: helper("odd"), MaxMessage: 100})
	expect.OK(t, err)
	open(t, conn)
	want := []string{
		"error: message refused: a member is there twice, or in another case",
		"error: message refused: it is too large to be read: json exceeds a bound: more than 100 bytes",
		`{"jsonrpc":"2.0","method":"last"}`,
		"error: the server is gone: it ended with exit code 0",
	}
	for _, w := range want {
		expect.Same(t, w, receive(t, conn))
	}
}

// A server that dies in a call is known to be gone, and how.
func TestStdioDies(t *testing.T) {
	conn := startHelper(t, "dying")
	send(t, conn, request(1, "initialize", `{}`))
	receive(t, conn)
	send(t, conn, request(2, "echo", `{}`))
	_, err := conn.Receive(soon(t))
	if !errors.Is(err, io.EOF) || err.Error() != "the server is gone: it ended with exit code 3" {
		t.Error(err)
	}
	if _, again := conn.Receive(soon(t)); !errors.Is(again, io.EOF) {
		t.Errorf("a second time: %v", again)
	}
	if err := conn.Send(soon(t), request(3, "echo", `{}`)); !errors.Is(err, io.EOF) || !strings.Contains(err.Error(), "exit code 3") {
		t.Errorf("sent to the dead: %v", err)
	}
}

func TestStdioEndless(t *testing.T) {
	for name, piece := range map[string]string{"one line": "x", "many lines": "\",\n\"a\":\""} {
		t.Run(name, func(t *testing.T) {
			conn, err := reach.Stdio(reach.StdioConfig{Process: helper("endless", piece), MessageTimeout: 50 * time.Millisecond, MaxMessage: 1000})
			expect.OK(t, err)
			open(t, conn)
			for _, want := range []string{
				"error: message refused: it did not end in time",
				"error: the server is gone: it began a message that did not end in time, and was stopped",
			} {
				expect.Equal(t, receive(t, conn), want)
			}
		})
	}
}

// What is slow, but does not take long for any one message, is waited for.
func TestStdioSlow(t *testing.T) {
	conn, err := reach.Stdio(reach.StdioConfig{Process: helper("slow"), MessageTimeout: time.Minute})
	expect.OK(t, err)
	open(t, conn)
	for _, want := range []string{`{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","method":"n"}`} {
		expect.Equal(t, receive(t, conn), want)
	}
}

// A server that only listens, or only speaks, is of no use: it is stopped.
func TestStdioHalf(t *testing.T) {
	t.Run("mute", func(t *testing.T) {
		conn := startHelper(t, "mute")
		if _, err := conn.Receive(soon(t)); !errors.Is(err, io.EOF) {
			t.Error(err)
		}
	})
	t.Run("blind", func(t *testing.T) {
		conn := startHelper(t, "blind")
		receive(t, conn)
		expect.Is(t, conn.Send(soon(t), request(1, "echo", `{}`)), io.EOF)
	})
}

// Sending to a server that does not read ends with the context, and with the connection.
func TestStdioDeaf(t *testing.T) {
	conn := startHelper(t, "deaf")
	large := request(1, "echo", `{"x":"`+strings.Repeat("x", 1<<20)+`"}`)
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		expect.Is(t, conn.Send(ctx, large), context.DeadlineExceeded)
		cancel()
	}
	sent := make(chan error)
	go func() { sent <- conn.Send(t.Context(), large) }()
	expect.Is(t, conn.Close(), nil)
	expect.Fails(t, <-sent, "it was sent")
	expect.Is(t, conn.Close(), nil, "a second time")
}

func TestReceiveEndsWithContext(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			conn := connect(t, way, "ordinary")
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := conn.Receive(ctx); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			send(t, conn, request(5, "echo", `{}`))
			expect.Equal(t, receive(t, conn), `{"jsonrpc":"2.0","id":5,"result":{"echo":true}}`)
			received := make(chan error)
			go func() {
				_, err := conn.Receive(t.Context())
				received <- err
			}()
			expect.Is(t, conn.Close(), nil)
			expect.Is(t, <-received, io.EOF, "after Close")
			expect.Fails(t, conn.Send(soon(t), request(6, "echo", `{}`)), "sent after Close")
		})
	}
}

func TestStdioCannotStart(t *testing.T) {
	_, err := reach.Stdio(reach.StdioConfig{Process: child.Config{Path: "no-such-server"}})
	if err == nil || !strings.Contains(err.Error(), "install it") {
		t.Error(err)
	}
}
