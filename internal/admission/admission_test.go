package admission

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

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
