package demo

// A scene is one turn: what the user asks, and what the scripted model streams, in a wire format.
type scene struct {
	wire  wire
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

// scenes are all of them.
func scenes() []scene { return append(messageScenes(), otherWires()...) }

// messageScenes show what weir does, in one format.
func messageScenes() []scene {
	return []scene{
		{
			wire:  anthropic{},
			title: "text and an allowed call: text is live, the call arrives whole",
			ask:   "What is in the notes?",
			units: []unit{
				{text: []string{"I will ", "read the ", "notes."}},
				{tool: "Read", pieces: []string{`{"file_`, `path":"notes`, `.txt"}`}},
			},
		},
		{
			wire:  anthropic{},
			title: "a call that its name alone denies: refused before its arguments are there",
			ask:   "Clean up the test database.",
			units: []unit{{tool: "drop_database", pieces: []string{`{"name":`, `"production"}`}}},
		},
		{
			wire:  anthropic{},
			title: "a call that only its last piece gives away: held, then refused",
			ask:   "Free some disk space.",
			units: []unit{
				{text: []string{"Looking at ", "the disk."}},
				{tool: "Bash", pieces: []string{`{"command":"du -sh `, `/var/log && `, `rm -rf`, ` /"}`}},
			},
		},
		{
			wire:  anthropic{},
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

// otherWires are scenes in the other formats.
func otherWires() []scene {
	return []scene{
		{
			wire:  chat{},
			title: "the same in OpenAI's format: its calls have no end of their own, and are held until they are whole",
			ask:   "Weather, and free some disk space.",
			units: []unit{
				{text: []string{"Both ", "at once."}},
				{tool: "get_weather", pieces: []string{`{"city":`, `"Ghent"}`}},
				{tool: "Bash", pieces: []string{`{"command":"ls && `, `rm -rf`, ` /"}`}},
			},
		},
		{
			wire:  responses{},
			title: "and in OpenAI's newer one, which repeats every call and keeps it: refused wherever it shows",
			ask:   "Drop the old database, then tell me the time.",
			units: []unit{
				{tool: "drop_database", pieces: []string{`{"name":`, `"old"}`}},
				{tool: "get_time", pieces: []string{`{"tz":`, `"Europe/Brussels"}`}},
			},
		},
		{
			wire:  gemini{},
			title: "Gemini sends a call in one piece, and it is held all the same",
			ask:   "Weather, and free some disk space.",
			units: []unit{
				{text: []string{"Both."}},
				{tool: "get_weather", pieces: []string{`{"city":"Ghent"}`}},
				{tool: "Bash", pieces: []string{`{"command":"rm -rf /"}`}},
			},
		},
		{
			wire:  bedrock{},
			title: "Amazon Bedrock packs its frames in binary messages with checksums: the notice comes packed the same way",
			ask:   "Read the notes, and drop the old database.",
			units: []unit{
				{tool: "Read", pieces: []string{`{"file_path":`, `"notes.txt"}`}},
				{tool: "drop_database", pieces: []string{`{"name":`, `"old"}`}},
			},
		},
		{
			wire:  ollama{},
			title: "and a model on your own machine, in lines of JSON",
			ask:   "Free some disk space.",
			units: []unit{
				{text: []string{"On ", "it."}},
				{tool: "Bash", pieces: []string{`{"command":"rm -rf / --no-preserve-root"}`}},
			},
		},
	}
}
