package reach

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// awaited is the id of the request that fuzzed streams answer.
var awaited = jsonrpc.IntID(1)

func isResponse(k jsonrpc.Kind) bool { return k == jsonrpc.Response }

func asRefused(err error) (r *jsonrpc.Refused, ok bool) {
	ok = errors.As(err, &r)
	return r, ok
}

func parseURL(t testing.TB, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	expect.OK(t, err)
	return u
}

func TestResolveEndpoint(t *testing.T) {
	const base = "https://Host.example/a/sse?key=k#f"
	tests := map[string]struct{ endpoint, want string }{
		"path":           {"/messages?s=1", "https://Host.example/messages?s=1"},
		"relative":       {"messages", "https://Host.example/a/messages"},
		"upward":         {"../../m", "https://Host.example/m"},
		"query":          {"?s=1", "https://Host.example/a/sse?s=1"},
		"absolute":       {"https://host.example/m", "https://Host.example/m"},
		"same port":      {"https://host.example:443/m", "https://Host.example/m"},
		"scheme in caps": {"HTTPS://HOST.EXAMPLE/m", "https://Host.example/m"},
		"no scheme":      {"//host.example/m", "https://Host.example/m"},
		"escaped":        {"/m%2fn?x=%20", "https://Host.example/m%2fn?x=%20"},
		"fragment":       {"/m#x", "https://Host.example/m"},
		"escaped host":   {"/%2f%2fevil.example", "https://Host.example/%2f%2fevil.example"},
		"empty":          {"", "no address"},
		"other host":     {"https://evil.example/m", "not on the server"},
		"other scheme":   {"http://host.example/m", "not on the server"},
		"other port":     {"https://host.example:8443/m", "not on the server"},
		"only host":      {"//evil.example/m", "not on the server"},
		"user":           {"https://u:p@host.example/m", "not on the server"},
		"host as user":   {"https://host.example@evil.example/m", "not on the server"},
		"subdomain":      {"https://host.example.evil.example/", "not on the server"},
		"dot":            {"https://host.example./m", "not on the server"},
		"backslash":      {"https://host.example\\@evil.example/", "no address"},
		"backslashes":    {"\\\\evil.example/m", "no address"},
		"half a slash":   {"/\\evil.example/m", "no address"},
		"opaque":         {"https:m", "no address"},
		"script":         {"javascript:alert(1)", "no address"},
		"file":           {"file:///etc/passwd", "not on the server"},
		"blank":          {" /m", "no address"},
		"line end":       {"/m\r\nX: y", "no address"},
		"tab":            {"/\t/evil.example", "no address"},
		"not ASCII":      {"/m\u00fc", "no address"},
		"broken escape":  {"/%zz", "no address"},
		"long":           {"/" + strings.Repeat("x", 9000), "no address"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := resolveEndpoint(parseURL(t, base), test.endpoint)
			switch {
			case err != nil && !strings.Contains(err.Error(), test.want):
				t.Error(err)
			case err == nil && got.String() != test.want:
				t.Errorf("got %s", got)
			}
		})
	}
}

// Wherever an endpoint points, it is on the server, for whoever reads it from its text too.
func FuzzEndpoint(f *testing.F) {
	for _, seed := range []string{"/m", "//h/m", "https://h/m", "https://h:443/", "?x", "../..//x", "https://h@e/", "/%2f", "//h\\@e", "https:m", "https://[::1]/"} {
		f.Add("https://h/a/sse", seed)
	}
	f.Add("http://127.0.0.1:80/sse", "//127.0.0.1/m")
	f.Add("http://[::1]:8080/sse", "http://[::1]:8080/m")
	f.Fuzz(func(t *testing.T, baseText, endpoint string) {
		base, err := url.Parse(baseText)
		if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
			return
		}
		got, err := resolveEndpoint(base, endpoint)
		if err != nil {
			if endpoint != "" && len(endpoint) > 8 && strings.Contains(err.Error(), endpoint) {
				t.Errorf("the error shows the endpoint: %v", err)
			}
			return
		}
		if got.Scheme != base.Scheme || got.Host != base.Host || got.User != nil || got.Opaque != "" || got.Fragment != "" {
			t.Errorf("%q at %q is %q", endpoint, baseText, got)
		}
		again, err := url.Parse(got.String())
		if err != nil || !strings.EqualFold(again.Host, base.Host) || again.Scheme != base.Scheme || again.User != nil {
			t.Errorf("%q at %q is read as %q: %v", endpoint, baseText, again, err)
		}
	})
}
