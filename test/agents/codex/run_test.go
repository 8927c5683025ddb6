package codex

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/test/agents"
	"github.com/weir-gate/weir/test/agents/model"
)

func TestRun(t *testing.T) {
	binary := need.Codex(t, ".", "the Codex CLI under weir run")
	weir := need.Weir(t)
	stage := func(slug string) agents.Run {
		return agents.Run{
			Weir: weir, Name: "codex", Wire: model.Responses{}, Upstream: "openai", Tools: tools, Waits: true,
			Agent: func(t *testing.T, home, lead string) agents.Agent { return plain(t, binary, home, lead, slug) },
		}
	}
	t.Run("a command that Codex does not permit", func(t *testing.T) {
		t.Parallel()
		stage(toolModel).Stops(t, func(t *testing.T, a agents.Agent, _ string) agents.Agent {
			t.Helper()
			agents.Put(t, "prefix_rule(pattern=[\"touch\"], decision=\"forbidden\")\n", a.Home, ".codex", "rules", "default.rules")
			a.Command = func(_ bool, prompt string) []string {
				return []string{binary, "exec", "--json", "--skip-git-repo-check", prompt}
			}
			return a
		})
	})
	stage(toolModel).PlayAll(t, played(toolModel))
	code := stage(codeModel)
	code.Starts = true
	for _, s := range played(codeModel) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			code.Play(t, s)
		})
	}
}

// played are the scenes that weir run makes a difference to, for a model.
func played(slug string) []agents.Scene {
	next := []model.Call{shell("call_next", "next.txt")}
	if slug == codeModel {
		return []agents.Scene{
			{
				Name: "code denied by its input", Policy: noInput,
				Begin: agents.Asks(script("call_1", "forbidden.txt").RefusedBy("no-input", "args_denied")),
				Then:  []model.Call{script("call_next", "next.txt")},
			},
			{
				Name: "code that calls an MCP server", Policy: noServer,
				Begin: agents.Asks(serverScript("call_1", "write_file", "forbidden.txt").RefusedBy("no-server", "args_denied").Naming("mcp__fs__write_file")),
				Then:  []model.Call{serverScript("call_next", "append_file", "next.txt")},
			},
		}
	}
	return []agents.Scene{
		{
			Name: "a command denied by its name", Policy: noShell,
			Begin: agents.Asks(shell("call_1", "forbidden.txt").RefusedBy("no-shell", "tool_denied")),
			Then:  []model.Call{patch("call_next", "next.txt")},
		},
		{
			Name: "two commands, the first denied", Policy: noWords, Then: next,
			Begin: agents.Asks(shell("call_1", "forbidden.txt").RefusedBy("no-words", "args_denied"), shell("call_2", "made.txt")),
		},
	}
}

// plain is a Codex of a user who has a key and an MCP server.
func plain(t *testing.T, binary, home, lead, slug string) agents.Agent {
	t.Helper()
	a := agents.Agent{
		Read: read, Command: command(binary), Env: []string{"CODEX_API_KEY=" + agents.Key},
		Config: []string{filepath.Join(home, ".codex", "config.toml")},
	}
	config := fmt.Sprintf("model = %q\n", slug)
	if lead != "" {
		config += fmt.Sprintf(`model_provider = "direct"

[model_providers.direct]
name = "direct"
base_url = "%s/v1"
env_key = "CODEX_API_KEY"
wire_api = "responses"
supports_websockets = false
`, lead)
	}
	agents.Put(t, config+fileServerConfig(), a.Config[0])
	return a
}
