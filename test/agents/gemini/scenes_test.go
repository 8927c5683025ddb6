package gemini

import (
	"testing"

	"github.com/weir-gate/weir/test/agents"
	"github.com/weir-gate/weir/test/agents/model"
)

// tools are what the Gemini CLI can do.
var tools = agents.Tools{
	Shell: func(id, file string) model.Call { return run(id, file, model.Command(file)) },
	Run:   run,
	Write: func(id, file string) model.Call {
		args := model.Encode(map[string]string{"file_path": file, "content": model.Said})
		return model.Call{ID: id, Name: "write_file", Args: args, Act: "write_file", Makes: file, Silent: true}
	},
	Served: func(id, tool, file string) model.Call {
		args := model.Encode(map[string]string{"path": file, "content": model.Said})
		name := "mcp_fs_" + tool
		return model.Call{ID: id, Name: name, Of: "fs", Args: args, Act: name, Makes: file}
	},
}

func run(id, file, command string) model.Call {
	args := model.Encode(map[string]string{"command": command, "description": "Makes a file"})
	return model.Call{ID: id, Name: "run_shell_command", Args: args, Act: "run_shell_command", Makes: file}
}

// unsignedScenes are about calls that have neither an id nor a signature.
func unsignedScenes() []agents.Scene {
	next := []model.Call{tools.Shell("", "next.txt")}
	return []agents.Scene{
		{
			Name: "an allowed command", Then: next,
			Begin: agents.Asks(tools.Shell("", "made.txt")),
		},
		{
			Name: "two commands, the first denied", Policy: tools.Forbidden(), Then: next,
			Begin: agents.Asks(tools.Shell("", "forbidden.txt").RefusedBy("no-words", "args_denied"), tools.Shell("", "made.txt")),
		},
	}
}

// signedScenes are those of every agent, and one in which the signed call is refused. The API would not take the others
// of its set back without it.
func signedScenes(t *testing.T) []agents.Scene {
	const ofNoUse = "This call depends on another one, which was refused."
	return []agents.Scene{
		tools.Allowed(), tools.DeniedByName(), tools.DeniedByArguments(), tools.Documented(t, page),
		{
			Name: "two commands, the first denied", Policy: tools.Forbidden(), Control: true,
			Begin: agents.Asks(
				tools.Shell("call_1", "forbidden.txt").RefusedBy("no-words", "args_denied"),
				tools.Shell("call_2", "with-it.txt").RefusedBy("no-words", "args_denied").Because(ofNoUse).Naming("")),
			Then: []model.Call{tools.Shell("call_next", "next.txt")},
		},
	}
}
