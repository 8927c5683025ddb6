package demo

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/strictjson"
)

// A scene is one turn: what the user asks, and what the scripted model streams.
type scene struct {
	title string
	ask   string
	units []unit
}

// A unit is one content block of the model's turn: text, or a call whose arguments come in pieces.
type unit struct {
	text   []string
	tool   string
	pieces []string
}

// policyText is the policy of the demo. It is the user's language, nothing is special about it.
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

func scenes() []scene {
	return []scene{
		{
			title: "text and an allowed call: text is live, the call arrives whole",
			ask:   "What is in the notes?",
			units: []unit{
				{text: []string{"I will ", "read the ", "notes."}},
				{tool: "Read", pieces: []string{`{"file_`, `path":"notes`, `.txt"}`}},
			},
		},
		{
			title: "a call that its name alone denies: refused before its arguments are there",
			ask:   "Clean up the test database.",
			units: []unit{{tool: "drop_database", pieces: []string{`{"name":`, `"production"}`}}},
		},
		{
			title: "a call that only its last piece gives away: held, then refused",
			ask:   "Free some disk space.",
			units: []unit{
				{text: []string{"Looking at ", "the disk."}},
				{tool: "Bash", pieces: []string{`{"command":"du -sh `, `/var/log && `, `rm -rf`, ` /"}`}},
			},
		},
		{
			title: "parallel calls: each is judged by itself, the turn stays whole",
			ask:   "Weather, time, and delete the logs.",
			units: []unit{
				{tool: "get_weather", pieces: []string{`{"city":`, `"Ghent"}`}},
				{tool: "Bash", pieces: []string{`{"command":`, `"rm -rf /var/log"}`}},
				{tool: "get_time", pieces: []string{`{"tz":"Eur`, `ope/Brussels"}`}},
			},
		},
	}
}

// An emission is one frame that the model sends, and what the screen says of it.
type emission struct {
	frame string
	says  string
}

// script is the stream of a scene.
func (s scene) script(n int) []emission {
	var out []emission
	add := func(says, typ, data string) {
		out = append(out, emission{frame: "event: " + typ + "\ndata: " + data + "\n\n", says: says})
	}
	add("", "message_start", fmt.Sprintf(`{"type":"message_start","message":{"id":"msg_demo_%d","type":"message","role":"assistant",`+
		`"model":"scripted-model","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":12,"output_tokens":1}}}`, n))
	reason := "end_turn"
	for i, u := range s.units {
		if u.tool != "" {
			reason = "tool_use"
		}
		u.script(n, i, add)
	}
	add("stop  "+reason, "message_delta", fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":40}}`, reason))
	add("", "message_stop", `{"type":"message_stop"}`)
	return out
}

func (u unit) script(n, i int, add func(says, typ, data string)) {
	if u.tool == "" {
		add("", "content_block_start", fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":{"type":"text","text":""}}`, i))
		for _, t := range u.text {
			add("text  "+t, "content_block_delta", fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{"type":"text_delta","text":%s}}`, i, quote(t)))
		}
	} else {
		add("call  "+u.tool, "content_block_start", fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":`+
			`{"type":"tool_use","id":"toolu_demo_%d_%d","name":%s,"input":{}}}`, i, n, i, quote(u.tool)))
		for _, p := range u.pieces {
			add(strings.Repeat(" ", 6)+p, "content_block_delta", fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{"type":"input_json_delta","partial_json":%s}}`, i, quote(p)))
		}
	}
	add("", "content_block_stop", fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, i))
}

func quote(s string) string { return string(strictjson.AppendString(nil, s)) }
