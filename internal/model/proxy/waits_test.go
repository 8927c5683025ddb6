package proxy

import (
	"net/http"
	"testing"
	"time"
)

func TestBears(t *testing.T) {
	for agent, want := range map[string]time.Duration{
		"claude-cli/2.1.325 (external, cli)":           0,
		"codex_cli_rs/0.166.0 (Debian 13.0; x86_64) x": 0,
		"GeminiCLI/0.61.0/gemini-3 (linux; x64)":       0,
		"opencode/1.18.33":                             0,
		"OpenAI/Python 3.49.0":                         0,
		"curl/8.5":                                     unknownBearing,
		"":                                             unknownBearing,
		"Mozilla/5.0 (compatible) claude-cli/2.1.325 x": unknownBearing,
	} {
		r := &http.Request{Header: http.Header{"User-Agent": {agent}}}
		if got := bears(r); got != want {
			t.Errorf("%q waits %v, want %v", agent, got, want)
		}
	}
}
