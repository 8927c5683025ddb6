package codex

import (
	"fmt"
	"testing"

	"github.com/weir-gate/weir/test/agents"
	"github.com/weir-gate/weir/test/agents/model"
)

func TestMain(m *testing.M) { agents.Main(m) }

// fileServerConfig has Codex start the MCP server fs.
func fileServerConfig() string {
	program, args := agents.FileServer()
	return fmt.Sprintf("\n[mcp_servers.fs]\ncommand = %q\nargs = %s\n", program, model.Encode(args))
}
