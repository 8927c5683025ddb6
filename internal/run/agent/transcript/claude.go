package transcript

import (
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/run/agent"
)

// claudeKind is Claude Code: one file for each session and each subagent, one message or content block a line.
var claudeKind = kind{
	name: "claude",
	homes: func(p agent.Surroundings) []string {
		if dir := p.Env("CLAUDE_CONFIG_DIR"); dir != "" {
			return []string{dir}
		}
		return []string{filepath.Join(p.Home, ".claude"), filepath.Join(p.Home, ".config", "claude")}
	},
	parts: []string{"projects"},
	ours:  func(path string) bool { return filepath.Ext(path) == ".jsonl" },
	parse: parseClaude,
}

// A claudeLine is what a line of a transcript says, as far as calls are concerned.
type claudeLine struct {
	Type      word `json:"type"`
	Timestamp word `json:"timestamp"`
	Cwd       word `json:"cwd"`
	Sidechain yes  `json:"isSidechain"`
	Message   object[struct {
		Model   word                      `json:"model"`
		Content list[object[claudeBlock]] `json:"content"`
	}] `json:"message"`
	ToolUseResult jsontext.Value `json:"toolUseResult"`
	// Data of a line that tells how far a subagent is has a line of the subagent.
	Data object[struct {
		Message jsontext.Value `json:"message"`
	}] `json:"data"`
}

type claudeBlock struct {
	Type   word           `json:"type"`
	ID     word           `json:"id"`
	Name   word           `json:"name"`
	Server word           `json:"server_name"`
	Input  jsontext.Value `json:"input"`

	ToolUseID word           `json:"tool_use_id"`
	IsError   yes            `json:"is_error"`
	Content   jsontext.Value `json:"content"`
}

func parseClaude(_ *scene, line []byte) (entry, error) {
	var l claudeLine
	if err := decode(line, &l); err != nil {
		return entry{}, err
	}
	if l.Type == "progress" {
		return parseClaudeProgress(l)
	}
	var e entry
	for _, block := range l.Message.is.Content {
		b := block.is
		switch b.Type {
		case "tool_use", "server_tool_use", "mcp_tool_use":
			e.calls = append(e.calls, Call{
				Time: at(l.Timestamp), ID: string(b.ID), Server: string(b.Server), Tool: string(b.Name), Args: b.Input,
				Ran: b.Type != "tool_use", Model: string(l.Message.is.Model), Dir: string(l.Cwd), Side: bool(l.Sidechain),
			})
		case "tool_result":
			stopped := bool(b.IsError) && (stoppedByClaude(textOf(b.Content)) || string(l.ToolUseResult) == `"User rejected tool use"`)
			e.results = append(e.results, result{string(b.ToolUseID), stopped})
		}
	}
	return e, nil
}

// parseClaudeProgress reads a line that has a line of a subagent in it.
func parseClaudeProgress(l claudeLine) (entry, error) {
	var inner claudeLine
	if len(l.Data.is.Message) == 0 || l.Data.is.Message.Kind() != '{' {
		return entry{}, nil
	}
	if err := decode(l.Data.is.Message, &inner); err != nil || inner.Type == "progress" {
		return entry{}, err
	}
	e, err := parseClaude(nil, l.Data.is.Message)
	for i := range e.calls {
		c := &e.calls[i]
		c.Side = true
		if c.Dir == "" {
			c.Dir = string(l.Cwd)
		}
		if c.Time.IsZero() {
			c.Time = at(l.Timestamp)
		}
	}
	return e, err
}

// stoppedByClaude says that the result of a call tells that it was not permitted. What a command prints never begins so: its result
// has the exit code ahead of it.
func stoppedByClaude(text string) bool {
	text = strings.TrimPrefix(text, "<tool_use_error>")
	for _, beginning := range []string{
		"The user doesn't want to proceed with this tool use", "The user doesn't want to take this action", "Claude requested permissions to ",
		"Permission to ", "Permission for this action has been denied",
	} {
		if strings.HasPrefix(text, beginning) {
			return true
		}
	}
	return !strings.HasPrefix(text, "Exit code") &&
		(strings.Contains(text, "' was blocked. For security, Claude Code may only ") || strings.Contains(text, "' was blocked by a deny rule."))
}

// textOf is the text of a content: a string, or an array of which the first text counts.
func textOf(content jsontext.Value) string {
	switch content.Kind() {
	case '"':
		var w word
		_ = decode(content, &w) // it is a string
		return string(w)
	case '[':
		var parts list[object[struct {
			Text word `json:"text"`
		}]]
		if decode(content, &parts) == nil && len(parts) > 0 {
			return string(parts[0].is.Text)
		}
	}
	return ""
}
