package ingress

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

// arrived is a connection from somewhere.
type arrived struct {
	net.Conn
	from net.Addr
}

func (a arrived) RemoteAddr() net.Addr { return a.from }

func from(address string) net.Addr {
	if address == "unix" {
		return &net.UnixAddr{Net: "unix"}
	}
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(address), 5000))
}

// header makes a header of pairs.
func header(pairs ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		h.Add(pairs[i], pairs[i+1])
	}
	return h
}

var office = Config{Trusted: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}, Header: "x-forwarded-for"}

// TestHandler pins whose word counts, and what of it.
func TestHandler(t *testing.T) {
	ends, rfc, socket := office, office, office
	ends.EndsTLS, rfc.Header, socket.TrustsSocket = true, "forwarded", true
	socket.EndsTLS = true
	long := strings.Repeat("10.0.0.1,", maxHops) + "10.0.0.1"
	for _, tt := range []struct {
		name   string
		cfg    Config
		peer   string
		header http.Header
		status int    // 0: passed on
		says   string // of a refusal
		from   string // the client's address
		secure bool
	}{
		{"the word of a proxy", office, "10.1.1.1", header("X-Forwarded-For", "192.0.2.7", "X-Forwarded-Proto", "https"), 0, "", "192.0.2.7", true},
		{"mapped", office, "::ffff:10.1.1.1", header("X-Forwarded-For", "192.0.2.7"), 0, "", "192.0.2.7", false},
		{"a proxy that says nothing", office, "10.1.1.1", nil, 0, "", "10.1.1.1", false},
		{"what a client wrote ahead", office, "10.1.1.1", header("X-Forwarded-For", "127.0.0.1, evil, 192.0.2.7, 10.2.2.2"), 0, "", "192.0.2.7", false},
		{"in two headers", office, "10.1.1.1", header("X-Forwarded-For", "198.51.100.1", "X-Forwarded-For", "192.0.2.7"), 0, "", "192.0.2.7", false},
		{"only proxies", office, "10.1.1.1", header("X-Forwarded-For", "10.3.3.3, 10.2.2.2"), 0, "", "10.3.3.3", false},
		{"with ports", office, "fd00::1", header("X-Forwarded-For", "[2001:db8::1]:4711, 10.2.2.2:80"), 0, "", "2001:db8::1", false},
		{"the other header is the client's", office, "10.1.1.1", header("Forwarded", "for=127.0.0.1;proto=https", "X-Forwarded-For", "192.0.2.7"), 0, "", "192.0.2.7", false},
		{"no address", office, "10.1.1.1", header("X-Forwarded-For", "unknown"), 400, "no address", "", false},
		{"long", office, "10.1.1.1", header("X-Forwarded-For", long), 400, "too long, or names too many proxies", "", false},
		{"two protocols", office, "10.1.1.1", header("X-Forwarded-Proto", "https, http"), 400, "several protocols", "", false},
		{"another protocol", office, "10.1.1.1", header("X-Forwarded-Proto", "wss"), 400, "neither http nor https", "", false},
		{"a stranger", office, "192.0.2.7", nil, 0, "", "192.0.2.7", false},
		{
			"the word of a stranger", office, "192.0.2.7", header("X-Forwarded-For", "10.1.1.1"), 400,
			"the request has the header X-Forwarded-For, and 192.0.2.7 is no trusted proxy; add it to ingress.trusted_proxies, or let it not send the header", "", false,
		},
		{"a stranger who was secure", office, "192.0.2.7", header("X-Forwarded-Proto", "https"), 400, "X-Forwarded-Proto", "", false},
		{"this machine is a stranger, too", office, "127.0.0.1", header("Forwarded", "for=10.1.1.1"), 400, "Forwarded", "", false},

		{"RFC 7239", rfc, "10.1.1.1", header("Forwarded", `for="[2001:db8::1]:80";proto=http, FOR=192.0.2.7; Proto=https;by=10.1.1.1`), 0, "", "192.0.2.7", true},
		{"RFC 7239 and what does not count", rfc, "10.1.1.1", header("Forwarded", "for=192.0.2.7", "X-Forwarded-Proto", "https"), 0, "", "192.0.2.7", false},
		{"hidden", rfc, "10.1.1.1", header("Forwarded", "for=_hidden"), 400, "no address", "", false},
		{"twice", rfc, "10.1.1.1", header("Forwarded", "for=192.0.2.7;for=192.0.2.8"), 400, "RFC 7239", "", false},
		{"open quotes", rfc, "10.1.1.1", header("Forwarded", `for="192.0.2.7`), 400, "RFC 7239", "", false},
		{"no pair", rfc, "10.1.1.1", header("Forwarded", "192.0.2.7"), 400, "RFC 7239", "", false},

		{"TLS ended", ends, "10.1.1.1", header("X-Forwarded-For", "192.0.2.7", "X-Forwarded-Proto", "https"), 0, "", "192.0.2.7", true},
		{"no TLS", ends, "10.1.1.1", header("X-Forwarded-For", "192.0.2.7", "X-Forwarded-Proto", "http"), 403, "the client reached the ingress without TLS; use https", "", false},
		{"no word of TLS", ends, "10.1.1.1", header("X-Forwarded-For", "192.0.2.7"), 400, "does not say whether the client used TLS; let it set the header X-Forwarded-Proto", "", false},
		{
			"past the ingress", ends, "192.0.2.7", nil, 403,
			"TLS ends at the ingress, and this connection from 192.0.2.7 does not come from there; use the address of the ingress, or add this one to ingress.trusted_proxies", "", false,
		},
		{"from this machine", ends, "127.0.0.1", nil, 0, "", "", false},
		{"a socket that is trusted", socket, "unix", header("X-Forwarded-For", "192.0.2.7", "X-Forwarded-Proto", "https"), 0, "", "192.0.2.7", true},
		{"a socket that is not", ends, "unix", header("X-Forwarded-For", "192.0.2.7"), 400, "the unix socket is no trusted proxy", "", false},
	} {
		var got *http.Request
		i := New(tt.cfg)
		r := httptest.NewRequest(http.MethodPost, "/anthropic/v1/messages", nil)
		r.RemoteAddr = from(tt.peer).String()
		if tt.header != nil {
			r.Header = tt.header
		}
		r = r.WithContext(i.ConnContext(context.Background(), arrived{from: from(tt.peer)}))
		w := httptest.NewRecorder()
		i.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r })).ServeHTTP(w, r)
		if tt.status != 0 {
			if got != nil || w.Code != tt.status || !strings.Contains(w.Body.String(), tt.says) {
				t.Errorf("%s: %d, %s", tt.name, w.Code, w.Body)
			}
			continue
		}
		if got == nil {
			t.Errorf("%s: refused: %s", tt.name, w.Body)
			continue
		}
		if From(got) != tt.from || Secure(got) != tt.secure {
			t.Errorf("%s: from %q, secure %v", tt.name, From(got), Secure(got))
		}
		for _, name := range removed {
			if got.Header[name] != nil {
				t.Errorf("%s: the header %s is passed on", tt.name, name)
			}
		}
	}
}

// TestPages: probes and metrics do not come through the ingress.
func TestPages(t *testing.T) {
	cfg := office
	cfg.EndsTLS = true
	i := New(cfg)
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/metrics": 200, "/": 403, "/readyz/x": 403} {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r = r.WithContext(i.ConnContext(context.Background(), arrived{from: from("192.0.2.7")}))
		w := httptest.NewRecorder()
		i.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%s: %d, want %d", path, w.Code, want)
		}
	}
	if New(Config{}) != nil || New(Config{}).EndsTLS() {
		t.Error("there is an ingress without proxies")
	}
}

func FuzzForwarded(f *testing.F) {
	for _, text := range []string{`for=192.0.2.7;proto=https`, `for="[2001:db8::1]:80", for=10.1.1.1`, `for=`, `a="b;c,d";for=1.2.3.4`, ",", "=;"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := parseForwarded(text)
		if err != nil {
			return
		}
		if len(all) > maxHops+1 {
			t.Errorf("%d elements", len(all))
		}
		for _, e := range all {
			if e.from != "" && !strings.Contains(text, e.from) || e.proto != "" && !strings.Contains(text, e.proto) {
				t.Errorf("%+v is not in %q", e, text)
			}
		}
	})
}
