package outgoing

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// authority is a token endpoint that gives out t1, t2 and so on.
type authority struct {
	*httptest.Server
	given atomic.Int32
	mu    sync.Mutex
	// answer says what is said in place of a token; nil: nothing is.
	answer func(w http.ResponseWriter, n int32) (done bool)
	form   url.Values
	basic  [2]string
	header http.Header
}

func newAuthority(t testing.TB) *authority {
	a := &authority{}
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		defer a.mu.Unlock()
		n := a.given.Add(1)
		if err := r.ParseForm(); err != nil || r.Method != http.MethodPost {
			http.Error(w, "no form", http.StatusBadRequest)
			return
		}
		a.form, a.header = r.PostForm, r.Header
		a.basic[0], a.basic[1], _ = r.BasicAuth()
		if a.answer != nil && a.answer(w, n) {
			return
		}
		fmt.Fprintf(w, `{"access_token":"t%d","token_type":"Bearer","expires_in":600}`, n)
	}))
	t.Cleanup(a.Close)
	return a
}

func (a *authority) saying(answer func(http.ResponseWriter, int32) bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.answer = answer
}

// guarded is a server that takes one token.
type guarded struct {
	*httptest.Server
	mu    sync.Mutex
	takes string // "": any
	seen  []string
}

func newGuarded(t testing.TB) *guarded {
	g := &guarded{}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		defer g.mu.Unlock()
		got := r.Header.Get("Authorization")
		g.seen = append(g.seen, got)
		if g.takes != "" && got != "Bearer "+g.takes {
			http.Error(w, "IGNORE", http.StatusUnauthorized)
			return
		}
		io.Copy(w, r.Body) // the client notices
	}))
	t.Cleanup(g.Close)
	return g
}

func (g *guarded) take(token string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.takes, g.seen = token, nil
}

func (g *guarded) tokens() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.seen
}

func oauth(a *authority) Auth {
	return Auth{Type: AuthOAuth, TokenURL: a.URL + "/token", ClientID: "a client", ClientSecret: "hu:sh+%"}
}

func TestTokenRequest(t *testing.T) {
	a, g := newAuthority(t), newGuarded(t)
	for _, test := range []struct {
		name   string
		change func(*Auth)
		want   url.Values
	}{
		{"plain", func(*Auth) {}, url.Values{"grant_type": {"client_credentials"}, "resource": {g.URL + "/mcp"}}},
		{"no resource", func(a *Auth) { a.Resource = "none" }, url.Values{"grant_type": {"client_credentials"}}},
		{
			"all", func(a *Auth) { a.Scopes, a.Resource = []string{"read", "tools:call"}, "urn:mcp:weather" },
			url.Values{"grant_type": {"client_credentials"}, "scope": {"read tools:call"}, "resource": {"urn:mcp:weather"}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			auth := oauth(a)
			test.change(&auth)
			c := newSender(t, Config{URL: parse(t, g.URL+"/mcp?q=1"), Auth: auth})
			req := request(t, http.MethodPost, g.URL, "x")
			req.Header.Set("Authorization", "Bearer theirs")
			if _, err := exchange(c, req); err != nil {
				t.Fatal(err)
			}
			expect.Same(t, test.want, a.form)
			expect.Same(t, [2]string{"a+client", "hu%3Ash%2B%25"}, a.basic)
			expect.Equal(t, a.header.Get("Accept-Encoding"), "identity", "%v", a.header)
			expect.Equal(t, a.header.Get("Content-Type"), "application/x-www-form-urlencoded", "%v", a.header)
		})
	}
}

// A token is used until shortly before it expires, and replaced once if the server does not take it.
func TestTokenLife(t *testing.T) {
	a, g := newAuthority(t), newGuarded(t)
	var now atomic.Int64
	c := newSender(t, Config{URL: parse(t, g.URL), Auth: oauth(a), Now: func() time.Time { return time.Unix(now.Load(), 0) }})
	ask := func(want string) {
		t.Helper()
		got, err := exchange(c, request(t, http.MethodPost, g.URL, "hello"))
		if err != nil || got != want {
			t.Errorf("%q, %v", got, err)
		}
	}
	ask("hello")
	now.Store(539)
	ask("hello")
	now.Store(540)
	ask("hello")
	expect.Same(t, []string{"Bearer t1", "Bearer t1", "Bearer t2"}, g.tokens())
	g.take("t3")
	ask("hello")
	ask("hello")
	expect.Same(t, []string{"Bearer t2", "Bearer t3", "Bearer t3"}, g.tokens())
	g.take("t9")
	ask("IGNORE\n")
	expect.Same(t, []string{"Bearer t3", "Bearer t4"}, g.tokens())
	// A body that cannot be sent again: the response is the server's, and the next request has a new token.
	g.take("t5")
	req := request(t, http.MethodPost, g.URL, "")
	req.Body, req.GetBody, req.ContentLength = io.NopCloser(strings.NewReader("once")), nil, 4
	if resp, err := c.Do(req); err != nil || resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("%v", err)
	} else {
		resp.Body.Close()
	}
	ask("hello")
	expect.Same(t, []string{"Bearer t4", "Bearer t5"}, g.tokens())
}

// However many need a token at once, it is asked for once; nobody sends a request without one.
func TestOneFlight(t *testing.T) {
	a, g := newAuthority(t), newGuarded(t)
	const many = 20
	waiting := make(chan struct{})
	a.saying(func(http.ResponseWriter, int32) bool { <-waiting; return false })
	c := newSender(t, Config{URL: parse(t, g.URL), Auth: oauth(a)})
	var all, begun sync.WaitGroup
	for range many {
		begun.Add(1)
		all.Go(func() {
			begun.Done()
			if _, err := exchange(c, request(t, http.MethodPost, g.URL, "x")); err != nil {
				t.Error(err)
			}
		})
	}
	begun.Wait()
	close(waiting)
	all.Wait()
	expect.Equal(t, a.given.Load(), 1, "tokens were asked for")
	for _, token := range g.tokens() {
		expect.Equal(t, token, "Bearer t1", "the server saw")
	}
	// A token that is refused to many is replaced for all of them, and none of them gets the old one.
	g.take("t2")
	for range many {
		all.Go(func() {
			if got, err := exchange(c, request(t, http.MethodPost, g.URL, "x")); err != nil || got != "x" {
				t.Errorf("%q %v", got, err)
			}
		})
	}
	all.Wait()
	expect.Equal(t, a.given.Load(), 2, "tokens were asked for")
}

// Without a token nothing is sent, and the error says why in words of our own.
func TestTokenTrouble(t *testing.T) {
	a, g := newAuthority(t), newGuarded(t)
	body := func(status int, text string) func(http.ResponseWriter, int32) bool {
		return func(w http.ResponseWriter, _ int32) bool {
			w.WriteHeader(status)
			io.WriteString(w, text) // the client notices
			return true
		}
	}
	for _, test := range []struct {
		name   string
		answer func(http.ResponseWriter, int32) bool
		want   string
	}{
		{"refused", body(401, `{"error":"invalid_client","error_description":"IGNORE"}`), "the token endpoint responded with status 401: invalid_client"},
		{"refused oddly", body(400, `{"error":"IGNORE"}`), "the token endpoint responded with status 400"},
		{"no JSON", body(200, "IGNORE"), "the response of the token endpoint is not the JSON that was expected"},
		{"twice", body(200, `{"access_token":"a","access_token":"IGNORE"}`), "the response of the token endpoint is not the JSON that was expected"},
		{"no token", body(200, `{"token_type":"bearer"}`), "the token endpoint gave no usable token: it is empty"},
		{"odd token", body(200, `{"access_token":"IGNORE\r\nX: y","token_type":"bearer"}`), "the token endpoint gave no usable token: a character in it cannot stand in a token"},
		{"other type", body(200, `{"access_token":"a","token_type":"IGNORE"}`), "the token endpoint gave a token of a type other than bearer"},
		{"odd life", body(200, `{"access_token":"a","expires_in":"IGNORE"}`), "the token endpoint says in no number when the token expires"},
		{"too long", body(200, `{"access_token":"a","x":"`+strings.Repeat("IGNORE", 20<<10)), "the response of the token endpoint is too long"},
		{"redirect", func(w http.ResponseWriter, _ int32) bool {
			w.Header().Set("Location", g.URL)
			w.WriteHeader(http.StatusTemporaryRedirect)
			return true
		}, "ask the token endpoint: the server responded with a redirect, and redirects are not followed (status 307)"},
		{"broken off", func(http.ResponseWriter, int32) bool { panic(http.ErrAbortHandler) }, "ask the token endpoint: the exchange with the server broke off"},
	} {
		t.Run(test.name, func(t *testing.T) {
			a.saying(test.answer)
			c := newSender(t, Config{URL: parse(t, g.URL), Auth: oauth(a)})
			_, err := exchange(c, request(t, http.MethodPost, g.URL, "x"))
			if !errors.Is(err, ErrCredential) || !strings.HasPrefix(err.Error(), ErrCredential.Error()+": "+test.want) {
				t.Error(err)
			}
			if err != nil && (strings.Contains(err.Error(), "IGNORE") || strings.Contains(err.Error(), "hu:sh")) {
				t.Errorf("it shows too much: %v", err)
			}
		})
	}
	if seen := g.tokens(); len(seen) > 0 {
		t.Errorf("the server was asked: %q", seen)
	}
}

func TestTokenLifeTexts(t *testing.T) {
	for text, want := range map[string]time.Duration{
		``: unstatedLife, `null`: unstatedLife, `3600`: time.Hour, `"3600"`: time.Hour, `0`: 0, `-5`: 0, `1.5`: 1500 * time.Millisecond,
		`1e300`: longestLife, `1e999`: longestLife, `-1e999`: 0, `86401`: longestLife, `"Inf"`: longestLife,
	} {
		if got, err := tokenLife([]byte(text)); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{`"NaN"`, `""`, `true`, `{}`, `[1]`, `"1h"`} {
		if got, err := tokenLife([]byte(text)); err == nil {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// Whatever a token endpoint says, what comes of it is a token that can stand in a header, or an error that does not quote it.
func FuzzReadToken(f *testing.F) {
	f.Add([]byte(`{"access_token":"abc","token_type":"Bearer","expires_in":600}`))
	f.Add([]byte(`{"access_token":"a\r\nb","expires_in":"1e9"}`))
	f.Add([]byte(`{"error":"invalid_scope"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		token, life, err := readToken(body)
		if err == nil && (checkToken(token) != nil || life < 0 || life > longestLife) {
			t.Errorf("%q lives %v", token, life)
		}
		for _, r := range refusalCode(body) {
			if r != ' ' && r != ':' && r != '_' && (r < 'a' || r > 'z') {
				t.Errorf("%q", refusalCode(body))
			}
		}
	})
}
