package transcript

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/run/agent"
)

// codexKind is the Codex CLI: one file for each session and each subagent, one item of the Responses API or event a line. Old files are
// compressed.
var codexKind = kind{
	name: "codex",
	homes: func(p agent.Surroundings) []string {
		return []string{cmp.Or(p.Env("CODEX_HOME"), filepath.Join(p.Home, ".codex"))}
	},
	parts: []string{"sessions", "archived_sessions"},
	ours:  func(path string) bool { return strings.HasSuffix(strings.TrimSuffix(path, compressed), ".jsonl") },
	parse: parseCodex,
}

// A codexItem is an item of the Responses API, or what an event of Codex says.
type codexItem struct {
	Type      word           `json:"type"`
	CallID    word           `json:"call_id"`
	ID        word           `json:"id"`
	Name      word           `json:"name"`
	Namespace word           `json:"namespace"`
	Server    word           `json:"server_label"`
	Arguments jsontext.Value `json:"arguments"` // JSON in a string
	Input     word           `json:"input"`     // a text
	Action    jsontext.Value `json:"action"`
	Output    jsontext.Value `json:"output"`

	// What the session and its turns have.
	Cwd    word `json:"cwd"`
	Model  word `json:"model"`
	Thread word `json:"thread_source"`
	Item   object[struct {
		ID     word `json:"id"`
		Status word `json:"status"`
	}] `json:"item"`
}

type codexLine struct {
	Timestamp word           `json:"timestamp"`
	Type      word           `json:"type"`
	Payload   jsontext.Value `json:"payload"`
}

func parseCodex(s *scene, line []byte) (entry, error) {
	var l codexLine
	if err := decode(line, &l); err != nil {
		return entry{}, err
	}
	text, kind := []byte(l.Payload), l.Type
	if l.Payload.Kind() != '{' {
		text, kind = line, "response_item" // as the first versions wrote it
	}
	var item codexItem
	if err := decode(text, &item); err != nil {
		return entry{}, err
	}
	switch kind {
	case "session_meta", "turn_context":
		s.dir, s.model = cmp.Or(string(item.Cwd), s.dir), cmp.Or(string(item.Model), s.model)
		s.side = s.side || item.Thread != "" && item.Thread != "user"
	case "event_msg":
		if done := item.Item.is; item.Type == "item_completed" && done.Status == "declined" {
			return entry{results: []result{{string(done.ID), true}}}, nil
		}
	case "response_item":
		return item.entry(l.Timestamp), nil
	}
	return entry{}, nil
}

func (i *codexItem) entry(written word) entry {
	c := Call{Time: at(written), ID: cmp.Or(string(i.CallID), string(i.ID)), Tool: string(i.Name), Server: string(i.Server)}
	switch i.Type {
	case "function_call":
		c.Args = codexArguments(i.Arguments)
	case "custom_tool_call":
		c.Args = append(append(jsontext.Value(`{"input":`), jsonString(string(i.Input))...), '}')
	case "mcp_call":
		c.Args, c.Ran = codexArguments(i.Arguments), true
	case "local_shell_call":
		c.Tool, c.Args = "local_shell", i.Action
	case "shell_call":
		c.Tool, c.Args = "shell", i.Action
	case "web_search_call":
		c.Tool, c.Args, c.Ran = "web_search", i.Action, true
	case "tool_search_call":
		c.Tool, c.Args = "tool_search", codexArguments(i.Arguments)
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output", "shell_call_output":
		return entry{results: []result{{string(i.CallID), stoppedByCodex(textOf(i.Output))}}}
	default:
		return entry{}
	}
	if string(c.Args) == "null" {
		c.Args = nil
	}
	if c.Tool == "" {
		return entry{}
	}
	if server, ofServer := strings.CutPrefix(string(i.Namespace), "mcp__"); ofServer {
		c.Server = server
	} else if ns := string(i.Namespace); ns != "" {
		// The same readings as those of such a call on its way through weir.
		c.Spellings = []string{c.Tool, ns + "__" + c.Tool, ns + "/" + c.Tool}
		c.Tool = ns + "." + c.Tool
	}
	return entry{calls: []Call{c}}
}

// codexArguments are arguments that stand in a string; an object is taken as it is.
func codexArguments(v jsontext.Value) jsontext.Value {
	if v.Kind() != '"' {
		return v
	}
	var w word
	_ = decode(v, &w) // it is a string
	return jsontext.Value(strings.TrimSpace(string(w)))
}

// stoppedByCodex says that the output of a call tells that it was not permitted. What a command prints never begins so: its output has
// how long it took ahead of it.
func stoppedByCodex(text string) bool {
	for _, beginning := range []string{
		"exec command rejected by user", "patch rejected by user", "rejected by user", "user rejected MCP tool call",
		"writing is blocked by read-only sandbox; rejected", "writing outside of the project; rejected",
		"MCP tool call requires approval, but approval policy is never",
	} {
		if strings.HasPrefix(text, beginning) {
			return true
		}
	}
	tool, _, failed := strings.Cut(text, " failed: ")
	return failed && !strings.ContainsAny(tool, " \n") && strings.Contains(text, "Rejected(")
}
