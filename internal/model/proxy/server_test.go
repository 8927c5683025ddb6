package proxy

import (
	"bufio"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/intake/admission"
)

// held is an upstream whose streams end when the test says so.
func held(finish <-chan struct{}) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, messageStart)
		_ = http.NewResponseController(w).Flush()
		select {
		case <-finish:
			_, _ = io.WriteString(w, strings.TrimPrefix(textStream, messageStart))
		case <-r.Context().Done():
		}
	}
}

// serveUntil runs a server and opens a stream through it.
func serveUntil(t *testing.T, ctx context.Context, b *bench, grace time.Duration) (*http.Response, *bufio.Reader, chan error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- NewServer(ServerConfig{Door: b.door, Grace: grace}).Serve(ctx, l) }()
	resp, err := http.Post("http://"+l.Addr().String()+"/anthropic/v1/messages", "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	body := bufio.NewReader(resp.Body)
	if _, err := body.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return resp, body, done
}

func TestShutdownLetsStreamsFinish(t *testing.T) {
	finish := make(chan struct{})
	b := newBench(t, held(finish))
	ctx, cancel := context.WithCancel(t.Context())
	resp, body, done := serveUntil(t, ctx, b, 0)
	cancel()
	// New connections are turned away while the stream is still open.
	for {
		conn, err := net.Dial("tcp", resp.Request.URL.Host)
		if err != nil {
			break
		}
		_ = conn.Close()
	}
	close(finish)
	rest, err := io.ReadAll(body)
	if err != nil || !strings.Contains(string(rest), "message_stop") {
		t.Errorf("error %v, rest %q", err, rest)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestShutdownCutsWhatDoesNotEnd(t *testing.T) {
	b := newBench(t, held(nil))
	ctx, cancel := context.WithCancel(t.Context())
	_, body, done := serveUntil(t, ctx, b, 20*time.Millisecond)
	cancel()
	if rest, err := io.ReadAll(body); err == nil {
		t.Errorf("the client takes this for a whole response: %q", rest)
	}
	if err := <-done; err == nil || !strings.Contains(err.Error(), "cut") {
		t.Errorf("error %v", err)
	}
	// The server has waited for the request: its end is recorded.
	if b.judge.lastEnd(t).Clean {
		t.Error("recorded as clean")
	}
}

func TestServeRefusesAnOpenAddress(t *testing.T) {
	with, err := New(Config{Gate: noGate{}, Admission: admits(t, admission.Client{Key: "k"})})
	if err != nil {
		t.Fatal(err)
	}
	without, err := New(Config{Gate: noGate{}})
	if err != nil {
		t.Fatal(err)
	}
	for name, cfg := range map[string]ServerConfig{
		"no tls":     {Door: with},
		"no clients": {Door: without, TLS: &tls.Config{}},
	} {
		l, err := net.Listen("tcp", "0.0.0.0:0")
		if err != nil {
			t.Fatal(err)
		}
		if err := NewServer(cfg).Serve(t.Context(), l); err == nil || !strings.Contains(err.Error(), "needs clients and tls") {
			t.Errorf("%s: %v", name, err)
		}
		_ = l.Close()
	}
}

func TestServeSaysWhyItEnded(t *testing.T) {
	door, err := New(Config{Gate: noGate{}})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	if err := NewServer(ServerConfig{Door: door}).Serve(t.Context(), l); err == nil {
		t.Error("a closed listener is served")
	}
}
