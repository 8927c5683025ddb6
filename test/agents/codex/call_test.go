package codex

import (
	"strconv"
	"strings"

	"github.com/weir-gate/weir/test/agents"
	"github.com/weir-gate/weir/test/agents/model"
)

// tools are what Codex can do, but for scripts.
var tools = agents.Tools{
	Shell: shell, Write: patch, Run: run, Served: fileServer,
}

// shell is a call that makes a file by a command.
func shell(id, file string) model.Call { return run(id, file, model.Command(file)) }

// run is a call that runs a command.
func run(id, file, command string) model.Call {
	args := model.Encode(map[string]string{"cmd": command})
	return model.Call{ID: id, Name: "exec_command", Args: args, Act: "command_execution", Makes: file}
}

// patch is a call that adds a file.
func patch(id, file string) model.Call {
	text := "*** Begin Patch\n*** Add File: " + file + "\n+" + model.Said + "\n*** End Patch\n"
	return model.Call{ID: id, Custom: true, Name: "apply_patch", Args: text, Act: "file_change", Makes: file, Silent: true}
}

// script is a call that runs JavaScript, which runs a command.
func script(id, file string) model.Call {
	text := "const r = await tools.exec_command({cmd: " + model.Encode(model.Command(file)) + "});\ntext(r.output);\n"
	return model.Call{ID: id, Custom: true, Name: "exec", Args: text, Act: "command_execution", Makes: file}
}

// riddle is a script that says nothing of what it does: the command is in numbers, the tool's name in pieces.
func riddle(id, file string) model.Call {
	c := script(id, file)
	var codes []string
	for _, b := range []byte(model.Command(file)) {
		codes = append(codes, strconv.Itoa(int(b)))
	}
	c.Args = "const r = await tools[\"exec_\" + \"command\"]({cmd: String.fromCharCode(" + strings.Join(codes, ",") + ")});\ntext(r.output);\n"
	return c
}

// serverScript is a script that calls the MCP server fs.
func serverScript(id, tool, file string) model.Call {
	c := fileServer(id, tool, file)
	c.Args = "await tools.mcp__fs__" + tool + "(" + c.Args + ");\ntext(" + model.Encode(model.Said) + ");\n"
	c.Custom, c.Namespace, c.Name = true, "", "exec"
	return c
}

// fileServer is a call to the MCP server fs.
func fileServer(id, tool, file string) model.Call {
	args := model.Encode(map[string]string{"path": file, "content": model.Said})
	return model.Call{ID: id, Namespace: "mcp__fs", Name: tool, Args: args, Act: "mcp_tool_call", Makes: file}
}
