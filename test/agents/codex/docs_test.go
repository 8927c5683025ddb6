package codex

import (
	"testing"

	"github.com/weir-gate/weir/test/agents"
)

// page is what users read.
const page agents.Page = "../../../docs/codex.md"

// A setup is one of the configurations on the page, in their order.
type setup int

const (
	ownProvider     setup = iota // every request is a POST
	builtInProvider              // a WebSocket is tried first
	setups                       // how many there are
)

// keyVar names the variable in which Codex looks for its key.
func (s setup) keyVar() string {
	if s == builtInProvider {
		return "CODEX_API_KEY"
	}
	return "OPENAI_API_KEY"
}

// config is the configuration for a weir and a model of ours.
func (s setup) config(t *testing.T, address, model string) string {
	t.Helper()
	return agents.Fill(t, page.Examples(t, "toml", int(setups))[s], map[string]string{
		agents.Documented: address, `"gpt-5.5"`: `"` + model + `"`,
	})
}
