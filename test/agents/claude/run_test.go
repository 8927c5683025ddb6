package claude

import (
	"path/filepath"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/test/agents"
	"github.com/weir-gate/weir/test/agents/model"
)

func TestMain(m *testing.M) { agents.Main(m) }

func TestRun(t *testing.T) {
	binary := need.ClaudeCode(t, ".", "Claude Code under weir run")
	stage := agents.Run{
		Weir: need.Weir(t), Name: "claude", Wire: model.Messages{}, Upstream: "anthropic", Tools: tools,
		Agent: func(t *testing.T, home, lead string) agents.Agent { return plain(t, binary, home, lead) },
	}
	t.Run("a command that Claude Code does not permit", func(t *testing.T) {
		t.Parallel()
		stage.Stops(t, func(_ *testing.T, a agents.Agent, _ string) agents.Agent {
			a.Command = command(binary, "Write")
			return a
		})
	})
	stage.PlayAll(t, []agents.Scene{tools.Allowed(), tools.DeniedByName(), tools.Documented(t, page)})
}

// plain is a Claude Code of a user who has a key and an MCP server.
func plain(t *testing.T, binary, home, lead string) agents.Agent {
	t.Helper()
	a := agents.Agent{
		Read: read,
		Env: []string{
			"ANTHROPIC_API_KEY=" + agents.Key, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "CLAUDE_CODE_MAX_RETRIES=1",
			"MCP_CONNECT_TIMEOUT_MS=60000", // on a busy machine a server takes longer than the five seconds that it is waited for
		},
		Config:  []string{filepath.Join(home, ".claude", "settings.json"), filepath.Join(home, ".claude.json") + "#mcpServers"},
		Command: command(binary, "Bash,Write,mcp__fs"),
	}
	if lead != "" {
		a.Env = append(a.Env, "ANTHROPIC_BASE_URL="+lead)
	}
	program, serverArgs := agents.FileServer()
	server := map[string]any{"type": "stdio", "command": program, "args": serverArgs, "env": map[string]any{}}
	agents.Put(t, `{"includeCoAuthoredBy": false}`, a.Config[0])
	agents.Put(t, model.Encode(map[string]any{"mcpServers": map[string]any{"fs": server}}), home, ".claude.json")
	return a
}
