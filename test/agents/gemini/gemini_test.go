package gemini

import (
	"slices"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/test/agents"
	"github.com/weir-gate/weir/test/agents/model"
)

// page is what users read.
const page agents.Page = "../../../docs/gemini-cli.md"

func TestGeminiCLI(t *testing.T) {
	program := need.GeminiCLI(t, ".", "the Gemini CLI")
	weir := need.Weir(t)
	play := func(name, modelName string, wire model.Gemini, scenes []agents.Scene) {
		stage := agents.Stage{
			Weir: weir, Wire: wire, Upstream: "gemini",
			Agent: func(t *testing.T, address string) agents.Agent { return agent(t, program, address, modelName) },
		}
		for _, s := range agents.WithControls(scenes) {
			t.Run(name+"/"+s.Name, func(t *testing.T) {
				t.Parallel()
				stage.Play(t, s)
			})
		}
	}
	play("Gemini 2", "gemini-2.5-pro", model.Gemini{}, unsignedScenes())
	play("Gemini 3", "gemini-3-pro-preview", model.Gemini{Signed: true}, signedScenes(t))
}

// agent is a Gemini CLI that is led through a weir.
func agent(t *testing.T, program []string, address, modelName string) agents.Agent {
	t.Helper()
	a := agents.Agent{
		Home: t.TempDir(), Read: read,
		// The last one: it would start itself once more, with another limit of memory.
		Env:     append(page.Variables(t, address), "GEMINI_API_KEY="+agents.Key, "GEMINI_CLI_NO_RELAUNCH=true"),
		Command: command(program, modelName),
	}
	agents.Put(t, page.Examples(t, "json", 1)[0], a.Home, ".gemini", "settings.json")
	return a
}

// command is how the Gemini CLI is started with a prompt.
func command(program []string, modelName string) func(goOn bool, prompt string) []string {
	return func(goOn bool, prompt string) []string {
		args := append(slices.Clone(program), "-m", modelName, "--approval-mode", "yolo", "--skip-trust", "--output-format", "stream-json")
		if goOn {
			args = append(args, "--resume", "latest")
		}
		return append(args, "-p", prompt)
	}
}

// read reads the events that the Gemini CLI prints, one in a line.
func read(printed string) (agents.Outcome, error) {
	var o agents.Outcome
	text := ""
	for _, line := range agents.Lines(printed) {
		var event struct {
			Type    string `json:"type"`
			Role    string `json:"role"`
			Content string `json:"content"`
			Tool    string `json:"tool_name"`
		}
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			return o, err
		}
		switch {
		case event.Type == "message" && event.Role == "assistant":
			text += event.Content
		case event.Type == "tool_use":
			o.Acts = append(o.Acts, event.Tool)
		case event.Type == "tool_result":
			text += "\n\n" // another answer follows
		}
	}
	o.Say(text)
	return o, nil
}
