package proxy

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/model/endpoint"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func TestCleanPath(t *testing.T) {
	for in, want := range map[string]string{
		"/":                             "/",
		"//":                            "/",
		"/v1/messages":                  "/v1/messages",
		"//v1///messages":               "/v1/messages",
		"/v1/messages/":                 "/v1/messages",
		"/./v1/%2e/messages":            "/v1/messages",
		"/v1/%6d%65ssages":              "/v1/messages",
		"/v1/models/a%20b":              "/v1/models/a%20b",
		"/v1/models/eu.m-1%3A0":         "/v1/models/eu.m-1:0",
		"/v1/models/%e2%82%ac":          "/v1/models/%E2%82%AC",
		"/v1/...":                       "",
		"/v1/threads.":                  "",
		"/v1/threads%20":                "",
		"/v1/%20threads":                "",
		"/v1/threads%E2%80%8B":          "",
		"/v1/a.b":                       "/v1/a.b",
		"":                              "",
		"v1":                            "",
		"/v1/../x":                      "",
		"/v1/%2e%2e/x":                  "",
		"/v1/.%2E":                      "",
		"/v1%2Fmessages":                "",
		"/v1/a%5cb":                     "",
		`/v1/a\b`:                       "",
		"/v1/%252e%252e":                "",
		"/v1/a%00":                      "",
		"/v1/a%0d%0a":                   "",
		"/v1/a%7f":                      "",
		"/v1/a%3Fb":                     "",
		"/v1/a%23b":                     "",
		"/v1/messages;x=1":              "",
		"/v1/..;/x":                     "",
		"/v1/%ff":                       "",
		"/v1/%":                         "",
		"/v1/%zz":                       "",
		"/v1/.. /x":                     "",
		"/v1/\u00e9":                    "/v1/%C3%A9",
		"/v1/" + strings.Repeat("/", 9): "/v1",

		"/model/arn%3Aaws%3Abedrock%3A%3Aprofile%2Feu.m-1%3A0/converse": "/model/arn:aws:bedrock::profile%2Feu.m-1:0/converse",
		"/up/model/arn:a%2Fb/invoke/":                                   "/up/model/arn:a%2Fb/invoke",
		"/model/arn:a%2F..%2Fb/converse":                                "",
		"/model/arn:a%2F%2Fb/converse":                                  "",
		"/model/arn:a%2F.%2Fb/converse":                                 "",
		"/model/arn:a%2Fb":                                              "",
		"/model/arn:a%2Fb/x/converse":                                   "",
		"/models/arn:a%2Fb/converse":                                    "",
		"/model/a%2Fb/converse":                                         "",
		"/model/arn:a%5Cb/converse":                                     "",
	} {
		got, err := cleanPath(in)
		expect.Equal(t, got, want, "cleanPath(%q) = %q, %v; want %q", in, got, err, want)
		expect.Equal(t, err != nil, (want == ""), "cleanPath(%q) = %q, %v; want %q", in, got, err, want)
	}
}

func FuzzCleanPath(f *testing.F) {
	for _, seed := range []string{"/v1/messages", "//a/%2e%2e/b", "/a%2fb/./", "/%25", "/k/x/anthropic/v1/", "/é;", `/\..`} {
		f.Add(seed)
	}
	base, _ := url.Parse("https://up.example/base/v1")
	door := newDoor(f, Config{Gate: noGate{}, Upstreams: map[string]Upstream{"up": {URL: base}}})
	f.Fuzz(func(t *testing.T, in string) {
		got, err := cleanPath(in)
		if err != nil {
			return
		}
		if again, err := cleanPath(got); err != nil || again != got {
			t.Fatalf("cleanPath(%q) = %q, and of that %q, %v", in, got, again, err)
		}
		plain, err := url.PathUnescape(got)
		expect.OK(t, err, "%q does not unescape", got)
		if got != "/" && (strings.HasSuffix(got, "/") || strings.Contains(got, "//")) {
			t.Fatalf("%q has empty segments", got)
		}
		for segment := range strings.SplitSeq(plain, "/") {
			if segment == "." || segment == ".." || strings.ContainsAny(segment, "\\%;?#\x00\r\n") {
				t.Fatalf("%q holds the segment %q", got, segment)
			}
		}
		sentAsClassified(t, door, got)
	})
}

// sentAsClassified checks that what an upstream gets is its base and the path by which the request was classified.
func sentAsClassified(t *testing.T, door *Door, path string) {
	up := door.served.Load().byName["up"]
	classified := up.versionedPath(path)
	to := up.address(classified, &url.URL{})
	if want := "https://up.example/base" + strings.TrimSuffix(classified, "/"); to.String() != want {
		t.Fatalf("%q is sent as %q, want %q", path, to, want)
	}
	req := httptest.NewRequest(http.MethodGet, to.RequestURI(), nil)
	if received, err := cleanPath(req.URL.EscapedPath()); err != nil || received != join("/base", classified) {
		t.Fatalf("%q is received as %q, %v", path, received, err)
	}
}

func TestAddressMergesVersion(t *testing.T) {
	for _, c := range []struct{ base, path, classified, sent string }{
		{"https://h", "/v1/messages", "/v1/messages", "https://h/v1/messages"},
		{"https://h/", "/v1/messages", "/v1/messages", "https://h/v1/messages"},
		{"https://h/v1", "/v1/messages", "/v1/messages", "https://h/v1/messages"},
		{"https://h/v1/", "/messages", "/v1/messages", "https://h/v1/messages"},
		{"https://h/api/v1", "/v1/messages", "/v1/messages", "https://h/api/v1/messages"},
		{"https://h/api/v1", "/v1beta/x", "/v1/v1beta/x", "https://h/api/v1/v1beta/x"},
		{"https://h/api", "/v1/v1/x", "/v1/v1/x", "https://h/api/v1/v1/x"},
		{"https://h/apiv1", "/v1/x", "/v1/x", "https://h/apiv1/v1/x"},
	} {
		base, err := url.Parse(c.base)
		expect.OK(t, err)
		door := newDoor(t, Config{Gate: noGate{}, Upstreams: map[string]Upstream{"up": {URL: base}}})
		up := door.served.Load().byName["up"]
		classified := up.versionedPath(c.path)
		sent := up.address(classified, &url.URL{RawQuery: "beta=true"}).String()
		if classified != c.classified || sent != c.sent+"?beta=true" {
			t.Errorf("%s and %s: classified as %s, sent as %s; want %s, %s", c.base, c.path, classified, sent, c.classified, c.sent)
		}
	}
}

// Anthropic's API is reached with and without its version in the path: SDKs disagree about which part of it is the address.
func TestAnthropicWithoutVersion(t *testing.T) {
	base, err := url.Parse("https://api.anthropic.com")
	expect.OK(t, err)
	door := newDoor(t, Config{Gate: noGate{}, Upstreams: map[string]Upstream{"anthropic": {URL: base}}})
	up := door.served.Load().byName["anthropic"]
	for path, want := range map[string]string{
		"/messages": "/v1/messages", "/messages/count_tokens": "/v1/messages/count_tokens", "/v1/messages": "/v1/messages",
		"/messagesx": "/messagesx", "/v1/v1/messages": "/v1/v1/messages", "/": "/",
	} {
		expect.Equal(t, up.versionedPath(path), want, "%s is", path)
	}
	if row, known := up.findEndpoint(http.MethodPost, up.versionedPath("/messages")); !known || row.Treatment != endpoint.Gated {
		t.Errorf("it is treated as %+v, %v", row, known)
	}
}

// How a path is treated does not depend on where the upstream's address ends and the path begins.
func TestFindEndpoint(t *testing.T) {
	for _, c := range []struct {
		base, method, path string
		want               endpoint.Treatment
		known              bool
	}{
		{"https://h", "GET", "/v1/models", endpoint.Passes, true},
		{"https://h", "GET", "/V1/Models", endpoint.Passes, true},
		{"https://h", "POST", "/v1/messages", endpoint.Gated, true},
		{"https://h", "GET", "/v1/messages/batches/b/results", endpoint.Gated, true},
		{"https://h", "GET", "/v1/files/f/content", endpoint.Content, true},
		{"https://h", "POST", "/v1/threads/t/runs", endpoint.Refused, true},
		{"https://h/gateway", "POST", "/openai/v1/threads/t/runs", endpoint.Refused, true},
		{"https://h/v1", "POST", "/v1/threads/t/runs", endpoint.Refused, true},
		{"https://h/api", "POST", "/pull", endpoint.Changes, true},
		{"https://h", "DELETE", "/x/api/delete", endpoint.Changes, true},
		{"https://h", "GET", "/v1", 0, false},
		{"https://h", "GET", "/v1/what/is/this", 0, false},
	} {
		base, err := url.Parse(c.base)
		expect.OK(t, err)
		door := newDoor(t, Config{Gate: noGate{}, Upstreams: map[string]Upstream{"up": {URL: base}}})
		up := door.served.Load().byName["up"]
		row, known := up.findEndpoint(c.method, up.versionedPath(c.path))
		if known != c.known || row.Treatment != c.want {
			t.Errorf("%s %s below %s: %s, known: %v; want %s, %v", c.method, c.path, c.base, row.Treatment, known, c.want, c.known)
		}
	}
}
