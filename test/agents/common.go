package agents

import (
	"testing"

	"github.com/weir-gate/weir/test/agents/model"
)

// Tools are what an agent can do, as calls of its model.
type Tools struct {
	// Shell is a call that makes a file by a shell command, which is its argument "command".
	Shell func(id, file string) model.Call
	// Write is a call of another tool that makes a file.
	Write func(id, file string) model.Call
	// Run is a call that runs a shell command, which has to make a file.
	Run func(id, file, command string) model.Call
	// Served is a call of a tool of the MCP server fs, a FileServer.
	Served func(id, tool, file string) model.Call
}

// Forbidden is a policy that refuses commands by a word in them, as YAML.
func (tools Tools) Forbidden() string {
	return Deny("no-words", tools.Shell("", "").Name, "{param_path: command, operator: contains, value: forbidden}")
}

func (tools Tools) next() []model.Call { return []model.Call{tools.Shell("call_next", "next.txt")} }

// Allowed is a scene of one call that nothing refuses.
func (tools Tools) Allowed() Scene {
	return Scene{Name: "an allowed command", Begin: Asks(tools.Shell("call_1", "made.txt")), Then: tools.next()}
}

// DeniedByName is a scene of one call that a rule on its tool refuses.
func (tools Tools) DeniedByName() Scene {
	return Scene{
		Name: "a command denied by its name", Policy: Deny("no-shell", tools.Shell("", "").Name, ""),
		Begin: Asks(tools.Shell("call_1", "forbidden.txt").RefusedBy("no-shell", "tool_denied")),
		Then:  []model.Call{tools.Write("call_next", "next.txt")},
	}
}

// DeniedByArguments is a scene of one call that a rule on its arguments refuses.
func (tools Tools) DeniedByArguments() Scene {
	return Scene{
		Name: "a command denied by its arguments", Policy: tools.Forbidden(), Control: true,
		Begin: Asks(tools.Shell("call_1", "forbidden.txt").RefusedBy("no-words", "args_denied")), Then: tools.next(),
	}
}

// Documented is a scene of calls after a text. The policy on a page, which is the same on all, refuses two.
func (tools Tools) Documented(t testing.TB, page Page) Scene {
	return Scene{
		Name: "calls after a text, two denied by the policy on the page", Policy: page.Examples(t, "yaml", 1)[0], Then: tools.next(),
		Begin: []model.Answer{{Text: "Let me do three things.", Calls: []model.Call{
			tools.Shell("call_1", "made.txt"),
			tools.Shell("call_2", "forbidden-prod-db.txt").RefusedBy("no-production", "args_denied").
				Because("The production database is off limits for agents.").Naming("prod-db"),
			tools.Write("call_3", ".github/forbidden.yaml").RefusedBy("no-pipeline-changes", "args_denied").
				Because("Changes to the pipelines are for people.").Naming(".github/"),
		}}},
	}
}

// ServedOnes is a scene of calls of tools of the MCP server fs, one of which a rule refuses.
func (tools Tools) ServedOnes() Scene {
	return Scene{
		Name: "tools of an MCP server, one denied", Policy: Deny("no-write", "mcp__fs__write_file", ""), Then: tools.next(),
		Begin: Asks(tools.Served("call_1", "append_file", "made.txt"),
			tools.Served("call_2", "write_file", "forbidden.txt").RefusedBy("no-write", "tool_denied")),
	}
}
