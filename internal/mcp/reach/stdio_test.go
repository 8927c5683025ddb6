package reach_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/mcp/child"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/reach"
)

func TestStdioNoise(t *testing.T) {
	noise := make(chan string, 1)
	conn, err := reach.Stdio(reach.StdioConfig{
		Process: helper("noisy"),
		Noise:   func(n jsonrpc.Noise) { noise <- string(n.Text) },
	})
	if err != nil {
		t.Fatal(err)
	}
	open(t, conn)
	send(t, conn, request(1, "echo", `{}`))
	if got := receive(t, conn); got != `{"jsonrpc":"2.0","id":1,"result":{"echo":true}}` {
		t.Errorf("got %s", got)
	}
	if got := <-noise; got != "Server starting on stdio" {
		t.Errorf("noise %q", got)
	}
}

func TestStdioOdd(t *testing.T) {
	conn, err := reach.Stdio(reach.StdioConfig{Process: helper("odd"), MaxMessage: 100})
	if err != nil {
		t.Fatal(err)
	}
	open(t, conn)
	want := []string{
		"error: message refused: a member is there twice, or in another case",
		"error: message refused: it is too large to be read: json exceeds a bound: more than 100 bytes",
		`{"jsonrpc":"2.0","method":"last"}`,
		"error: the server is gone: it ended with exit code 0",
	}
	for _, w := range want {
		if diff := cmp.Diff(w, receive(t, conn)); diff != "" {
			t.Error(diff)
		}
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
			if err != nil {
				t.Fatal(err)
			}
			open(t, conn)
			for _, want := range []string{
				"error: message refused: it did not end in time",
				"error: the server is gone: it began a message that did not end in time, and was stopped",
			} {
				if got := receive(t, conn); got != want {
					t.Errorf("got %s", got)
				}
			}
		})
	}
}

// What is slow, but does not take long for any one message, is waited for.
func TestStdioSlow(t *testing.T) {
	conn, err := reach.Stdio(reach.StdioConfig{Process: helper("slow"), MessageTimeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	open(t, conn)
	for _, want := range []string{`{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","method":"n"}`} {
		if got := receive(t, conn); got != want {
			t.Errorf("got %s", got)
		}
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
		if err := conn.Send(soon(t), request(1, "echo", `{}`)); !errors.Is(err, io.EOF) {
			t.Error(err)
		}
	})
}

// Sending to a server that does not read ends with the context, and with the connection.
func TestStdioDeaf(t *testing.T) {
	conn := startHelper(t, "deaf")
	large := request(1, "echo", `{"x":"`+strings.Repeat("x", 1<<20)+`"}`)
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if err := conn.Send(ctx, large); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		cancel()
	}
	sent := make(chan error)
	go func() { sent <- conn.Send(t.Context(), large) }()
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
	if err := <-sent; err == nil {
		t.Error("it was sent")
	}
	if err := conn.Close(); err != nil {
		t.Errorf("a second time: %v", err)
	}
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
			if got := receive(t, conn); got != `{"jsonrpc":"2.0","id":5,"result":{"echo":true}}` {
				t.Errorf("got %s", got)
			}
			received := make(chan error)
			go func() {
				_, err := conn.Receive(t.Context())
				received <- err
			}()
			if err := conn.Close(); err != nil {
				t.Error(err)
			}
			if err := <-received; !errors.Is(err, io.EOF) {
				t.Errorf("after Close: %v", err)
			}
			if err := conn.Send(soon(t), request(6, "echo", `{}`)); err == nil {
				t.Error("sent after Close")
			}
		})
	}
}

func TestStdioCannotStart(t *testing.T) {
	_, err := reach.Stdio(reach.StdioConfig{Process: child.Config{Path: "no-such-server"}})
	if err == nil || !strings.Contains(err.Error(), "install it") {
		t.Error(err)
	}
}
