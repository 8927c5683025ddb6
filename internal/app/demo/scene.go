package demo

import (
	"fmt"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/anthropic"
	"github.com/weir-gate/weir/internal/model/dialect/bedrock"
	"github.com/weir-gate/weir/internal/model/dialect/gemini"
	"github.com/weir-gate/weir/internal/model/dialect/ollama"
	"github.com/weir-gate/weir/internal/model/dialect/openaichat"
	"github.com/weir-gate/weir/internal/model/dialect/openairesponses"
	"github.com/weir-gate/weir/internal/model/wire"
)

// A scene is one turn: what the user asks, and what the scripted model streams, in one format.
type scene struct {
	format dialect.Format
	title  string
	ask    string
	says   []wire.Block
}

// turn returns the request and the response of the n-th scene.
func (s scene) turn(n int) wire.Turn {
	t := wire.Turn{Model: "scripted-model", Prompt: s.ask, ID: fmt.Sprintf("demo_%d", n), Stored: true}
	for i, b := range s.says {
		b.ID = fmt.Sprintf("demo_%d_%d", n, i)
		t.Blocks = append(t.Blocks, b)
	}
	return t
}

// policyText is the policy of the demo. It is an ordinary policy.
const policyText = `version: 1
default: allow
rules:
  - id: no-dropping
    tool: "drop_*"
    verdict: deny
    reason: Databases are not dropped from here.
  - id: no-destruction
    tool: Bash
    conditions:
      any:
        - {param_path: command, operator: matches, value: 'rm\s+-rf\s+/'}
    verdict: deny
    reason: Destructive shell commands are not allowed here.
`

// scenes returns all scenes.
func scenes() []scene { return append(messageScenes(), otherWires()...) }

// messageScenes returns scenes that show what weir does, in one format.
func messageScenes() []scene {
	return []scene{
		{
			format: anthropic.Format(),
			title:  "text and an allowed call: text is live, the call arrives whole",
			ask:    "What is in the notes?",
			says: []wire.Block{
				wire.Text("I will ", "read the ", "notes."),
				wire.Call("Read", `{"file_`, `path":"notes`, `.txt"}`),
			},
		},
		{
			format: anthropic.Format(),
			title:  "a call that its name alone denies: refused before its arguments are there",
			ask:    "Clean up the test database.",
			says:   []wire.Block{wire.Call("drop_database", `{"name":`, `"production"}`)},
		},
		{
			format: anthropic.Format(),
			title:  "a call that only its last piece gives away: held, then refused",
			ask:    "Free some disk space.",
			says: []wire.Block{
				wire.Text("Looking at ", "the disk."),
				wire.Call("Bash", `{"command":"du -sh `, `/var/log && `, `rm -rf`, ` /"}`),
			},
		},
		{
			format: anthropic.Format(),
			title:  "parallel calls: each is judged by itself, the turn stays whole",
			ask:    "Weather, time, and delete the logs.",
			says: []wire.Block{
				wire.Call("get_weather", `{"city":`, `"Ghent"}`),
				wire.Call("Bash", `{"command":`, `"rm -rf /var/log"}`),
				wire.Call("get_time", `{"tz":"Eur`, `ope/Brussels"}`),
			},
		},
	}
}

// otherWires returns scenes in the other formats.
func otherWires() []scene {
	return []scene{
		{
			format: openaichat.Format(),
			title:  "the same in OpenAI's format: its calls have no end of their own, and are held until they are whole",
			ask:    "Weather, and free some disk space.",
			says: []wire.Block{
				wire.Text("Both ", "at once."),
				wire.Call("get_weather", `{"city":`, `"Ghent"}`),
				wire.Call("Bash", `{"command":"ls && `, `rm -rf`, ` /"}`),
			},
		},
		{
			format: openairesponses.Format(),
			title:  "and in OpenAI's newer one, which repeats every call and stores it: refused wherever it shows",
			ask:    "Drop the old database, then tell me the time.",
			says: []wire.Block{
				wire.Call("drop_database", `{"name":`, `"old"}`),
				wire.Call("get_time", `{"tz":`, `"Europe/Brussels"}`),
			},
		},
		{
			format: gemini.Format(),
			title:  "Gemini sends a call in one piece, and it is held all the same",
			ask:    "Weather, and free some disk space.",
			says: []wire.Block{
				wire.Text("Both."),
				wire.Call("get_weather", `{"city":"Ghent"}`),
				wire.Call("Bash", `{"command":"rm -rf /"}`),
			},
		},
		{
			format: bedrock.Format(),
			title:  "Amazon Bedrock packs its frames in binary messages with checksums: the notice comes packed the same way",
			ask:    "Read the notes, and drop the old database.",
			says: []wire.Block{
				wire.Call("Read", `{"file_path":`, `"notes.txt"}`),
				wire.Call("drop_database", `{"name":`, `"old"}`),
			},
		},
		{
			format: ollama.Format(),
			title:  "and a model on your own machine, in lines of JSON",
			ask:    "Free some disk space.",
			says: []wire.Block{
				wire.Text("On ", "it."),
				wire.Call("Bash", `{"command":"rm -rf / --no-preserve-root"}`),
			},
		},
	}
}
