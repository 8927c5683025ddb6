package claude

import (
	"testing"

	"github.com/weir-gate/weir/test/agents"
	"github.com/weir-gate/weir/test/agents/model"
)

// tools are what Claude Code can do.
var tools = agents.Tools{
	Shell: func(id, file string) model.Call { return run(id, file, model.Command(file)) },
	Run:   run,
	Write: func(id, file string) model.Call {
		args := model.Encode(map[string]string{"file_path": file, "content": model.Said})
		return model.Call{ID: id, Name: "Write", Args: args, Act: "Write", Makes: file, Silent: true}
	},
	Served: func(id, tool, file string) model.Call {
		args := model.Encode(map[string]string{"path": file, "content": model.Said})
		name := "mcp__fs__" + tool
		return model.Call{ID: id, Name: name, Of: "fs", Args: args, Act: name, Makes: file}
	},
}

func run(id, file, command string) model.Call {
	args := model.Encode(map[string]string{"command": command, "description": "Makes a file"})
	return model.Call{ID: id, Name: "Bash", Args: args, Act: "Bash", Makes: file}
}

// scenes are those of every agent, and those about what Claude Code alone does.
func scenes(t *testing.T) []agents.Scene {
	shell := tools.Shell
	refused := shell("call_2", "forbidden-too.txt").RefusedBy("no-words", "args_denied")
	next := []model.Call{shell("call_next", "next.txt")}
	cut := model.Answer{Calls: []model.Call{shell("call_1", "forbidden.txt").LostBy("", "cut_short")}, Cut: true}
	return []agents.Scene{
		tools.Allowed(), tools.DeniedByName(), tools.DeniedByArguments(), tools.Documented(t, page),
		{
			Name: "a command that runs while the model still speaks", Policy: tools.Forbidden(), Then: next, Live: true,
			Begin: agents.Asks(shell("call_1", "forbidden.txt").RefusedBy("no-words", "args_denied"), shell("call_2", "made.txt")),
		},
		{
			Name: "a denied command that is cut off, and comes again as a whole", Policy: tools.Forbidden(), Then: next,
			Begin: []model.Answer{cut, {Calls: []model.Call{refused}}}, Control: true,
		},
		{
			Name: "an allowed command that comes as a whole after a denied one was cut off", Policy: tools.Forbidden(), Then: next,
			Begin: []model.Answer{cut, {Calls: []model.Call{shell("call_2", "made.txt")}}},
		},
		{
			Name: "a whole answer where a stream was asked for", Policy: tools.Forbidden(), Then: next,
			Begin: []model.Answer{
				{Calls: []model.Call{shell("call_1", "forbidden.txt").LostBy("no-words", "args_denied")}, Whole: true},
				{Calls: []model.Call{refused}},
			},
		},
	}
}
