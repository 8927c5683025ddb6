package opencode

import (
	"testing"

	"github.com/weir-gate/weir/test/agents"
	"github.com/weir-gate/weir/test/agents/model"
)

func shell(id, file string) model.Call {
	args := model.Encode(map[string]string{"command": model.Command(file), "description": "Makes a file"})
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

// scenes are few, since they are played in every format: in each a turn with calls that run and calls that their arguments
// refuse, and in one of them a turn of which nothing is left.
func (p provider) scenes(t *testing.T) []agents.Scene {
	t.Helper()
	tools := agents.Tools{Shell: shell, Write: p.write}
	several := tools.Documented(t, page)
	several.Live, several.Control = true, p.control
	if !p.control {
		return []agents.Scene{several}
	}
	return []agents.Scene{several, tools.DeniedByName()}
}
