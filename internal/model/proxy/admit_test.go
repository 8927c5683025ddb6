package proxy

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// noGate is for doors that are set up but not used.
type noGate struct{}

func (noGate) Pass(context.Context, gate.Passage) error { return nil }
func (noGate) Missed(gate.Passage, bool)                {}

func (noGate) Refuse(context.Context, gate.Passage, dialect.Refused) error { return nil }

// mustNotBeAsked is an upstream that no request may reach.
func mustNotBeAsked(t *testing.T) http.HandlerFunc {
	return func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the upstream was asked: %s %s", r.Method, r.URL)
	}
}

func TestRouting(t *testing.T) {
	b := newBench(t, mustNotBeAsked(t))
	for _, c := range []struct {
		method, path string
		status       int
		body         string
	}{
		{"HEAD", "/", 200, ""},
		{"GET", "/", 200, `"weir"`},
		{"GET", "/healthz", 200, `"ok"`},
		{"HEAD", "/anthropic", 200, ""},
		{"GET", "/anthropic/", 200, `"weir"`},
		{"POST", "/", 404, "/anthropic/…, /bare/…"},
		{"POST", "/healthz", 404, ""},
		{"GET", "/healthz/x", 404, ""},
		{"POST", "/v1/messages", 404, `{"type":"error","error":{"type":"not_found_error"`},
		{"GET", "/openai/v1/models", 404, "/anthropic/…"},
	} {
		r := b.do(c.method, c.path, "")
		expect.Equal(t, r.StatusCode, c.status, "%s %s: %d %s", c.method, c.path, r.StatusCode, r.body)
		expect.Text(t, r.body, "", c.body)
	}
}

func TestGuard(t *testing.T) {
	b := newBench(t, mustNotBeAsked(t), func(c *Config) {
		c.Admission = mustAdmit(t, admission.Config{Hosts: []string{"weir.example:4141", "192.0.2.7"}})
	})
	for _, c := range []struct {
		name   string
		header []string
		status int
	}{
		{"foreign host", []string{"Host", "evil.example"}, 403},
		{"foreign host that begins well", []string{"Host", "localhost.evil.example:4141"}, 403},
		{"foreign address", []string{"Host", "192.0.2.8"}, 403},
		{"origin", []string{"Origin", "https://evil.example"}, 403},
		{"null origin", []string{"Origin", "null"}, 403},
		{"own origin", []string{"Origin", b.weir.URL}, 403},
		{"cross-site", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"same-site", []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"websocket", []string{"Connection", "Upgrade", "Upgrade", "websocket"}, 426},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := b.ask(true, c.header...)
			b.mustFail(r, c.status, true)
			expect.Equal(t, r.Header.Get("Access-Control-Allow-Origin"), "", "a CORS header was sent")
		})
	}
	for _, host := range []string{"localhost", "LOCALHOST.:1", "127.0.0.1:9", "127.9.9.9", "[::1]:4141", "weir.example", "192.0.2.7:1"} {
		if r := b.do("GET", "/healthz", "", "Host", host); r.StatusCode != 200 {
			t.Errorf("host %s: status %d", host, r.StatusCode)
		}
	}
	for _, method := range []string{"OPTIONS", "TRACE", "PROPFIND"} {
		b.mustFail(b.do(method, "/anthropic/v1/messages", ""), 405, true)
	}
	expect.Equal(t, b.do("GET", "/healthz", "", "Sec-Fetch-Site", "none").StatusCode, 200, "a typed address is answered with")
}

func TestOddRequestLines(t *testing.T) {
	b := newBench(t, mustNotBeAsked(t))
	for line, status := range map[string]int{
		"GET http://evil.example/anthropic/v1/models": 403,
		"GET http://localhost/anthropic/v1/models":    400,
		"CONNECT evil.example:443":                    405,
		"OPTIONS *":                                   405,
		"GET /anthropic/../bare/v1/models":            400,
		"GET /anthropic/%2e%2e/bare/v1/models":        400,
		"GET /anthropic%2fv1/models":                  400,
		`GET /anthropic/v1\models`:                    400,
		"GET /anthropic/v1/models?a#b":                400,
		"GET /anthropic/v1/models?\xff":               400,
	} {
		resp := b.raw(line + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
		expect.Equal(t, resp.StatusCode, status, "%s: status", line)
	}
}

func TestPathIsSentClean(t *testing.T) {
	got := make(chan string, 1)
	b := newBench(t, func(w http.ResponseWriter, r *http.Request) {
		got <- r.RequestURI
		_, _ = io.WriteString(w, `{"data":[]}`)
	})
	for line, want := range map[string]string{
		"//anthropic//v1/./models/?a=%2F..&b": "/v1/models?a=%2F..&b",
		"/anthropic/v1/%6dodels":              "/v1/models",
		"/anthropic/v1/models?":               "/v1/models?",
	} {
		resp := b.raw("GET " + line + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
		if uri := <-got; uri != want || resp.StatusCode != 200 {
			t.Errorf("%s: sent as %s with status %d, want %s", line, uri, resp.StatusCode, want)
		}
	}
}

func TestClients(t *testing.T) {
	seen := make(chan *http.Request, 1)
	b := newBench(t, func(w http.ResponseWriter, r *http.Request) {
		seen <- r
		_, _ = io.WriteString(w, deniedBody)
	}, func(c *Config) {
		c.Admission = admits(t,
			admission.Client{Key: "ann-key", Actor: call.Actor{Org: "acme", Employee: "ann", Key: "ann"}},
			admission.Client{Key: "bob key", Actor: call.Actor{Employee: "bob"}})
	})
	for _, c := range []struct {
		name, path string
		header     []string
		actor      *call.Actor
	}{
		{"header", "/anthropic/v1/messages", []string{"X-Weir-Key", "ann-key"}, &call.Actor{Org: "acme", Employee: "ann", Key: "ann"}},
		{"path", "/k/ann-key/anthropic/v1/messages", nil, &call.Actor{Org: "acme", Employee: "ann", Key: "ann"}},
		{"escaped path", "/k/bob%20key/anthropic/v1/messages", nil, &call.Actor{Employee: "bob", Key: "key-61a79a2b"}},
		{"path wins", "/k/wrong/anthropic/v1/messages", []string{"X-Weir-Key", "ann-key"}, nil},
		{"none", "/anthropic/v1/messages", nil, nil},
		{"wrong", "/anthropic/v1/messages", []string{"X-Weir-Key", "ann-key "[:6]}, nil},
		{"two", "/anthropic/v1/messages", []string{"X-Weir-Key", "wrong", "X-Weir-Key", "ann-key"}, nil},
		{"no upstream is named to strangers", "/openai/v1/messages", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := b.do("POST", c.path, "{}", append(c.header, "X-Api-Key", "own")...)
			if c.actor == nil {
				b.mustFail(r, 401, true)
				if strings.Contains(r.body, "bare") {
					t.Error("the upstreams are told to a stranger")
				}
				return
			}
			req := <-seen
			if req.Header["X-Weir-Key"] != nil || req.URL.Path != "/v1/messages" || req.Header.Get("X-Api-Key") != "own" {
				t.Errorf("the upstream got %s with %v", req.URL, req.Header)
			}
			got := b.judge.lastEnd(t).Actor
			if c.actor.Employee == "bob" {
				c.actor.Key = got.Key
				if !strings.HasPrefix(got.Key, "key-") || len(got.Key) != 12 {
					t.Errorf("fingerprint %q", got.Key)
				}
			}
			expect.Same(t, c.actor.InSession(""), got)
		})
	}
	expect.Text(t, b.log.String(), "a key is in the log", "!ann-key", "!bob key", "!bob%20key", "!wrong")
}

func TestUpstreamKeyReplacesTheClients(t *testing.T) {
	all := []string{"X-Api-Key", "own", "Authorization", "Bearer own", "Api-Key", "own", "X-Goog-Api-Key", "own"}
	for name, c := range map[string]struct {
		key, format string
		sent        []string
		want        http.Header
	}{
		"no key": {"", "anthropic", all, http.Header{
			"X-Api-Key": {"own"}, "Authorization": {"Bearer own"}, "Api-Key": {"own"}, "X-Goog-Api-Key": {"own"},
		}},
		"known API":                      {"sk-1", "anthropic", all, http.Header{"X-Api-Key": {"sk-1"}}},
		"known API, nothing sent":        {"sk-1", "anthropic", nil, http.Header{"X-Api-Key": {"sk-1"}}},
		"where the client had its own":   {"sk-1", "", []string{"Api-Key", "own"}, http.Header{"Api-Key": {"sk-1"}}},
		"where the client had its token": {"sk-1", "", []string{"Authorization", "Bearer own"}, http.Header{"Authorization": {"Bearer sk-1"}}},
		"nothing sent":                   {"sk-1", "", nil, http.Header{"X-Api-Key": {"sk-1"}}},
		"too much sent":                  {"sk-1", "", all, http.Header{"X-Api-Key": {"sk-1"}}},
	} {
		t.Run(name, func(t *testing.T) {
			got := make(chan http.Header, 1)
			b := newBench(t, func(_ http.ResponseWriter, r *http.Request) { got <- r.Header }, func(cfg *Config) {
				up := cfg.Upstreams["anthropic"]
				up.Key, up.Format = c.key, c.format
				cfg.Upstreams["anthropic"] = up
				cfg.Admission = admits(t, admission.Client{Key: "k1"})
			})
			b.ask(false, append([]string{"X-Weir-Key", "k1"}, c.sent...)...)
			sent := <-got
			for _, name := range credentials {
				expect.NoDiff(t, cmp.Diff(c.want[name], sent[name]), "header %s", name)
			}
		})
	}
}

func TestNewRefuses(t *testing.T) {
	parse := func(s string) *url.URL {
		u, err := url.Parse(s)
		expect.OK(t, err)
		return u
	}
	for want, cfg := range map[string]Config{
		"no gate":           {},
		"a name is made of": {Gate: noGate{}, Upstreams: map[string]Upstream{"k": {URL: parse("https://h")}}},
		`"a/b": a name`:     {Gate: noGate{}, Upstreams: map[string]Upstream{"a/b": {URL: parse("https://h")}}},
		`"..": a name`:      {Gate: noGate{}, Upstreams: map[string]Upstream{"..": {URL: parse("https://h")}}},
		"must be http://":   {Gate: noGate{}, Upstreams: map[string]Upstream{"a": {URL: parse("ftp://h")}}},
		"no user":           {Gate: noGate{}, Upstreams: map[string]Upstream{"a": {URL: parse("https://u:p@h")}}},
		"the url's path":    {Gate: noGate{}, Upstreams: map[string]Upstream{"a": {URL: parse("https://h/a/..")}}},
		"needs clients":     {Gate: noGate{}, Upstreams: map[string]Upstream{"a": {URL: parse("https://h"), Key: "x"}}},
		`format "x" is not`: {Gate: noGate{}, Upstreams: map[string]Upstream{"a": {URL: parse("https://h"), Format: "x"}}},
	} {
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New says %v, want %q", err, want)
		}
	}
}
