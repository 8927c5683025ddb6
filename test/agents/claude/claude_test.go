package claude

import (
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/test/agents"
	"github.com/weir-gate/weir/test/agents/model"
)

// page is what users read.
const page agents.Page = "../../../docs/claude-code.md"

func TestClaudeCode(t *testing.T) {
	binary := need.ClaudeCode(t, ".", "Claude Code")
	stage := agents.Stage{
		Weir: need.Weir(t), Wire: model.Messages{}, Upstream: "anthropic",
		Agent: func(t *testing.T, address string) agents.Agent { return agent(t, binary, address) },
	}
	for _, s := range agents.WithControls(scenes(t)) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			checkRetry(t, s, stage.Play(t, s).Asked)
		})
	}
}

// checkRetry wants Claude Code to ask for a stream, and after one that failed for a whole answer: no other test shows
// that weir judges that too.
func checkRetry(t *testing.T, s agents.Scene, asked []model.Asked) {
	t.Helper()
	for i, a := range asked {
		if want := i != 1 || len(s.Begin) == 1; a.History.Stream != want {
			t.Errorf("request %d wants a stream: %v", i+1, a.History.Stream)
		}
	}
}

// agent is a Claude Code that is led through a weir.
func agent(t *testing.T, binary, address string) agents.Agent {
	t.Helper()
	return agents.Agent{
		Home: t.TempDir(), Read: read,
		Env:     append(page.Variables(t, address), "ANTHROPIC_API_KEY="+agents.Key, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"),
		Command: command(binary, "Bash,Write"),
	}
}

// command is how Claude Code is started with a prompt. It may use tools without asking.
func command(binary, tools string) func(goOn bool, prompt string) []string {
	return func(goOn bool, prompt string) []string {
		args := []string{binary, "-p", prompt, "--output-format", "stream-json", "--verbose", "--allowedTools", tools}
		if goOn {
			args = append(args, "--continue")
		}
		return args
	}
}

// read reads the messages that Claude Code prints, one in a line.
func read(printed string) (agents.Outcome, error) {
	var o agents.Outcome
	for _, line := range agents.Lines(printed) {
		var event struct {
			Type    string `json:"type"`
			Message struct {
				Content []struct {
					Type string `json:"type"`
					Text string `json:"text"`
					Name string `json:"name"`
				} `json:"content"`
			} `json:"message"`
		}
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			return o, err
		}
		if event.Type != "assistant" {
			continue
		}
		for _, b := range event.Message.Content {
			switch b.Type {
			case "text":
				o.Say(b.Text)
			case "tool_use":
				o.Acts = append(o.Acts, b.Name)
			}
		}
	}
	return o, nil
}
