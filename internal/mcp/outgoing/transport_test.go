package outgoing

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// secure is an https server for example.com and 127.0.0.1, with a certificate that no system trusts.
func secure(t testing.TB, change func(*httptest.Server)) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Proto) }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // clients that break off are what is tested
	server.TLS = &tls.Config{}
	change(server)
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

func TestCertificates(t *testing.T) {
	server := secure(t, func(s *httptest.Server) { s.EnableHTTP2 = true })
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	pin := fmt.Sprintf("sha256:%x", sha256.Sum256(server.Certificate().Raw))
	other := "sha256:" + strings.Repeat("00", 32)
	here := "https://" + server.Listener.Addr().String()
	named := strings.Replace(here, "127.0.0.1", "mcp.test", 1)
	resolver := names(t, map[string][]string{"mcp.test": {"127.0.0.1"}})
	for _, test := range []struct {
		name, url, pin string
		roots          *x509.CertPool
		want           string // what is wrong; "": nothing
	}{
		{"trusted", here, "", roots, ""},
		{"not trusted", here, "", nil, "the server's certificate is signed by nobody who is trusted here"},
		{"other name", named, "", roots, "the server's certificate is for another name"},
		{"pinned", here, pin, nil, ""},
		{"pinned in capitals", here, "sha256:" + strings.ToUpper(pin[7:]), nil, ""},
		{"pinned, other name", named, pin, nil, ""},
		{"wrong pin", here, other, nil, "the server's certificate has another fingerprint than the declared one: it presents " + pin},
		{"trusted, wrong pin", here, other, roots, "the server's certificate has another fingerprint than the declared one: it presents " + pin},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newSender(t, Config{
				URL: parse(t, test.url), Fingerprint: test.pin, RootCAs: test.roots, Resolver: resolver,
				Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
			})
			got, err := exchange(c, request(t, http.MethodPost, test.url, "x"))
			if test.want == "" && (err != nil || got != "HTTP/2.0") {
				t.Errorf("%q, %v", got, err)
			}
			if test.want != "" && (err == nil || err.Error() != test.want) {
				t.Error(err)
			}
			expect.Equal(t, errors.Is(err, ErrFingerprint), strings.Contains(test.name, "wrong pin"), "errors.Is does not agree: %v", err)
		})
	}
}

func TestOldTLS(t *testing.T) {
	server := secure(t, func(s *httptest.Server) { s.TLS.MaxVersion = tls.VersionTLS11 })
	pin := fmt.Sprintf("sha256:%x", sha256.Sum256(server.Certificate().Raw))
	c := newSender(t, Config{URL: parse(t, server.URL), Fingerprint: pin})
	if _, err := exchange(c, request(t, http.MethodGet, server.URL, "")); err == nil || err.Error() != "the server ended the TLS handshake" {
		t.Error(err)
	}
}

func TestNoTLS(t *testing.T) {
	e := newEcho(t)
	address := strings.Replace(e.URL, "http:", "https:", 1)
	c := newSender(t, Config{URL: parse(t, address)})
	if _, err := exchange(c, request(t, http.MethodGet, address, "")); err == nil || err.Error() != "the server does not speak TLS" {
		t.Error(err)
	}
}

// The pin is the server's: it holds for its token endpoint if that is the same origin, and for no other.
func TestPinOfTokenEndpoint(t *testing.T) {
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/token" {
			io.WriteString(w, `{"access_token":"t","token_type":"bearer"}`)
			return
		}
		io.WriteString(w, r.Header.Get("Authorization"))
	})
	set := func(s *httptest.Server) { s.Config.Handler = answer }
	server, another := secure(t, set), secure(t, set)
	pin := fmt.Sprintf("sha256:%x", sha256.Sum256(server.Certificate().Raw))
	for endpoint, want := range map[string]bool{server.URL: true, another.URL: false} {
		c := newSender(t, Config{URL: parse(t, server.URL), Fingerprint: pin, Auth: Auth{
			Type: AuthOAuth, TokenURL: endpoint + "/token", ClientID: "id", ClientSecret: "hush",
		}})
		got, err := exchange(c, request(t, http.MethodPost, server.URL, "x"))
		if want && (err != nil || got != "Bearer t") {
			t.Errorf("same origin: %q, %v", got, err)
		}
		if !want && (!errors.Is(err, ErrCredential) || !strings.Contains(err.Error(), "signed by nobody")) {
			t.Errorf("other origin: %q, %v", got, err)
		}
	}
}
