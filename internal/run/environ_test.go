package run

import (
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/run/agent"
)

// The agent has the user's environment, without what is weir's, and with what leads it.
func TestEnviron(t *testing.T) {
	env := []string{"MINE=1", "WEIR_KEY=k", "TOKEN=secret", "OLD=x", "ANTHROPIC_BASE_URL=elsewhere", "NO_PROXY=corp.example"}
	r := &running{
		cfg: Config{Env: env, Surroundings: agent.Surroundings{Lookup: func(name string) (string, bool) {
			for _, e := range env {
				if v, ok := strings.CutPrefix(e, name+"="); ok {
					return v, true
				}
			}
			return "", false
		}}},
		scratch: &scratch{dir: "scratch"},
		session: &session{request: control.SessionRequest{ID: "run-1"}, response: control.SessionResponse{Secrets: []string{"TOKEN"}}},
		launch:  agent.Launch{Set: map[string]string{"ANTHROPIC_BASE_URL": "here"}, Unset: []string{"OLD"}},
	}
	got := r.environ(map[string]string{"HTTPS_PROXY": "proxy"})
	for _, want := range []string{
		"MINE=1", "ANTHROPIC_BASE_URL=here", "HTTPS_PROXY=proxy", "WEIR_SESSION=run-1", "NO_PROXY=corp.example,127.0.0.1,localhost,::1",
		"no_proxy=127.0.0.1,localhost,::1",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not among %q", want, got)
		}
	}
	for _, gone := range []string{"WEIR_KEY=", "TOKEN=", "OLD=", "ANTHROPIC_BASE_URL=elsewhere", "NO_PROXY=corp.example"} {
		if slices.ContainsFunc(got, func(e string) bool { return e == gone || strings.HasSuffix(gone, "=") && strings.HasPrefix(e, gone) }) {
			t.Errorf("%s is still among %q", gone, got)
		}
	}
}
