package runcmd

import (
	"strings"
	"testing"
)

// What is printed of settings has no secrets in it.
func TestMasked(t *testing.T) {
	text := `{"mcpServers":{"x":{"command":"weir","args":["mcp"],"env":{"GITHUB_TOKEN":"s3cret","WEIR_SOCKET":"@weir"}},
		"y":{"url":"https://a.example","headers":{"Authorization":"Bearer s3cret"}}},
		"provider":{"corp":{"options":{"apiKey":"s3cret","baseURL":"http://127.0.0.1:1/k/ses_x"}}},"env":{"ANTHROPIC_BASE_URL":"http://127.0.0.1:1"}}`
	got := masked(text)
	if strings.Contains(got, "s3cret") {
		t.Error(got)
	}
	for _, kept := range []string{`"@weir"`, `"https://a.example"`, `"http://127.0.0.1:1/k/ses_x"`, `"http://127.0.0.1:1"`, `"mcp"`} {
		if !strings.Contains(got, kept) {
			t.Errorf("%s is gone: %s", kept, got)
		}
	}
	if plain := "no JSON at all"; masked(plain) != plain {
		t.Error("what is no JSON is another")
	}
}
