package gemini

import (
	"path/filepath"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/test/agents"
	"github.com/weir-gate/weir/test/agents/model"
)

func TestMain(m *testing.M) { agents.Main(m) }

func TestRun(t *testing.T) {
	script := need.GeminiCLI(t, ".", "the Gemini CLI under weir run")[1]
	// The program as users start it, by a link of its name.
	program := filepath.Join(filepath.Dir(script), "..", "..", "..", ".bin", "gemini")
	stage := agents.Run{
		Weir: need.Weir(t), Name: "gemini", Wire: model.Gemini{Signed: true}, Upstream: "gemini", Tools: tools,
		Agent: func(t *testing.T, home, lead string) agents.Agent { return plain(t, program, home, lead) },
	}
	stage.PlayAll(t, []agents.Scene{tools.DeniedByName(), tools.Documented(t, page)})
}

// plain is a Gemini CLI of a user who has a key and an MCP server.
func plain(t *testing.T, program, home, lead string) agents.Agent {
	t.Helper()
	a := agents.Agent{
		Read: read, Command: command([]string{program}, "gemini-3-pro-preview"),
		Env:    []string{"GEMINI_API_KEY=" + agents.Key, "GEMINI_CLI_NO_RELAUNCH=true"},
		Config: []string{filepath.Join(home, ".gemini", "settings.json")},
	}
	if lead != "" {
		a.Env = append(a.Env, "GOOGLE_GEMINI_BASE_URL="+lead)
	}
	server, args := agents.FileServer()
	agents.Put(t, model.Encode(map[string]any{
		"general":    map[string]any{"maxAttempts": 1}, // where weir is gone, it need not be asked ten times
		"security":   map[string]any{"auth": map[string]any{"selectedType": "gemini-api-key"}},
		"mcpServers": map[string]any{"fs": map[string]any{"command": server, "args": args}},
	}), a.Config[0])
	return a
}
