package opencode

import (
	"testing"

	"github.com/weir-gate/weir/test/agents"
	"github.com/weir-gate/weir/test/agents/model"
)

func shell(id, file string) model.Call { return run(id, file, model.Command(file)) }

func run(id, file, command string) model.Call {
	args := model.Encode(map[string]string{"command": command, "description": "Makes a file"})
	return model.Call{ID: id, Name: "bash", Args: args, Act: "bash", Makes: file}
}

func write(id, file string) model.Call {
	args := model.Encode(map[string]string{"filePath": file, "content": model.Said})
	return model.Call{ID: id, Name: "write", Args: args, Act: "write", Makes: file, Silent: true}
}

// patch is what opencode has in the place of write for some models.
func patch(id, file string) model.Call {
	args := model.Encode(map[string]string{"patchText": "*** Begin Patch\n*** Add File: " + file + "\n+" + model.Said + "\n*** End Patch"})
	return model.Call{ID: id, Name: "apply_patch", Args: args, Act: "apply_patch", Makes: file, Silent: true}
}

// served is a call of the MCP server fs.
func served(id, tool, file string) model.Call {
	args := model.Encode(map[string]string{"path": file, "content": model.Said})
	name := "fs_" + tool
	return model.Call{ID: id, Name: name, Of: "fs", Args: args, Act: name, Makes: file}
}

func (p provider) tools() agents.Tools {
	return agents.Tools{Shell: shell, Write: p.write, Run: run, Served: served}
}

// scenes are few, since they are played in every format: in each a turn with calls that run and calls that their arguments
// refuse, and in one of them a turn of which nothing is left.
func (p provider) scenes(t *testing.T) []agents.Scene {
	t.Helper()
	tools := p.tools()
	several := tools.Documented(t, page)
	several.Live, several.Control = true, p.control
	if !p.control {
		return []agents.Scene{several}
	}
	return []agents.Scene{several, tools.DeniedByName()}
}
