package opencode

import (
	"path/filepath"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/test/agents"
	"github.com/weir-gate/weir/test/agents/model"
)

func TestMain(m *testing.M) { agents.Main(m) }

// TestRun plays few scenes, since opencode takes its time.
func TestRun(t *testing.T) {
	binary := need.OpenCode(t, ".", "opencode under weir run")
	p := providers[0]
	stage := agents.Run{
		Weir: need.Weir(t), Name: "opencode", Wire: p.wire, Upstream: p.upstream, Tools: p.tools(), Slow: true,
		Agent: func(t *testing.T, home, lead string) agents.Agent { return p.plain(t, binary, home, lead) },
	}
	t.Run("a command that opencode does not permit", func(t *testing.T) {
		t.Parallel()
		stage.Stops(t, func(t *testing.T, a agents.Agent, lead string) agents.Agent {
			t.Helper()
			agents.Put(t, model.Encode(map[string]any{
				"permission": map[string]any{"bash": map[string]any{"*": "allow", "touch *": "deny"}},
				"provider":   map[string]any{"anthropic": map[string]any{"options": map[string]any{"baseURL": lead + "/v1"}}},
			}), a.Config[0])
			return a
		})
	})
	stage.PlayAll(t, []agents.Scene{p.tools().Documented(t, page)})
}

// plain is an opencode of a user who has a key and an MCP server.
func (p provider) plain(t *testing.T, binary, home, lead string) agents.Agent {
	t.Helper()
	a := agents.Agent{
		Read: read, Command: p.command(binary), Env: []string{p.keyVar + "=" + agents.Key},
		Config: []string{filepath.Join(home, ".config", "opencode", "opencode.json")},
	}
	program, args := agents.FileServer()
	config := map[string]any{
		"$schema": "https://opencode.ai/config.json",
		"mcp":     map[string]any{"fs": map[string]any{"type": "local", "command": append([]string{program}, args...)}},
	}
	if lead != "" {
		config["provider"] = map[string]any{"anthropic": map[string]any{"options": map[string]any{"baseURL": lead + "/v1"}}}
	}
	agents.Put(t, model.Encode(config), a.Config[0])
	return a
}
