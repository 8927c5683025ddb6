package mcp

import (
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/program"
)

// guarded is a server that demands credentials, as it says of itself.
type guarded struct {
	URL         string `json:"url"`
	Fingerprint string `json:"fingerprint"`
}

// startGuarded starts the program of the folder go/guarded.
func (k kit) startGuarded(t *testing.T) guarded {
	t.Helper()
	cmd := exec.Command(k.guarded)
	cmd.Env = program.Environment(t.TempDir())
	var g guarded
	if err := json.Unmarshal([]byte(startReader(t, cmd)), &g); err != nil {
		t.Fatal(err)
	}
	return g
}

// server is the guarded one at the path that demands a kind of credential, with what is declared for it.
func (g guarded) server(kind string, auth map[string]any) server {
	extra := map[string]any{"tls_fingerprint": g.Fingerprint}
	if auth != nil {
		extra["auth"] = auth
	}
	return server{id: kind, kind: "http", endpoint: g.URL + "/" + kind + "/mcp", extra: extra}
}

// oauth is a declaration of the client credentials grant.
func (g guarded) oauth(secret string) map[string]any {
	return map[string]any{"type": "oauth_client_credentials", "token_url": g.URL + "/token", "client_id": "weir test", "client_secret": secret}
}

// testCredentials checks that a server gets the credential that is declared for it and none of the caller's; with passthrough
// the caller's.
func testCredentials(t *testing.T, k kit) {
	g := k.startGuarded(t)
	servers := []server{
		g.server("none", nil),
		g.server("bearer", map[string]any{"type": "bearer", "token": "${WEIR_TEST_SECRET}"}),
		g.server("basic", map[string]any{"type": "basic", "username": "ann", "password": "${WEIR_TEST_SECRET}"}),
		g.server("header", map[string]any{"type": "api_key", "in": "header", "name": "X-Key", "value": "${WEIR_TEST_SECRET}"}),
		g.server("query", map[string]any{"type": "api_key", "in": "query", "name": "key", "value": "${WEIR_TEST_SECRET}"}),
		g.server("cookie", map[string]any{"type": "api_key", "in": "cookie", "name": "key", "value": "${WEIR_TEST_SECRET}"}),
		g.server("passthrough", map[string]any{"type": "passthrough"}),
		g.server("oauth", g.oauth("${WEIR_TEST_SECRET}")),
	}
	w := startWeir(t, k.weir, here(), nil, servers...)
	c := client{"go", func(*testing.T) []string { return []string{k.goClient} }}
	for _, s := range servers {
		t.Run(s.id, func(t *testing.T) {
			j := job{
				Headers: map[string]string{"Authorization": "Bearer of-the-caller", "Cookie": "a=b"},
				Steps:   []step{{Do: "call", Name: "greet"}},
			}
			if lines := throughWeir(t, w, gateway, c, s, j); !strings.Contains(lines[1], "welcome") {
				t.Errorf("the client saw %s", lines[1])
			}
		})
	}
}

// testWrongCredentials checks that without its credential, or with another certificate, a server is not spoken to. The client is
// told so, and no secret.
func testWrongCredentials(t *testing.T, k kit) {
	g := k.startGuarded(t)
	const wrong = "hushhush"
	other := g.server("bearer", map[string]any{"type": "bearer", "token": "${WEIR_TEST_SECRET}"})
	other.id, other.extra["tls_fingerprint"] = "other-certificate", "sha256:"+strings.Repeat("00", 32)
	unpinned := g.server("bearer", map[string]any{"type": "bearer", "token": "${WEIR_TEST_SECRET}"})
	unpinned.id = "unpinned"
	delete(unpinned.extra, "tls_fingerprint")
	servers := []server{
		g.server("bearer", map[string]any{"type": "bearer", "token": wrong}), g.server("oauth", g.oauth(wrong)), other, unpinned,
		{id: "metadata", kind: "http", endpoint: "http://169.254.169.254/mcp"},
	}
	tell := map[string]string{
		"bearer":            "it did not take the credential that weir has for it",
		"oauth":             "the token endpoint responded with status 401: invalid_client",
		"other-certificate": "it presents " + g.Fingerprint,
		"unpinned":          "the server's certificate is for another name",
		"metadata":          "169.254.169.254 is a link-local address",
	}
	w := startWeir(t, k.weir, here(), nil, servers...)
	for _, s := range servers {
		t.Run(s.id, func(t *testing.T) {
			status, told := initialize(t, w.gateway(job{}, s).URL)
			if status != http.StatusOK || !strings.Contains(told, `"code":-32603`) || !strings.Contains(told, tell[s.id]) {
				t.Errorf("the client was told %d: %s", status, told)
			}
			if strings.Contains(told, wrong) || strings.Contains(told, "who are you") {
				t.Errorf("the client was told too much: %s", told)
			}
		})
	}
	log := w.Stop(t)
	if strings.Contains(log, wrong) {
		t.Errorf("the log has a secret in it:\n%s", log)
	}
	if !strings.Contains(log, g.Fingerprint) {
		t.Errorf("the log does not say which certificate was presented:\n%s", log)
	}
}

// initialize asks for a session, as a client does, and returns the status and body of the answer.
func initialize(t *testing.T, url string) (status int, body string) {
	t.Helper()
	const text = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"weir-test","version":"1.0.0"}}}`
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(all)
}
