package daemon

import (
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/model/wire"
)

// model responds with a turn.
func model() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, s := range wire.Messages.Stream(wire.Turn{Model: "m", ID: "msg_1", Blocks: []wire.Block{{Tool: "Bash", ID: "toolu_1", Pieces: []string{"{}"}}}}) {
			_, _ = w.Write(wire.Messages.Encode(s))
		}
	})
}

// forward is a proxy that notes what it is asked for, and leads everything to one address.
func forward(t *testing.T, to string) (address string, asked *atomic.Int32) {
	t.Helper()
	asked = &atomic.Int32{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.Method != http.MethodConnect {
			r.RequestURI, r.URL.Host, r.URL.Scheme = "", to, "http"
			resp, err := http.DefaultTransport.RoundTrip(r)
			if err != nil {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			defer resp.Body.Close()
			w.Header().Set("Content-Type", resp.Header.Get("Content-Type"))
			_, _ = io.Copy(w, resp.Body)
			return
		}
		there, err := net.Dial("tcp", to)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer there.Close()
		here, read, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer here.Close()
		_, _ = io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { _, _ = io.Copy(there, read) }() // what the server has read already is in there
		_, _ = io.Copy(here, there)
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

func parseURL(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// writeCA writes the certificate of a server as a file.
func writeCA(t *testing.T, path string, s *httptest.Server) {
	t.Helper()
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestOwnCertificates: an upstream with a certificate of a private authority, through a proxy, and what changes while weir runs.
func TestOwnCertificates(t *testing.T) {
	up := httptest.NewTLSServer(model())
	defer up.Close()
	proxy, asked := forward(t, up.Listener.Addr().String())
	r := newRig(t, nil)
	ca := filepath.Join(r.dir, "ca.pem")
	writeCA(t, ca, up)
	// The certificate of the server is for example.com, which only the proxy can reach.
	r.config.Upstreams = map[string]config.Upstream{"model": {
		URL:      parseURL(t, "https://example.com"),
		Outgoing: config.Outgoing{CAFile: ca, Proxy: config.ProxyChoice{From: config.FromURL, URL: parseURL(t, proxy)}},
	}}
	r.serve(time.Millisecond)
	if body := r.mustAsk(); !strings.Contains(body, `"name":"Bash"`) || asked.Load() != 1 {
		t.Errorf("%d connections through the proxy: %s", asked.Load(), body)
	}
	if err := os.WriteFile(ca, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return strings.Contains(r.log.String(), "the old ones stay in force") })
	r.mustAsk()
	r.demand("has no certificate in PEM; name a file with certificates", 1)
	writeCA(t, ca, up)
	waitFor(t, func() bool { return strings.Contains(r.log.String(), "certificates for upstreams loaded") })
	if r.mustAsk(); asked.Load() != 2 {
		t.Errorf("%d connections through the proxy: the new certificates are for new connections", asked.Load())
	}
	r.config.Outgoing.CAFile = filepath.Join(r.dir, "none.pem")
	if err := CheckOutgoing(r.config); err == nil || !strings.Contains(err.Error(), "correct the path in weir.yaml") {
		t.Error(err)
	}
}

// TestEnvironmentProxy: the variables count, unless weir is told otherwise, and never lead weir to itself.
func TestEnvironmentProxy(t *testing.T) {
	up := httptest.NewServer(model())
	defer up.Close()
	proxy, asked := forward(t, up.Listener.Addr().String())
	t.Setenv("HTTP_PROXY", proxy)
	t.Setenv("NO_PROXY", "direct.example")
	r := newRig(t, nil)
	host := func(name string, o config.Outgoing) {
		r.config.Upstreams[name] = config.Upstream{URL: parseURL(t, "http://"+name+".example"), Outgoing: o}
	}
	host("model", config.Outgoing{})
	host("direct", config.Outgoing{})
	host("none", config.Outgoing{Proxy: config.ProxyChoice{From: config.NoProxy}})
	r.serve(0)
	ask := func(name string) int {
		t.Helper()
		status, _ := post(t, "http://"+r.daemon.Address()+"/"+name+"/v1/messages?x=")
		return status
	}
	if r.mustAsk(); asked.Load() != 1 {
		t.Errorf("%d requests through the proxy", asked.Load())
	}
	for _, name := range []string{"direct", "none"} {
		if status := ask(name); status != http.StatusBadGateway || asked.Load() != 1 {
			t.Errorf("%s: %d, %d requests through the proxy", name, status, asked.Load())
		}
	}
}

// TestNeverItsOwnProxy: a variable that leads to weir is left out, and a configuration that does so is refused.
func TestNeverItsOwnProxy(t *testing.T) {
	up := httptest.NewServer(model())
	defer up.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HTTP_PROXY", fmt.Sprintf("http://localhost:%d", port))
	t.Setenv("NO_PROXY", "")
	r := newRig(t, nil)
	r.config.Listen = fmt.Sprintf("127.0.0.1:%d", port)
	r.config.Upstreams["model"] = config.Upstream{URL: parseURL(t, "http://model.invalid")}
	r.serve(0)
	if _, err := r.ask(); err == nil {
		t.Error("a host that does not exist was reached")
	}
	r.demand("names this weir itself, and is not used; unset it, or set outgoing.proxy to none", 1)
	if err := r.end(); err != nil {
		t.Error(err)
	}
	r.config.Outgoing.Proxy = config.ProxyChoice{From: config.FromURL, URL: parseURL(t, fmt.Sprintf("http://127.0.0.1:%d", port))}
	if _, err := Start(t.Context(), Config{Config: r.config, Policy: r.source()}); err == nil || !strings.Contains(err.Error(), "is this weir itself; name another proxy, or none") {
		t.Errorf("%v", err)
	}
}
