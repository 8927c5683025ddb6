package codex

import (
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/test/agents"
)

// agent is a Codex that is led through a weir as the scene has it.
func (s scene) agent(t *testing.T, binary, address string) agents.Agent {
	t.Helper()
	config := s.setup.config(t, address, s.model)
	if s.server {
		config += fileServerConfig()
	}
	a := agents.Agent{Home: t.TempDir(), Read: read, Command: command(binary)}
	a.Env = []string{"CODEX_HOME=" + a.Home, s.setup.keyVar() + "=" + agents.Key}
	agents.Put(t, config, a.Home, "config.toml")
	return a
}

// command is how Codex is started with a prompt.
func command(binary string) func(goOn bool, prompt string) []string {
	return func(goOn bool, prompt string) []string {
		args := []string{binary, "exec"}
		if goOn {
			args = append(args, "resume", "--last")
		}
		return append(args, "--json", "--strict-config", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt)
	}
}

// read reads the events that Codex prints, one in a line.
func read(printed string) (agents.Outcome, error) {
	var o agents.Outcome
	for _, line := range agents.Lines(printed) {
		var event struct {
			Type string `json:"type"`
			Item struct {
				Type string `json:"type"`
				Text string `json:"text"`
			} `json:"item"`
		}
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			return o, err
		}
		switch {
		case event.Type == "error":
			o.Retries++
		case event.Type == "item.completed" && event.Item.Type == "agent_message":
			o.Say(event.Item.Text)
		case event.Type == "item.started":
			o.Acts = append(o.Acts, event.Item.Type)
		}
	}
	return o, nil
}
