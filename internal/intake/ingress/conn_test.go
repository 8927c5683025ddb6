package ingress

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"github.com/pires/go-proxyproto"
	"github.com/pires/go-proxyproto/tlvparse"
)

// A journal is a log that several goroutines write.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// serve serves what the handler finds out, at loopback.
func serve(t *testing.T, cfg Config) (address string, log *journal) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	log = &journal{}
	cfg.Log, cfg.ProxyProtocol = slog.New(slog.NewTextHandler(log, nil)), true
	i := New(cfg)
	server := &http.Server{ConnContext: i.ConnContext, Handler: i.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "from %s secure %v", From(r), Secure(r))
	}))}
	go server.Serve(i.Listener(l))
	t.Cleanup(func() { server.Close() })
	return l.Addr().String(), log
}

// ask sends bytes ahead of a request, and returns the response; "": the connection was closed.
func ask(t *testing.T, address string, ahead []byte, header string) string {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Write(append(ahead, "GET / HTTP/1.1\r\nHost: localhost\r\n"+header+"Connection: close\r\n\r\n"...)); err != nil {
		return ""
	}
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return ""
	}
	body, _ := io.ReadAll(resp.Body)
	return strings.TrimSpace(fmt.Sprint(resp.StatusCode, " ", string(body)))
}

func announced(t *testing.T, version byte, tls *bool) []byte {
	t.Helper()
	at := func(text string) *net.TCPAddr { return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(text)) }
	h := proxyproto.HeaderProxyFromAddrs(version, at("192.0.2.7:5000"), at("192.0.2.1:443"))
	if tls != nil {
		ssl := tlvparse.PP2SSL{}
		if *tls {
			ssl.Client = tlvparse.PP2_BITFIELD_CLIENT_SSL
			ssl.TLV = []proxyproto.TLV{{Type: proxyproto.PP2_SUBTYPE_SSL_VERSION, Value: []byte("TLSv1.3")}}
		}
		tlv, err := ssl.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if err := h.SetTLVs([]proxyproto.TLV{tlv}); err != nil {
			t.Fatal(err)
		}
	}
	text, err := h.Format()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestProxyProtocol: the header counts from trusted proxies, and nobody else may send it.
func TestProxyProtocol(t *testing.T) {
	yes, no := true, false
	here := Config{Trusted: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	address, _ := serve(t, here)
	for version := byte(1); version <= 2; version++ {
		if got := ask(t, address, announced(t, version, nil), ""); got != "200 from 192.0.2.7 secure false" {
			t.Errorf("version %d: %q", version, got)
		}
	}
	if got := ask(t, address, announced(t, 2, nil), "X-Forwarded-For: 198.51.100.1\r\n"); !strings.Contains(got, "400 the request has the header X-Forwarded-For, and 192.0.2.7 is no trusted proxy") {
		t.Errorf("a header of the client: %q", got)
	}
	if got := ask(t, address, []byte("\r\n\r\n\x00\r\nQUIT\n\x11\x11\x00\x00"), ""); !strings.HasPrefix(got, "400 ") && got != "" {
		t.Errorf("a broken header: %q", got)
	}
	address, log := serve(t, here)
	if got := ask(t, address, nil, ""); strings.HasPrefix(got, "200") {
		t.Errorf("without a header: %q", got)
	}
	if !strings.Contains(log.String(), "does not begin with a header of the PROXY protocol; let the proxy send it, or set ingress.proxy_protocol to false") {
		t.Errorf("the log says %s", log)
	}

	ends := here
	ends.EndsTLS = true
	address, _ = serve(t, ends)
	for _, tt := range []struct {
		tls  *bool
		want string
	}{{nil, "200 from 192.0.2.7 secure true"}, {&yes, "200 from 192.0.2.7 secure true"}, {&no, "403 the client reached the ingress without TLS; use https"}} {
		if got := ask(t, address, announced(t, 2, tt.tls), ""); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}

	elsewhere := Config{Trusted: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}
	address, log = serve(t, elsewhere)
	if got := ask(t, address, nil, ""); got != "200 from  secure false" {
		t.Errorf("a stranger without a header: %q", got)
	}
	if got := ask(t, address, announced(t, 1, nil), ""); strings.HasPrefix(got, "200") {
		t.Errorf("a stranger with a header: %q", got)
	}
	if !strings.Contains(log.String(), "is from no trusted proxy; add its address to ingress.trusted_proxies") || !strings.Contains(log.String(), "from=127.0.0.1") {
		t.Errorf("the log says %s", log)
	}
}
