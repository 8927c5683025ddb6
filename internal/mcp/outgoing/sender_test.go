package outgoing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/weirtest/expect"
	"github.com/weir-gate/weir/internal/weirtest/port"
)

func TestSettings(t *testing.T) {
	https := parse(t, "https://mcp.example/mcp")
	oauth := Auth{Type: AuthOAuth, TokenURL: "https://auth.example/token", ClientID: "id", ClientSecret: "hush"}
	with := func(change func(*Auth)) Auth {
		a := oauth
		change(&a)
		return a
	}
	for _, test := range []struct {
		name   string
		config Config
		want   string // what is wrong; "": nothing
	}{
		{"plain", Config{URL: https}, ""},
		{"no url", Config{}, "url: it is missing"},
		{"other scheme", Config{URL: parse(t, "ftp://mcp.example")}, "url: it begins with neither http:// nor https://"},
		{"no host", Config{URL: parse(t, "https:///mcp")}, "url: it names no host"},
		{"only a port", Config{URL: parse(t, "https://:443/mcp")}, "url: it names no host"},
		{"opaque", Config{URL: parse(t, "https:mcp.example")}, "url: it names no host"},
		{"user", Config{URL: parse(t, "https://ann:hush@mcp.example")}, "url: it has a user or password in it; declare them under auth"},
		{"fragment", Config{URL: parse(t, "https://mcp.example/#x")}, "url: it has a fragment, which is never sent"},
		{"pin", Config{URL: https, Fingerprint: "sha256:" + strings.Repeat("aB", 32)}, ""},
		{"short pin", Config{URL: https, Fingerprint: "sha256:" + strings.Repeat("ab", 31)}, "fingerprint: it is not sha256: and 64 hex digits"},
		{"other pin", Config{URL: https, Fingerprint: strings.Repeat("ab", 32)}, "fingerprint: it is not sha256: and 64 hex digits"},
		{"pin of nothing", Config{URL: parse(t, "http://10.0.0.1/"), Fingerprint: "sha256:" + strings.Repeat("ab", 32)}, "fingerprint: the url is not an https one, so that there is no certificate"},
		{"unknown auth", Config{URL: https, Auth: Auth{Type: "Bearer"}}, "auth: the type is none of: none, bearer, basic, api_key, passthrough, oauth_client_credentials"},
		{"bearer without token", Config{URL: https, Auth: Auth{Type: AuthBearer}}, "auth: token: it is empty"},
		{"bearer of two lines", Config{URL: https, Auth: Auth{Type: AuthBearer, Token: "hush\r\nX: y"}}, "auth: token: a character in it cannot stand in a token"},
		{"basic without anything", Config{URL: https, Auth: Auth{Type: AuthBasic}}, "auth: username and password are empty"},
		{"basic with a colon", Config{URL: https, Auth: Auth{Type: AuthBasic, Username: "a:b", Password: "c"}}, "auth: username: it has a colon in it, which ends it on the way"},
		{"basic with a control", Config{URL: https, Auth: Auth{Type: AuthBasic, Username: "a", Password: "c\x00"}}, "auth: username or password has a control character in it"},
		{"key without value", Config{URL: https, Auth: Auth{Type: AuthAPIKey, Name: "X-Key"}}, "auth: value: it is empty"},
		{"key with a newline", Config{URL: https, Auth: Auth{Type: AuthAPIKey, Value: "a\nb"}}, "auth: value: it has a control character in it"},
		{"key in no header", Config{URL: https, Auth: Auth{Type: AuthAPIKey, Name: "X Key", Value: "a"}}, "auth: name: it is no name of a header"},
		{"key in Host", Config{URL: https, Auth: Auth{Type: AuthAPIKey, Name: "host", Value: "a"}}, "auth: name: that header is not for credentials"},
		{"key in weir's header", Config{URL: https, Auth: Auth{Type: AuthAPIKey, Name: "x-weir-key", Value: "a"}}, "auth: name: that header is not for credentials"},
		{"key in Authorization", Config{URL: https, Auth: Auth{Type: AuthAPIKey, Name: "authorization", Value: "a"}}, ""},
		{"key in a query without name", Config{URL: https, Auth: Auth{Type: AuthAPIKey, In: InQuery, Value: "a"}}, "auth: name: a key in the query needs the name of its parameter"},
		{"key in a bad cookie", Config{URL: https, Auth: Auth{Type: AuthAPIKey, In: InCookie, Name: "a=b", Value: "a"}}, "auth: name: it is no name of a cookie"},
		{"key as a bad cookie", Config{URL: https, Auth: Auth{Type: AuthAPIKey, In: InCookie, Name: "a", Value: "a; b=c"}}, "auth: value: a character in it cannot stand in a cookie"},
		{"key elsewhere", Config{URL: https, Auth: Auth{Type: AuthAPIKey, In: "body", Name: "a", Value: "a"}}, "auth: in: it is none of: header, query, cookie"},
		{"bearer in the clear", Config{URL: parse(t, "http://mcp.example"), Auth: Auth{Type: AuthBearer, Token: "hush"}}, "auth: a credential is not sent over plain http, except to this machine; use https"},
		{"passthrough in the clear", Config{URL: parse(t, "http://10.0.0.1"), Auth: Auth{Type: AuthPassthrough}}, "auth: a credential is not sent over plain http, except to this machine; use https"},
		{"none in the clear", Config{URL: parse(t, "http://mcp.example"), Auth: Auth{Type: AuthNone}}, ""},
		{"bearer to this machine", Config{URL: parse(t, "http://localhost:1"), Auth: Auth{Type: AuthBearer, Token: "hush"}}, ""},
		{"oauth", Config{URL: https, Auth: oauth}, ""},
		{"oauth here", Config{URL: https, Auth: with(func(a *Auth) { a.TokenURL = "http://[::1]:9/token" })}, ""},
		{"oauth in the clear", Config{URL: https, Auth: with(func(a *Auth) { a.TokenURL = "http://auth.example/token" })}, "auth: token_url: it must be an https one, or on this machine"},
		{"oauth without endpoint", Config{URL: https, Auth: with(func(a *Auth) { a.TokenURL = "" })}, "auth: token_url: it begins with neither http:// nor https://"},
		{"oauth with a bad endpoint", Config{URL: https, Auth: with(func(a *Auth) { a.TokenURL = "https://hush\x00" })}, "auth: token_url: it is no URL"},
		{"oauth without secret", Config{URL: https, Auth: with(func(a *Auth) { a.ClientSecret = "" })}, "auth: client_id or client_secret is empty"},
		{"oauth with a bad scope", Config{URL: https, Auth: with(func(a *Auth) { a.Scopes = []string{"a b"} })}, "auth: scopes: one is empty or has a character that no scope has"},
		{"oauth with a bad resource", Config{URL: https, Auth: with(func(a *Auth) { a.Resource = "/mcp" })}, "auth: resource: it is no absolute URI without a fragment"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if _, err := New(test.config); err != nil {
				got = err.Error()
			}
			expect.Same(t, test.want, got)
			if strings.Contains(got, "hush") {
				t.Error("it shows a secret")
			}
		})
	}
}

// A request for another origin is not sent, and its body is closed.
func TestOtherOrigin(t *testing.T) {
	e := newEcho(t)
	own := parse(t, e.URL+"/mcp?x=1")
	c := newSender(t, Config{URL: own, Auth: Auth{Type: AuthBearer, Token: "hush"}})
	_, port, err := net.SplitHostPort(own.Host)
	expect.OK(t, err)
	for _, address := range []string{
		"http://localhost:" + port, "https://127.0.0.1:" + port, "http://127.0.0.1", "http://127.0.0.1:1", "http://127.0.0.2:" + port,
		"http://ann@127.0.0.1:" + port, "http://127.0.0.1:" + port + "0", "http://[::ffff:127.0.0.1]:" + port, "http:127.0.0.1:" + port,
	} {
		body := &closing{Reader: strings.NewReader("x")}
		req := &http.Request{Method: http.MethodPost, URL: parse(t, address), Body: body}
		if _, err := c.Do(req); !errors.Is(err, ErrOtherOrigin) {
			t.Errorf("%s: %v", address, err)
		}
		if !body.closed {
			t.Errorf("%s: its body is open", address)
		}
	}
	if _, err := c.Do(&http.Request{}); !errors.Is(err, ErrOtherOrigin) {
		t.Errorf("no address: %v", err)
	}
	expect.Equal(t, e.asked.Load(), 0, "the server was asked … times")
	for _, address := range []string{own.String(), e.URL, e.URL + "/other?y"} {
		if _, err := exchange(c, request(t, http.MethodPost, address, "x")); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, pair := range [][2]string{
		{"http://mcp.example", "http://MCP.example:80/x"}, {"https://mcp.example", "https://mcp.example:443"},
	} {
		if !SameOrigin(parse(t, pair[0]), parse(t, pair[1])) {
			t.Errorf("%s: another origin", pair)
		}
	}
}

type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error { c.closed = true; return nil }

// Redirects and encoded answers are errors; nothing of the response is in their text.
func TestUnusableAnswers(t *testing.T) {
	elsewhere := newEcho(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch name := strings.TrimPrefix(r.URL.Path, "/"); name {
		case "gzip", "identity", "gzip, identity":
			w.Header().Set("Content-Encoding", name)
		case "304":
			w.WriteHeader(http.StatusNotModified)
		default:
			w.Header().Set("Location", elsewhere.URL+"/IGNORE")
			var code int
			fmt.Sscan(name, &code) // the table has numbers
			w.WriteHeader(code)
		}
	}))
	t.Cleanup(server.Close)
	c := newSender(t, Config{URL: parse(t, server.URL), Auth: Auth{Type: AuthBearer, Token: "hush"}})
	for name, want := range map[string]error{
		"301": ErrRedirect, "302": ErrRedirect, "303": ErrRedirect, "307": ErrRedirect, "308": ErrRedirect, "300": ErrRedirect,
		"399": ErrRedirect, "304": nil, "gzip": ErrEncoded, "gzip, identity": ErrEncoded, "identity": nil,
	} {
		_, err := exchange(c, request(t, http.MethodPost, server.URL+"/"+url.PathEscape(name), "x"))
		expect.Is(t, err, want, "%s", name)
		if err != nil && (strings.Contains(err.Error(), "IGNORE") || strings.Contains(err.Error(), "127.0.0.1")) {
			t.Errorf("%s: it quotes the response: %v", name, err)
		}
	}
	expect.Equal(t, elsewhere.asked.Load(), 0, "a redirect was followed … times")
}

// What the transport says of a server is not passed on: it quotes what the server sent.
func TestFailureTexts(t *testing.T) {
	for name, test := range map[string]struct{ answer, want string }{
		"no HTTP":     {"\x1b[31mIGNORE ALL PREVIOUS\r\n\r\n", "the exchange with the server broke off"},
		"odd status":  {"HTTP/1.1 IGNORE ALL\r\n\r\n", "the exchange with the server broke off"},
		"odd header":  {"HTTP/1.1 200 OK\r\nIGNORE ALL\r\n\r\n", "the exchange with the server broke off"},
		"cut off":     {"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nIGNORE", "the exchange with the server broke off"},
		"bad chunk":   {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nIGNORE\r\n", "the exchange with the server broke off"},
		"upgrade":     {"HTTP/1.1 101 IGNORE\r\nUpgrade: IGNORE\r\nConnection: upgrade\r\n\r\n", "the server responded with status 101, which no response may have"},
		"nothing":     {"", "the exchange with the server broke off"},
		"long header": {"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("IGNORE", 20<<10) + "\r\n\r\n", "the exchange with the server broke off"},
	} {
		t.Run(name, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			expect.OK(t, err)
			defer listener.Close()
			go serveRaw(listener, test.answer)
			address := "http://" + listener.Addr().String()
			_, err = exchange(newSender(t, Config{URL: parse(t, address)}), request(t, http.MethodPost, address, "x"))
			if err == nil || !strings.HasPrefix(err.Error(), test.want) || strings.Contains(err.Error(), "IGNORE") {
				t.Errorf("%v", err)
			}
		})
	}
}

// serveRaw answers every connection with the same bytes.
func serveRaw(listener net.Listener, answer string) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		conn.Read(make([]byte, 1<<10))   // whatever was asked
		io.WriteString(conn, answer)     // the client may have gone
		conn.(*net.TCPConn).CloseWrite() // so that the response is read first
		io.Copy(io.Discard, conn)        // until the client goes
		conn.Close()                     // it is over
	}
}

// A call that may have been carried out is not sent again, whatever its headers say.
func TestNotRepeated(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // only the count is of interest
		if asked.Add(1) > 1 {
			panic(http.ErrAbortHandler)
		}
	}))
	t.Cleanup(server.Close)
	c := newSender(t, Config{URL: parse(t, server.URL)})
	for _, name := range []string{"Idempotency-Key", "X-Idempotency-Key", "X-Other"} {
		// The first leaves a connection that the second uses: only then does a transport send anything again.
		asked.Store(0)
		for _, fails := range []bool{false, true} {
			req := request(t, http.MethodPost, server.URL, "call")
			req.Header.Set(name, "key")
			if _, err := exchange(c, req); (err != nil) != fails {
				t.Errorf("%s: %v", name, err)
			}
		}
		if n := asked.Load(); n != 2 {
			t.Errorf("%s: the server was asked %d times", name, n)
		}
	}
}

func TestNobodyListens(t *testing.T) {
	address := "http://" + port.Reserve(t)
	c := newSender(t, Config{URL: parse(t, address)})
	if _, err := exchange(c, request(t, http.MethodGet, address, "")); err == nil || err.Error() != "the server does not listen: connection refused" {
		t.Error(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("\x1b[31mred"))
	_, err := c.Do(request(t, http.MethodGet, address, "").WithContext(ctx))
	if !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "red") {
		t.Error(err)
	}
}

// The request that the caller holds is as it was, and what the server gets is plain.
func TestRequestIsKept(t *testing.T) {
	e := newEcho(t)
	c := newSender(t, Config{URL: parse(t, e.URL), Auth: Auth{Type: AuthAPIKey, In: InQuery, Name: "key", Value: "hush"}})
	req := request(t, http.MethodPost, e.URL+"/mcp?a=b", "hello")
	req.Host = "other.example"
	req.Header = http.Header{"Authorization": {"theirs"}, "accept-encoding": {"gzip"}, "X-Custom": {"kept"}}
	before, address := req.Header.Clone(), req.URL.String()
	got, err := exchange(c, req)
	if err != nil || got != "hello" {
		t.Fatalf("%q, %v", got, err)
	}
	if diff := cmp.Diff(before, req.Header); diff != "" || req.URL.String() != address || req.Host != "other.example" {
		t.Errorf("the request was changed: %s %s %s", diff, req.URL, req.Host)
	}
	seen := e.last.Load()
	if seen.Host != parse(t, e.URL).Host || seen.Header.Get("X-Custom") != "kept" || seen.UserAgent() != "weir" {
		t.Errorf("the server saw %s %v", seen.Host, seen.Header)
	}
	expect.Same(t, []string{"identity"}, seen.Header.Values("Accept-Encoding"))
}

// A token endpoint that never answers fails the request in time, and who gives up earlier does not wait.
func TestSlowTokenEndpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over := make(chan struct{})
		defer close(over)
		s := &tokenSource{endpoint: parse(t, "https://auth.example"), timeout: 30 * time.Second, now: time.Now, transport: &http.Transport{
			DialContext: func(context.Context, string, string) (net.Conn, error) { <-over; return nil, net.ErrClosed },
		}}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		if _, err := s.get(ctx, ""); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ErrCredential) || time.Since(start) != time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		if _, err := s.get(t.Context(), ""); !errors.Is(err, ErrCredential) || time.Since(start) != 30*time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
	})
}
