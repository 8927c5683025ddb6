package outgoing

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// Whatever the caller sends, the server sees the credential that was declared for it; with passthrough the caller's.
func TestAuth(t *testing.T) {
	e := newEcho(t)
	caller := http.Header{
		"Authorization": {"Bearer theirs"}, "Cookie": {"session=theirs"}, "X-Weir-Key": {"theirs"}, "x-weir-session": {"theirs"},
		"Proxy-Authorization": {"theirs"}, "X-Api-Key": {"theirs"}, "X-Other": {"kept"},
	}
	for _, test := range []struct {
		name  string
		auth  Auth
		query string // as asked for
		want  http.Header
		seen  string // the query as the server saw it
	}{
		{name: "zero", want: http.Header{"X-Api-Key": {"theirs"}}},
		{name: "none", auth: Auth{Type: AuthNone, Token: "unused"}, want: http.Header{"X-Api-Key": {"theirs"}}},
		{name: "bearer", auth: Auth{Type: AuthBearer, Token: "ours"}, want: http.Header{"Authorization": {"Bearer ours"}, "X-Api-Key": {"theirs"}}},
		{
			name: "basic", auth: Auth{Type: AuthBasic, Username: "ann", Password: "a:b"},
			want: http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte("ann:a:b"))}, "X-Api-Key": {"theirs"}},
		},
		{name: "key", auth: Auth{Type: AuthAPIKey, Value: "ours"}, want: http.Header{"X-Api-Key": {"ours"}}},
		{name: "key in a header", auth: Auth{Type: AuthAPIKey, In: InHeader, Name: "api-KEY", Value: "ours"}, want: http.Header{"Api-Key": {"ours"}, "X-Api-Key": {"theirs"}}},
		{
			name: "key in a query", auth: Auth{Type: AuthAPIKey, In: InQuery, Name: "api key", Value: "a&b=c"}, query: "z=1&api+key=theirs&&a=%2f&api%20key",
			want: http.Header{"X-Api-Key": {"theirs"}}, seen: "z=1&a=%2f&api+key=a%26b%3Dc",
		},
		{name: "key in a cookie", auth: Auth{Type: AuthAPIKey, In: InCookie, Name: "sid", Value: "ours"}, want: http.Header{"Cookie": {"sid=ours"}, "X-Api-Key": {"theirs"}}},
		{
			name: "passthrough", auth: Auth{Type: AuthPassthrough}, query: "key=theirs",
			want: http.Header{"Authorization": {"Bearer theirs"}, "Cookie": {"session=theirs"}, "X-Api-Key": {"theirs"}}, seen: "key=theirs",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newSender(t, Config{URL: parse(t, e.URL), Auth: test.auth})
			req := request(t, http.MethodPost, e.URL+"/mcp?"+test.query, "x")
			req.Header = caller.Clone()
			if _, err := exchange(c, req); err != nil {
				t.Fatal(err)
			}
			seen := e.last.Load()
			got := seen.Header.Clone()
			for _, name := range []string{"Accept-Encoding", "User-Agent", "Content-Length"} {
				got.Del(name)
			}
			test.want.Set("X-Other", "kept")
			expect.Same(t, test.want, got)
			expect.Equal(t, seen.URL.RawQuery, test.seen, "the query is")
		})
	}
}

// Whatever a query is, the parameter is in it once, with its value, and the others are as they were.
func FuzzWithParameter(f *testing.F) {
	f.Add("a=b&key=x&k%65y=y&&c", "key", "a&b")
	f.Add("%zz&=&;", "", "\x00")
	f.Fuzz(func(t *testing.T, query, name, value string) {
		got := withParameter(query, name, value)
		before, _ := url.ParseQuery(query) // what it can read of it
		after, _ := url.ParseQuery(got)
		expect.NoDiff(t, cmp.Diff([]string{value}, after[name]), "%q", got)
		delete(before, name)
		delete(after, name)
		expect.NoDiff(t, cmp.Diff(before, after), "%q", got)
	})
}
