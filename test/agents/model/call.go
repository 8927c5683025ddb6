package model

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Call is one that the model asks for.
type Call struct {
	ID        string // as the wire has it; no other call of the scene has it
	Name      string
	Namespace string // of the name; Responses only
	Of        string // the MCP server that its name alone means; "": none
	Args      string // a JSON object, or any text if Custom
	Custom    bool   // its text is free; Responses only
	Act       string // what the agent says that it does when it runs the call
	Makes     string // the file that it makes then, as no other call does
	Silent    bool   // its output is not what it says
	Fate      Fate
	Rule      string // that decides on it
	Code      string // with which it is refused
	Reason    string // that is given
	Part      string // of it that the reason names; "": none
}

// A Fate is what must become of a call.
type Fate int

// Fates of calls.
const (
	Released Fate = iota // the agent runs it and returns its output
	Refused              // the agent gets a notice
	Lost                 // nothing of it reaches the agent
)

// Said is what calls print, and so is in their output.
const Said = "said by the call"

// NotHere is the reason that rules of scenes give.
const NotHere = "Not here."

// Command is a shell command that makes a file.
func Command(file string) string { return fmt.Sprintf("touch %s && echo %q", file, Said) }

// RefusedBy is the call if a rule refuses it.
func (c Call) RefusedBy(rule, code string) Call {
	c.Fate, c.Rule, c.Code, c.Reason = Refused, rule, code, NotHere
	if code == "args_denied" {
		c.Part = forbiddenWord
	}
	return c
}

// forbiddenWord is what most rules on arguments refuse.
const forbiddenWord = "forbidden"

// Naming is the refused call if the reason names another part of it, or none.
func (c Call) Naming(part string) Call {
	c.Part = part
	return c
}

// AllowedBy is the call if a rule has to allow it.
func (c Call) AllowedBy(rule string) Call {
	c.Rule = rule
	return c
}

// Because is the refused call if another reason is given.
func (c Call) Because(reason string) Call {
	c.Reason = reason
	return c
}

// InNamespace is the call if the model names its tool with a namespace.
func (c Call) InNamespace(name string) Call {
	c.Namespace = name
	return c
}

// LostBy is the call if it comes to nothing.
func (c Call) LostBy(rule, code string) Call {
	c = c.RefusedBy(rule, code)
	c.Fate = Lost
	return c
}

// Unhindered is the call where no rule refuses it.
func (c Call) Unhindered() Call {
	c.Fate, c.Rule, c.Code = Released, "", ""
	return c
}

// Notice is what stands in its place when it is refused.
func (c Call) Notice() string {
	why := c.Code
	if c.Rule != "" {
		why += ", rule " + c.Rule
	}
	reason := c.Reason
	if c.Part != "" {
		reason += fmt.Sprintf(` The tool itself is allowed; this use of it is not: "%s".`, c.Part)
	}
	return fmt.Sprintf("[weir] The call to %q was refused (%s): %s Do not retry it; continue without it or ask the user.",
		c.Tool(), why, reason)
}

// Tool is its name as weir shows it to the model.
func (c Call) Tool() string {
	if c.Namespace == "" || c.server() != "" {
		return c.Name
	}
	return c.Namespace + "." + c.Name
}

// InRecord is its tool in the record, and the MCP server whose tool that is; "": it is none's.
func (c Call) InRecord() (server, tool string) {
	if _, tool, ok := strings.Cut(c.Name, c.Of); ok && c.Of != "" {
		return c.Of, strings.TrimLeft(tool, "_")
	}
	return c.server(), c.Tool()
}

// server is the MCP server that its namespace means.
func (c Call) server() string {
	if server, ok := strings.CutPrefix(c.Namespace, "mcp__"); ok {
		return server
	}
	return ""
}

// Recorded are its arguments in the record.
func (c Call) Recorded() jsontext.Value {
	if c.Custom {
		return jsontext.Value(Encode(map[string]string{"input": c.Args}))
	}
	return jsontext.Value(c.Args)
}

// Encode is a value as JSON.
func Encode(v any) string {
	text, err := json.Marshal(v, json.Deterministic(true), json.FormatNilSliceAsNull(false))
	if err != nil {
		panic(err) // only what is written in tests comes here
	}
	return string(text)
}
