package proxy

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect/anthropic"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// Upstreams that speak HTTP/2 are gated as others are, and cut off like others.
func TestHTTP2Upstream(t *testing.T) {
	proto := make(chan string, 1)
	up := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		proto <- r.Proto
		_, _ = io.WriteString(w, messageStart+textBlock+callOpen)
		if strings.HasSuffix(r.URL.RawQuery, "cut") {
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(w, callClose+messageEnd)
	}))
	up.EnableHTTP2 = true
	up.StartTLS()
	defer up.Close()
	address, err := url.Parse(up.URL)
	expect.OK(t, err)
	transport := NewTransport()
	transport.TLSClientConfig = &tls.Config{RootCAs: x509.NewCertPool()}
	transport.TLSClientConfig.RootCAs.AddCert(up.Certificate())
	defer transport.CloseIdleConnections()
	b := newBench(t, mustNotBeAsked(t), func(c *Config) {
		c.Transport = transport
		c.Upstreams["anthropic"] = Upstream{URL: address, Format: anthropic.Name}
	})
	r := b.ask(true)
	if got := <-proto; got != "HTTP/2.0" || r.err != nil || !strings.Contains(r.body, "message_stop") {
		t.Errorf("%s, error %v:\n%s", got, r.err, r.body)
	}
	b.mustNotLeak(r)
	r = b.do("POST", "/anthropic/v1/messages?cut", "{}")
	if <-proto; r.err == nil || !strings.HasPrefix(r.body, messageStart+textBlock) {
		t.Errorf("error %v:\n%s", r.err, r.body)
	}
	b.mustNotLeak(r)
}

func TestUntrustedUpstreamIsUnreachable(t *testing.T) {
	up := httptest.NewTLSServer(mustNotBeAsked(t))
	defer up.Close()
	address, err := url.Parse(up.URL)
	expect.OK(t, err)
	b := newBench(t, mustNotBeAsked(t), func(c *Config) {
		c.Upstreams["anthropic"] = Upstream{URL: address, Format: anthropic.Name}
	})
	b.mustFail(b.ask(true), 502, true)
	if !strings.Contains(b.log.String(), "certificate") {
		t.Errorf("the log does not say why:\n%s", b.log)
	}
}
