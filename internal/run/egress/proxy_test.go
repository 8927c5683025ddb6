package egress

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
)

// proxy starts one. All hosts have one address.
func proxy(t testing.TB, judge *scriptedJudge, adjust func(*Config)) (*rig, net.Addr) {
	t.Helper()
	r := newRig(t, judge, func(cfg *Config) {
		cfg.Find = func(_ context.Context, host string) ([]netip.Addr, error) {
			switch host {
			case "nowhere.example":
				return nil, errors.New("no such host")
			case "rebind.example":
				return []netip.Addr{addr("169.254.169.254")}, nil
			}
			return []netip.Addr{addr("::ffff:192.0.2.10"), addr("2001:db8::10")}, nil
		}
		if adjust != nil {
			adjust(cfg)
		}
	})
	l := listen(t)
	r.background(t, func() error { return r.Proxy(l) })
	return r, l.Addr()
}

// through is a client that uses the proxy.
func through(t testing.TB, at net.Addr) *http.Client {
	t.Helper()
	transport := &http.Transport{
		Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: at.String()}), TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func proxied(from string, port uint16, hosts ...string) call.Connection {
	return call.Connection{Act: call.Connect, Addr: somewhere.Addr(), Port: port, Protocol: "tcp", Hosts: hosts, HostFrom: from}
}

func TestProxyForRealClients(t *testing.T) {
	t.Parallel()
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Seen", strings.Join([]string{r.Method, r.Host, r.RequestURI, r.Header.Get("Proxy-Authorization"), r.Header.Get("X-Mine")}, "|"))
		_, _ = w.Write(body)
	})
	for scheme, start := range map[string]func(http.Handler) *httptest.Server{"http": httptest.NewServer, "https": httptest.NewTLSServer} {
		t.Run(scheme, func(t *testing.T) {
			t.Parallel()
			server := start(answer)
			t.Cleanup(server.Close)
			r, at := proxy(t, &scriptedJudge{}, nil)
			r.server = server.Listener
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, scheme+"://api.example.com/path?q=1", strings.NewReader("a body"))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("X-Mine", "kept")
			response, err := through(t, at).Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			if err != nil || string(body) != "a body" {
				t.Errorf("body %q, %v", body, err)
			}
			if got := response.Header.Get("X-Seen"); got != "POST|api.example.com|/path?q=1||kept" {
				t.Errorf("the server saw %s", got)
			}
			port, from := uint16(80), fromHTTP
			if scheme == "https" {
				port, from = 443, fromConnect
			}
			r.judge.expect(t, resolveCall("api.example.com"), proxied(from, port, "api.example.com"))
			r.expectDialed(t, netip.AddrPortFrom(somewhere.Addr(), port).String())
		})
	}
}

func TestProxyAnswers(t *testing.T) {
	t.Parallel()
	refuseConnect := func(_ context.Context, c call.Connection) call.Ruling {
		if c.Act == call.Resolve {
			return call.Ruling{Released: true}
		}
		return call.Ruling{Code: call.CodeConnectionDenied, Reason: "Not\r\nthere: \x1b[31mred"}
	}
	noDial := func(cfg *Config) {
		cfg.Dial = func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("no way") }
	}
	rebound := proxied(fromHTTP, 80, "rebind.example", "169.254.169.254")
	rebound.Addr = addr("169.254.169.254")
	v6 := proxied(fromConnect, 443, "api.example.com")
	v6.Addr = addr("2001:db8::10")
	tests := map[string]struct {
		request string
		rule    func(context.Context, call.Connection) call.Ruling
		adjust  func(*Config)
		status  int
		body    string
		asked   []call.Connection
	}{
		"name refused": {
			request: "CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n", rule: refuseAll, status: 403, body: "weir: Nowhere.\n",
			asked: []call.Connection{resolveCall("evil.example")},
		},
		"connection refused": {
			request: "CONNECT api.example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n", rule: refuseConnect, status: 403,
			body:  "weir: Not\\r\\nthere: \\x1b[31mred\n",
			asked: []call.Connection{resolveCall("api.example.com"), proxied(fromConnect, 443, "api.example.com")},
		},
		"request refused": {
			request: "GET http://api.example.com/ HTTP/1.1\r\nHost: other.example\r\n\r\n", rule: refuseConnect, status: 403,
			body:  "weir: Not\\r\\nthere: \\x1b[31mred\n",
			asked: []call.Connection{resolveCall("api.example.com"), proxied(fromHTTP, 80, "api.example.com")},
		},
		"no address": {
			request: "CONNECT nowhere.example:443 HTTP/1.1\r\nHost: x\r\n\r\n", status: 502, body: "weir: the host is not found\n",
			asked: []call.Connection{resolveCall("nowhere.example")},
		},
		"dial fails": {
			request: "CONNECT API.example.com.:443 HTTP/1.1\r\nHost: x\r\n\r\n", adjust: noDial, status: 502, body: "weir: the host cannot be reached\n",
			asked: []call.Connection{resolveCall("api.example.com"), proxied(fromConnect, 443, "api.example.com"), v6},
		},
		"a name that leads to the link": {
			request: "GET http://rebind.example/ HTTP/1.1\r\nHost: x\r\n\r\n", rule: refuseHost("169.254.169.254"), status: 403, body: "weir: Not there.\n",
			asked: []call.Connection{resolveCall("rebind.example"), rebound},
		},
		"loopback": {
			request: "CONNECT localhost:5432 HTTP/1.1\r\nHost: x\r\n\r\n", rule: refuseAll, status: 403, body: "weir: Nowhere.\n",
			asked: []call.Connection{{Act: call.Connect, Addr: addr("127.0.0.1"), Port: 5432, Protocol: "tcp", Loopback: true, Hosts: []string{"localhost"}, HostFrom: fromConnect}},
		},
		"origin form":     {request: "GET / HTTP/1.1\r\nHost: x\r\n\r\n", status: 400, body: "weir: this is a proxy: the request needs an absolute URL\n"},
		"https in plain":  {request: "GET https://api.example.com/ HTTP/1.1\r\nHost: x\r\n\r\n", status: 400, body: "weir: this proxy takes http URLs and CONNECT\n"},
		"an odd number":   {request: "CONNECT 127.1:443 HTTP/1.1\r\nHost: x\r\n\r\n", status: 400, body: "weir: the request has no valid host and port\n"},
		"port 0":          {request: "CONNECT a.example:0 HTTP/1.1\r\nHost: x\r\n\r\n", status: 400, body: "weir: the request has no valid host and port\n"},
		"a port too many": {request: "CONNECT a.example:65536 HTTP/1.1\r\nHost: x\r\n\r\n", status: 400, body: "weir: the request has no valid host and port\n"},
		"no port":         {request: "CONNECT a.example HTTP/1.1\r\nHost: x\r\n\r\n", status: 400, body: "weir: the request has no valid host and port\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, at := proxy(t, &scriptedJudge{rule: tt.rule}, tt.adjust)
			c := dialTCP(t, at)
			send(t, c, tt.request)
			response, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]any{tt.status, tt.body}, []any{response.StatusCode, string(body)}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got := response.Header.Get("X-Weir-Code"); (got == call.CodeConnectionDenied) != (tt.status == 403) {
				t.Errorf("code %q", got)
			}
			r.judge.expect(t, tt.asked...)
		})
	}
}

// established asks for a tunnel.
func established(t testing.TB, at net.Addr, target, early string) net.Conn {
	t.Helper()
	c := dialTCP(t, at)
	send(t, c, "CONNECT "+target+" HTTP/1.1\r\nHost: x\r\n\r\n"+early)
	receive(t, c, "HTTP/1.1 200 Connection established\r\n\r\n")
	return c
}

// connectStatus is what the proxy answers to one who asks for a connection.
func connectStatus(t testing.TB, at net.Addr, target string) int {
	t.Helper()
	c := dialTCP(t, at)
	send(t, c, "CONNECT "+target+" HTTP/1.1\r\nHost: "+target+"\r\n\r\n")
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}

func TestTunnel(t *testing.T) {
	t.Parallel()
	t.Run("bytes that come with the request", func(t *testing.T) {
		t.Parallel()
		r, at := proxy(t, &scriptedJudge{}, nil)
		c := established(t, at, "api.example.com:22", "\x00early")
		s := r.acceptOne(t)
		receive(t, s, "\x00early")
		send(t, s, "answer")
		_ = s.CloseWrite()
		receive(t, c, "answer")
		send(t, c, "late")
		_ = c.(*net.TCPConn).CloseWrite()
		if got, err := io.ReadAll(s); err != nil || string(got) != "late" {
			t.Errorf("got %q, %v", got, err)
		}
	})
	t.Run("another name inside", func(t *testing.T) {
		t.Parallel()
		r, at := proxy(t, &scriptedJudge{rule: refuseHost("evil.example")}, nil)
		c := established(t, at, "api.example.com:80", "")
		s := r.acceptOne(t)
		send(t, c, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
		expectReset(t, c)
		expectReset(t, s)
		r.judge.expect(t, resolveCall("api.example.com"), proxied(fromConnect, 80, "api.example.com"),
			proxied(fromHTTP, 80, "evil.example", "api.example.com", "192.0.2.10"))
	})
	t.Run("another name inside, to a service of the machine", func(t *testing.T) {
		t.Parallel()
		r, at := proxy(t, &scriptedJudge{rule: refuseDoubt}, nil)
		for _, inside := range []string{"GET http://evil.example/ HTTP/1.1\r\n", "\x1cGET / HTTP/1.1\r\n"} {
			c := established(t, at, "127.0.0.1:3128", "")
			s := r.acceptOne(t)
			send(t, c, inside+evilHead)
			expectReset(t, c)
			expectReset(t, s)
		}
	})
	t.Run("weir's own port", func(t *testing.T) {
		t.Parallel()
		r, at := proxy(t, &scriptedJudge{rule: refuseAll}, func(cfg *Config) { cfg.Own = 4141 })
		c := established(t, at, "127.0.0.1:4141", "")
		send(t, c, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
		receive(t, r.acceptOne(t), "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
		r.judge.expect(t)
	})
	t.Run("weir's own port, at another address", func(t *testing.T) {
		t.Parallel()
		for _, target := range []string{"[::1]:4141", "127.0.0.2:4141"} {
			r, at := proxy(t, &scriptedJudge{rule: refuseAll}, func(cfg *Config) { cfg.Own = 4141 })
			if got := connectStatus(t, at, target); got != http.StatusForbidden {
				t.Errorf("%s: status %d", target, got)
			}
			r.expectDialed(t)
		}
	})
	t.Run("weir's own port, and weir serve is not running", func(t *testing.T) {
		t.Parallel()
		for times := range int64(2) {
			r, at := proxy(t, &scriptedJudge{}, func(cfg *Config) { cfg.Own, cfg.OwnAlive = 4141, aliveFor(times) })
			if got := connectStatus(t, at, "127.0.0.1:4141"); got != http.StatusBadGateway {
				t.Errorf("alive %d times: status %d", times, got)
			}
			r.judge.expect(t)
		}
	})
	t.Run("ends with the monitor", func(t *testing.T) {
		t.Parallel()
		r, at := proxy(t, &scriptedJudge{}, nil)
		c := established(t, at, "api.example.com:22", "")
		s := r.acceptOne(t)
		r.Close()
		expectReset(t, c)
		expectReset(t, s)
		if len(r.slots) > 0 {
			t.Errorf("%d places are taken", len(r.slots))
		}
	})
}

func TestBrokenAnswerStaysBroken(t *testing.T) {
	t.Parallel()
	r, at := proxy(t, &scriptedJudge{}, nil)
	c := dialTCP(t, at)
	send(t, c, "GET http://api.example.com/ HTTP/1.1\r\nHost: x\r\n\r\n")
	s := r.acceptOne(t)
	if _, err := http.ReadRequest(bufio.NewReader(s)); err != nil {
		t.Fatal(err)
	}
	send(t, s, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	got := make([]byte, 5)
	if _, err := io.ReadFull(response.Body, got); err != nil || string(got) != "hello" { // as it arrives
		t.Fatalf("got %q, %v", got, err)
	}
	_ = s.Close()
	if rest, err := io.ReadAll(response.Body); err == nil {
		t.Errorf("an orderly end after %q", rest)
	}
}
