package admission

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/call"
)

func TestAnyAddressIsNoName(t *testing.T) {
	a, err := New(Config{Hosts: []string{"0.0.0.0:4141"}})
	if err != nil {
		t.Fatal(err)
	}
	if !a.knowsHost("192.0.2.1:4141") || !a.knowsHost("[2001:db8::1]") || a.knowsHost("evil.example") {
		t.Error("an unspecified address must stand for addresses, and for no name")
	}
}

func TestNewRefuses(t *testing.T) {
	for want, clients := range map[string][]Client{
		"client 1: the key is": {{}},
		"the same key":         {{Key: "a"}, {Key: "a"}},
	} {
		if _, err := New(Config{Clients: clients}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New says %v, want %q", err, want)
		}
	}
}

func TestKeyOf(t *testing.T) {
	for target, want := range map[string][2]string{
		"/mcp/files":                 {"in-header", "/mcp/files"},
		"/k/in-path/mcp/files":       {"in-path", "/mcp/files"},
		"/k/in%20path/mcp/files":     {"in path", "/mcp/files"},
		"/k/in-path":                 {"in-path", "/"},
		"/kx/mcp/files":              {"in-header", "/kx/mcp/files"},
		"/k//mcp/files":              {"", "/mcp/files"},
		"/k/in-path/mcp/fi%2Fles":    {"in-path", "/mcp/fi%2Fles"},
		"/k/in-path/k/other/mcp/fil": {"in-path", "/k/other/mcp/fil"},
	} {
		r := httptest.NewRequest(http.MethodPost, target, nil)
		r.Header.Set(KeyHeader, "in-header")
		if key, path := KeyOf(r); [2]string{key, path} != want {
			t.Errorf("%s: key %q, path %q", target, key, path)
		}
	}
}

func TestReplaceClients(t *testing.T) {
	a, err := New(Config{Clients: []Client{{Key: "one", Actor: call.Actor{Employee: "ann"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.ReplaceClients(nil); err == nil {
		t.Error("the doors are open to everybody")
	}
	if who, ok := a.Identify("one"); !ok || who.Employee != "ann" {
		t.Errorf("before: %+v, %v", who, ok)
	}
	if err := a.ReplaceClients([]Client{{Key: "two"}}); err != nil {
		t.Fatal(err)
	}
	if _, ok := a.Identify("one"); ok {
		t.Error("a key that was taken away is still taken")
	}
	if _, ok := a.Identify("two"); !ok {
		t.Error("a new key is not taken")
	}
}

// TestAdmit pins in which session a request is: what a client names in its header, with its key ahead of it; else that of the key.
func TestAdmit(t *testing.T) {
	a, err := New(Config{Clients: []Client{
		{Key: "key-of-ann", Actor: call.Actor{Key: "ann"}, SessionHeader: "x-session-id"},
		{Key: "key-of-bob", Actor: call.Actor{Key: "bob"}, SessionHeader: "X_SESSION"},
		{Key: "key-of-ci", Actor: call.Actor{Key: "ci"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	token := NewSessionToken()
	a.Open(token, call.Actor{Key: "ann", Session: "run-1"})
	long := strings.Repeat("x", maxSessionName)
	for _, tt := range []struct {
		key    string
		header http.Header
		want   string // session
		status int
	}{
		{"key-of-ann", http.Header{"X-Session-Id": {"one"}}, "ann/one", 0},
		{"key-of-ann", http.Header{"X-Session-Id": {"run-1"}}, "ann/run-1", 0},
		{"key-of-ann", http.Header{"X-Session-Id": {"../bob/one"}}, "ann/..%2Fbob%2Fone", 0},
		{"key-of-ann", http.Header{"X-Session-Id": {long}}, "ann/" + long, 0},
		{"key-of-ann", nil, "ann/-", 0},
		{"key-of-bob", http.Header{"X-Session-Id": {"one"}}, "bob/-", 0},
		{"key-of-bob", http.Header{http.CanonicalHeaderKey("x_session"): {"one"}}, "bob/one", 0},
		{"key-of-ci", http.Header{"X-Session-Id": {"one"}, "": {"two"}}, "ci/-", 0},
		{token, http.Header{"X-Session-Id": {"one"}}, "run-1", 0},
		{"key-of-ann", http.Header{"X-Session-Id": {"one", "two"}}, "", http.StatusBadRequest},
		{"key-of-ann", http.Header{"X-Session-Id": {""}}, "", http.StatusBadRequest},
		{"key-of-ann", http.Header{"X-Session-Id": {"a b"}}, "", http.StatusBadRequest},
		{"key-of-ann", http.Header{"X-Session-Id": {"caf\u00e9"}}, "", http.StatusBadRequest},
		{"key-of-ann", http.Header{"X-Session-Id": {long + "x"}}, "", http.StatusBadRequest},
		{"key-of-eve", http.Header{"X-Session-Id": {"one"}}, "", http.StatusUnauthorized},
	} {
		who, refused := a.Admit(tt.key, tt.header)
		if (refused != nil) != (tt.status != 0) || refused != nil && refused.Status != tt.status || who.Session != tt.want || who.SessionDerived != strings.HasSuffix(tt.want, "/-") {
			t.Errorf("%s with %v: %+v, %+v", tt.key, tt.header, who, refused)
		}
	}
	open, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	if who, refused := open.Admit("", http.Header{"X-Session-Id": {"one"}}); refused != nil || who != (call.Actor{}) {
		t.Errorf("without clients: %+v, %+v", who, refused)
	}
}

// TestHashedKeys pins that a digest admits the owner of its key, until the key expires or is taken away, and that doors which are for
// clients only stay shut while there are none.
func TestHashedKeys(t *testing.T) {
	key, old := NewKey(), NewKey()
	if key == old || !strings.HasPrefix(key, "weir_") || len(key) < 31 {
		t.Fatalf("keys %s and %s", key, old)
	}
	read, ok := ParseDigest(DigestOf(key).String())
	if !ok || read != DigestOf(key) {
		t.Fatalf("%s is read as %s", DigestOf(key), read)
	}
	for _, text := range []string{"", "sha256:", strings.TrimPrefix(DigestOf(key).String(), "sha256:"), DigestOf(key).String() + "0", "sha256:" + strings.Repeat("g", 64)} {
		if _, ok := ParseDigest(text); ok {
			t.Errorf("%q is a digest", text)
		}
	}
	a, err := New(Config{Closed: true})
	if err != nil {
		t.Fatal(err)
	}
	admit := func(key string, status int, says string) {
		t.Helper()
		who, refused := a.Admit(key, nil)
		switch {
		case status == 0 && (refused != nil || who.Employee != "ann"):
			t.Errorf("%+v, %+v", who, refused)
		case status != 0 && (refused == nil || refused.Status != status || !strings.Contains(refused.Message, says)):
			t.Errorf("refused with %+v, want %d and %q", refused, status, says)
		}
	}
	if !a.HasClients() {
		t.Error("the doors are open to everybody")
	}
	admit(key, http.StatusUnauthorized, "does not know")
	admit("", http.StatusUnauthorized, "does not know")
	ann := call.Actor{Employee: "ann"}
	if err := a.ReplaceClients([]Client{{Digest: DigestOf(key), Actor: ann}, {Digest: DigestOf(old), Actor: ann, Expires: time.Now()}}); err != nil {
		t.Fatal(err)
	}
	admit(key, 0, "")
	admit(old, http.StatusUnauthorized, "has expired")
	if _, ok := a.Identify(old); ok {
		t.Error("an expired key identifies somebody")
	}
	if !a.Shows("Bearer "+key) || !a.Shows(old) || a.Shows("weir_"+strings.Repeat("a", 26)) {
		t.Error("a key in a text is not found, or one is found where none is")
	}
	if err := a.ReplaceClients(nil); err != nil {
		t.Error(err)
	}
	admit(key, http.StatusUnauthorized, "does not know")
}
