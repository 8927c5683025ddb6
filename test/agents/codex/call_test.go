package codex

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A call is one that the model asks for.
type call struct {
	id        string // call_…
	custom    bool   // its text is free, not JSON
	namespace string
	name      string
	text      string // the arguments
	act       string // what Codex says that it does when it runs the call
	makes     string // the file that it makes then
	fate      fate
	rule      string // that decides on it
	reason    string // that it gives
	code      string // with which it is refused
}

// A fate is what must become of a call.
type fate int

const (
	released fate = iota // Codex runs it and returns its output
	refused              // Codex gets a notice
	lost                 // nothing of it reaches Codex
)

// marker is in the text of every call that must not reach Codex.
const marker = "forbidden"

// said is what every call prints, and so is in its output.
const said = "said by the call"

// shell is a call that runs a command.
func shell(id, file string) call {
	return call{
		id: id, name: "exec_command", text: jsonText(map[string]string{"cmd": command(file)}), act: "command_execution", makes: file,
	}
}

func command(file string) string { return fmt.Sprintf("touch %s && echo %q", file, said) }

// patch is a call that adds a file.
func patch(id, file string) call {
	text := "*** Begin Patch\n*** Add File: " + file + "\n+" + said + "\n*** End Patch\n"
	return call{id: id, custom: true, name: "apply_patch", text: text, act: "file_change", makes: file}
}

// script is a call that runs JavaScript, which runs a command.
func script(id, file string) call {
	text := "const r = await tools.exec_command({cmd: " + jsonText(command(file)) + "});\ntext(r.output);\n"
	return call{id: id, custom: true, name: "exec", text: text, act: "command_execution", makes: file}
}

// riddle is a script that says nothing of what it does: the command is in numbers, the tool's name in pieces.
func riddle(id, file string) call {
	c := script(id, file)
	var codes []string
	for _, b := range []byte(command(file)) {
		codes = append(codes, strconv.Itoa(int(b)))
	}
	c.text = "const r = await tools[\"exec_\" + \"command\"]({cmd: String.fromCharCode(" + strings.Join(codes, ",") + ")});\ntext(r.output);\n"
	return c
}

// serverScript is a script that calls the MCP server fs.
func serverScript(id, tool, file string) call {
	c := fileServer(id, tool, file)
	c.text = "await tools.mcp__fs__" + tool + "(" + c.text + ");\ntext(" + jsonText(said) + ");\n"
	c.custom, c.namespace, c.name = true, "", "exec"
	return c
}

// fileServer is a call to the MCP server fs.
func fileServer(id, tool, file string) call {
	text := jsonText(map[string]string{"path": file, "content": said})
	return call{id: id, namespace: "mcp__fs", name: tool, text: text, act: "mcp_tool_call", makes: file}
}

func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // only what is written in this package comes here
	}
	return string(text)
}

// refusedBy is the call if a rule refuses it.
func (c call) refusedBy(rule, code string) call {
	c.fate, c.rule, c.code, c.reason = refused, rule, code, notHere
	return c
}

// allowedBy is the call if a rule has to allow it.
func (c call) allowedBy(rule string) call {
	c.rule = rule
	return c
}

// because is the refused call if the rule gives another reason.
func (c call) because(reason string) call {
	c.reason = reason
	return c
}

// inNamespace is the call if the model names its tool with a namespace.
func (c call) inNamespace(name string) call {
	c.namespace = name
	return c
}

// lostBy is the call if it comes to nothing.
func (c call) lostBy(rule, code string) call {
	c = c.refusedBy(rule, code)
	c.fate = lost
	return c
}

// unhindered is the call where no rule refuses it.
func (c call) unhindered() call {
	c.fate, c.rule, c.code = released, "", ""
	return c
}

func (c call) itemType() string {
	if c.custom {
		return "custom_tool_call"
	}
	return "function_call"
}

func (c call) itemID() string { return "item_of_" + c.id }

// item is the call as the wire has it; begun: before its first piece.
func (c call) item(begun bool) map[string]any {
	item := map[string]any{"type": c.itemType(), "id": c.itemID(), "call_id": c.id, "name": c.name, "status": "completed"}
	if c.namespace != "" {
		item["namespace"] = c.namespace
	}
	member, text := "arguments", c.text
	if c.custom {
		member = "input"
	}
	if begun {
		item["status"], text = "in_progress", ""
	}
	item[member] = text
	return item
}

// notice is what stands in its place when it is refused.
func (c call) notice() string {
	why := c.code
	if c.rule != "" {
		why += ", rule " + c.rule
	}
	return fmt.Sprintf("[weir] The call to %q was refused (%s): %s Do not retry it; continue without it or ask the user.", c.tool(), why, c.reason)
}

// tool is its name in the record, where an MCP server has a place of its own.
func (c call) tool() string {
	if c.namespace == "" || c.server() != "" {
		return c.name
	}
	return c.namespace + "." + c.name
}

// server is its MCP server in the record.
func (c call) server() string {
	if server, ok := strings.CutPrefix(c.namespace, "mcp__"); ok {
		return server
	}
	return ""
}

// args are its arguments in the record.
func (c call) args() jsontext.Value {
	if c.custom {
		return jsontext.Value(jsonText(map[string]string{"input": c.text}))
	}
	return jsontext.Value(c.text)
}
