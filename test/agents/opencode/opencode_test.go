package opencode

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/test/agents"
	"github.com/weir-gate/weir/test/agents/model"
)

// page is what users read.
const page agents.Page = "../../../docs/opencode.md"

// A provider is one of those that opencode has, and so a wire format.
type provider struct {
	name     string
	model    string // as opencode names it
	wire     model.Wire
	upstream string
	keyVar   string // where opencode looks for a key
	example  int    // which of the configurations on the page is for it
	write    func(id, file string) model.Call
	control  bool // one is enough to show that nothing else keeps opencode from what is refused
}

var providers = []provider{
	{"Anthropic", "anthropic/claude-sonnet-4-5", model.Messages{}, "anthropic", "ANTHROPIC_API_KEY", 0, write, false},
	{"Google", "google/gemini-3.1-pro-preview", model.Gemini{Signed: true}, "gemini", "GOOGLE_GENERATIVE_AI_API_KEY", 0, write, false},
	{"OpenAI", "openai/gpt-5.5", model.Responses{}, "openai", "OPENAI_API_KEY", 0, patch, false},
	{"OpenAI Chat", "weir/gpt-5.5", model.Chat{}, "openai", "OPENAI_API_KEY", 1, patch, true},
}

func TestOpenCode(t *testing.T) {
	binary := need.OpenCode(t, ".", "opencode")
	weir := need.Weir(t)
	for _, p := range providers {
		stage := agents.Stage{
			Weir: weir, Wire: p.wire, Upstream: p.upstream,
			Agent: func(t *testing.T, address string) agents.Agent { return p.agent(t, binary, address) },
		}
		for _, s := range agents.WithControls(p.scenes(t)) {
			t.Run(p.name+"/"+s.Name, func(t *testing.T) {
				t.Parallel()
				stage.Play(t, s)
			})
		}
	}
}

// agent is an opencode that is led through a weir.
func (p provider) agent(t *testing.T, binary, address string) agents.Agent {
	t.Helper()
	a := agents.Agent{
		Home: t.TempDir(), Read: read,
		Env:     []string{p.keyVar + "=" + agents.Key},
		Command: p.command(binary),
	}
	config := page.Examples(t, "json", 2)[p.example]
	agents.Put(t, strings.ReplaceAll(config, agents.Documented, address), a.Home, ".config", "opencode", "opencode.json")
	return a
}

// command is how opencode is started with a prompt.
func (p provider) command(binary string) func(goOn bool, prompt string) []string {
	return func(goOn bool, prompt string) []string {
		args := []string{binary, "run", "--auto", "--format", "json", "--model", p.model}
		if goOn {
			args = append(args, "--continue")
		}
		return append(args, prompt)
	}
}

// read reads the events that opencode prints, one in a line.
func read(printed string) (agents.Outcome, error) {
	var o agents.Outcome
	for _, line := range agents.Lines(printed) {
		var event struct {
			Type string `json:"type"`
			Part struct {
				Text string `json:"text"`
				Tool string `json:"tool"`
			} `json:"part"`
		}
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			return o, err
		}
		switch event.Type {
		case "text":
			o.Say(event.Part.Text)
		case "tool_use":
			o.Acts = append(o.Acts, event.Part.Tool)
		}
	}
	return o, nil
}
