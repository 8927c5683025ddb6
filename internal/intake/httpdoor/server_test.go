package httpdoor

import (
	"bufio"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/intake/admission"
)

func admits(t *testing.T, clients ...admission.Client) *admission.Admission {
	t.Helper()
	a, err := admission.New(admission.Config{Clients: clients})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func listen(t *testing.T, address string) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// A stream is a handler whose responses end when finish is closed, or when the connection is cut.
type stream struct {
	finish chan struct{}
	after  func() // called when a response has ended
}

func (s stream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer s.after()
	_, _ = io.WriteString(w, "begin\n")
	_ = http.NewResponseController(w).Flush()
	select {
	case <-s.finish:
		_, _ = io.WriteString(w, "end\n")
	case <-r.Context().Done():
		panic(http.ErrAbortHandler)
	}
}

// serve runs a server and opens a stream through it.
func serve(t *testing.T, ctx context.Context, cfg ServerConfig) (l net.Listener, body *bufio.Reader, done chan error) {
	t.Helper()
	l, done = listen(t, "127.0.0.1:0"), make(chan error, 1)
	cfg.Admission = admits(t)
	go func() { done <- NewServer(cfg).Serve(ctx, l) }()
	resp, err := http.Get("http://" + l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	body = bufio.NewReader(resp.Body)
	if _, err := body.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return l, body, done
}

func TestShutdownLetsStreamsFinish(t *testing.T) {
	finish := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	l, body, done := serve(t, ctx, ServerConfig{Handler: stream{finish, func() {}}})
	cancel()
	// New connections are turned away while the stream is still open.
	for {
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			break
		}
		_ = conn.Close()
	}
	close(finish)
	if rest, err := io.ReadAll(body); err != nil || string(rest) != "end\n" {
		t.Errorf("error %v, rest %q", err, rest)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// What does not end is cut. The server still waits until its handlers have noticed, and for what they left under way.
func TestShutdownCutsWhatDoesNotEnd(t *testing.T) {
	var left Underway
	var ended, observed atomic.Bool
	handler := stream{after: func() {
		left.Enter()
		time.AfterFunc(20*time.Millisecond, func() { observed.Store(true); left.Leave() })
		ended.Store(true)
	}}
	ctx, cancel := context.WithCancel(t.Context())
	_, body, done := serve(t, ctx, ServerConfig{Handler: handler, Grace: 20 * time.Millisecond, Underway: &left})
	cancel()
	if rest, err := io.ReadAll(body); err == nil {
		t.Errorf("the client takes this for a whole response: %q", rest)
	}
	if err := <-done; err == nil || !strings.Contains(err.Error(), "cut") {
		t.Errorf("error %v", err)
	}
	if !ended.Load() || !observed.Load() {
		t.Errorf("handler ended %v, what it left under way %v", ended.Load(), observed.Load())
	}
}

func TestServeRefusesAnOpenAddress(t *testing.T) {
	for name, cfg := range map[string]ServerConfig{
		"no tls":     {Admission: admits(t, admission.Client{Key: "k"})},
		"no clients": {Admission: admits(t), TLS: &tls.Config{}},
	} {
		err := NewServer(cfg).Serve(t.Context(), listen(t, "0.0.0.0:0"))
		if err == nil || !strings.Contains(err.Error(), "needs clients and tls") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestServeSaysWhyItEnded(t *testing.T) {
	l := listen(t, "127.0.0.1:0")
	_ = l.Close()
	if err := NewServer(ServerConfig{Admission: admits(t)}).Serve(t.Context(), l); err == nil {
		t.Error("a closed listener is served")
	}
}

func TestRemoveHopByHop(t *testing.T) {
	h := http.Header{
		"Connection": {"keep-alive, X-Hop", "x-second"}, "X-Hop": {"a"}, "X-Second": {"a"}, "Te": {"a"}, "Http2-Settings": {"a"},
		"transfer-encoding": {"a"}, "Proxy-Authorization": {"a"}, "X-Weir-Key": {"a"}, "x-weir-session": {"a"}, "X-Stays": {"a"},
	}
	RemoveHopByHop(h)
	if len(h) != 1 || h["X-Stays"] == nil {
		t.Errorf("left: %v", h)
	}
}

// What enters after Close is not counted, and not waited for.
func TestUnderway(t *testing.T) {
	var u Underway
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if !u.Enter() || u.Wait(ctx) == nil {
		t.Error("something is under way, and it is not waited for")
	}
	u.Close()
	if u.Enter() {
		t.Error("entered what is closed")
	}
	waited := make(chan error)
	go func() { waited <- u.Wait(t.Context()) }()
	u.Leave()
	if err := <-waited; err != nil {
		t.Error(err)
	}
}
