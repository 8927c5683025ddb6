package codex

import (
	"testing"

	"github.com/weir-gate/weir/test/agents"
	"github.com/weir-gate/weir/test/agents/model"
)

// A scene is one of every agent, for a Codex that is set up in a way.
type scene struct {
	agents.Scene
	model  string // on which it depends which tools Codex has
	setup  setup
	server bool // Codex has the MCP server fs
}

// Model slugs that Codex knows.
const (
	toolModel = "gpt-5.5"     // has function tools and a custom apply_patch
	codeModel = "gpt-5.6-sol" // reaches all tools by JavaScript in a custom exec
)

// Policies of scenes, each of one rule.
var (
	noShell  = agents.Deny("no-shell", "exec_command", "")
	noWords  = agents.Deny("no-words", "exec_command", "{param_path: cmd, operator: contains, value: forbidden}")
	noPatch  = agents.Deny("no-patch", "apply_patch", "{param_path: input, operator: matches, value: '(Add|Update|Delete) File: forbidden'}")
	noCode   = agents.Deny("no-code", "exec", "")
	noInput  = agents.Deny("no-input", "exec", "{param_path: input, operator: contains, value: forbidden}")
	noHidden = agents.Deny("no-hidden", "exec_command", "{param_path: cmd, operator: contains, value: hidden}")
	noServer = agents.Deny("no-server", "exec", "{param_path: input, operator: contains, value: mcp__fs__write_file}")
	noWrite  = agents.Deny("no-write", "mcp__fs__write_file", "")
)

// allowList is a policy that refuses what it does not allow.
const allowList = "version: 1\ndefault: deny\nrules: [{id: allowed, tool: [exec_command, mcp__fs__append_file, exec], verdict: allow}]\n"

// scenes are all that is played.
func scenes(t *testing.T) []scene {
	documented := page.Examples(t, "yaml", 1)[0]
	next := []model.Call{shell("call_next", "next.txt")}
	return []scene{
		{
			model: toolModel, setup: ownProvider, Scene: agents.Scene{
				Name: "an allowed command", Then: next,
				Begin: agents.Asks(shell("call_1", "made.txt")),
			},
		},
		{
			model: toolModel, setup: ownProvider, Scene: agents.Scene{
				Name: "a command denied by its name", Policy: noShell,
				Begin: agents.Asks(shell("call_1", "forbidden.txt").RefusedBy("no-shell", "tool_denied")),
				Then:  []model.Call{patch("call_next", "next.txt")},
			},
		},
		{
			model: toolModel, setup: ownProvider, Scene: agents.Scene{
				Name: "a command denied by its arguments", Policy: noWords, Then: next, Control: true,
				Begin: agents.Asks(shell("call_1", "forbidden.txt").RefusedBy("no-words", "args_denied")),
			},
		},
		{
			model: toolModel, setup: ownProvider, Scene: agents.Scene{
				Name: "two commands, the first denied", Policy: noWords, Then: next,
				Begin: agents.Asks(shell("call_1", "forbidden.txt").RefusedBy("no-words", "args_denied"), shell("call_2", "made.txt")),
			},
		},
		{
			model: toolModel, setup: builtInProvider, Scene: agents.Scene{
				Name: "two commands through the built-in provider", Policy: noWords, Then: next,
				Begin: agents.Asks(shell("call_1", "made.txt"), shell("call_2", "forbidden.txt").RefusedBy("no-words", "args_denied")),
			},
		},
		{
			model: codeModel, setup: ownProvider, Scene: agents.Scene{
				Name: "code denied by its name", Policy: noCode,
				Begin: agents.Asks(script("call_1", "forbidden.txt").InNamespace("functions").RefusedBy("no-code", "tool_denied")),
			},
		},
		{
			model: codeModel, setup: ownProvider, Scene: agents.Scene{
				Name: "code denied by its input", Policy: noInput, Control: true,
				Begin: agents.Asks(script("call_1", "forbidden.txt").RefusedBy("no-input", "args_denied")),
				Then:  []model.Call{script("call_next", "next.txt")},
			},
		},
		{
			model: codeModel, setup: builtInProvider, Scene: agents.Scene{
				Name: "code denied through the built-in provider", Policy: noInput,
				Begin: agents.Asks(script("call_1", "forbidden.txt").RefusedBy("no-input", "args_denied")),
				Then:  []model.Call{script("call_next", "next.txt")},
			},
		},
		{
			model: codeModel, setup: ownProvider, Scene: agents.Scene{
				Name: "code that hides what it does", Policy: noHidden,
				Begin: agents.Asks(riddle("call_1", "hidden.txt").RefusedBy("no-hidden", "args_denied").Naming("hidden")),
				Then:  []model.Call{riddle("call_next", "next.txt")},
			},
		},
		{
			model: codeModel, setup: ownProvider, server: true, Scene: agents.Scene{
				Name: "code that calls an MCP server", Policy: noServer,
				Begin: agents.Asks(serverScript("call_1", "write_file", "forbidden.txt").RefusedBy("no-server", "args_denied").Naming("mcp__fs__write_file")),
				Then:  []model.Call{serverScript("call_next", "append_file", "next.txt")},
			},
		},
		{
			model: toolModel, setup: ownProvider, Scene: agents.Scene{
				Name: "calls that the policy on the page refuses", Policy: documented, Then: next,
				Begin: agents.Asks(
					shell("call_1", "forbidden-prod-db.txt").RefusedBy("no-production", "args_denied").
						Because("The production database is off limits for agents.").Naming("prod-db"),
					patch("call_2", ".github/forbidden.yaml").RefusedBy("no-pipeline-changes", "args_denied").
						Because("Changes to the pipelines are for people.").Naming("*** Add File: .github/"),
					patch("call_3", "made.txt")),
			},
		},
		{
			model: codeModel, setup: ownProvider, Scene: agents.Scene{
				Name: "code that the policy on the page refuses", Policy: documented,
				Begin: agents.Asks(
					script("call_1", "forbidden-prod-db.txt").RefusedBy("no-production", "args_denied").
						Because("The production database is off limits for agents.").Naming("prod-db"),
					script("call_2", "made.txt")),
				Then: []model.Call{script("call_next", "next.txt")},
			},
		},
		{
			model: toolModel, setup: ownProvider, Scene: agents.Scene{
				Name: "a denied patch", Policy: noPatch, Control: true,
				Begin: agents.Asks(patch("call_1", "forbidden.txt").RefusedBy("no-patch", "args_denied").Naming("Add File: forbidden")),
				Then:  []model.Call{patch("call_next", "next.txt")},
			},
		},
		{
			model: toolModel, setup: ownProvider, server: true, Scene: agents.Scene{
				Name: "tools of an MCP server, one denied", Policy: noWrite, Then: next, Control: true,
				Begin: agents.Asks(
					fileServer("call_1", "append_file", "made.txt"),
					fileServer("call_2", "write_file", "forbidden.txt").RefusedBy("no-write", "tool_denied")),
			},
		},
		{
			model: toolModel, setup: ownProvider, server: true, Scene: agents.Scene{
				Name: "tools of an MCP server, one not allowed", Policy: allowList,
				Begin: agents.Asks(
					fileServer("call_1", "append_file", "made.txt").AllowedBy("allowed"),
					fileServer("call_2", "write_file", "forbidden.txt").RefusedBy("", "tool_denied").Because("No rule allows this call.")),
				Then: []model.Call{shell("call_next", "next.txt").AllowedBy("allowed")},
			},
		},
		{
			model: codeModel, setup: ownProvider, Scene: agents.Scene{
				Name: "code that is allowed", Policy: allowList,
				Begin: agents.Asks(script("call_1", "made.txt").InNamespace("functions").AllowedBy("allowed")),
				Then:  []model.Call{script("call_next", "next.txt").AllowedBy("allowed")},
			},
		},
		{
			model: toolModel, setup: ownProvider, Scene: agents.Scene{
				Name: "a denied call that is cut off", Policy: noWords, Then: next, Retries: 1,
				Begin: []model.Answer{
					{Calls: []model.Call{shell("call_1", "forbidden.txt").LostBy("", "cut_short")}, Cut: true},
					{Calls: []model.Call{shell("call_2", "made.txt")}},
				},
			},
		},
		{
			model: toolModel, setup: ownProvider, Scene: agents.Scene{
				Name: "a call denied by its name that is cut off", Policy: noShell, Retries: 1,
				Begin: []model.Answer{
					{Calls: []model.Call{shell("call_1", "forbidden.txt").LostBy("no-shell", "tool_denied")}, Cut: true},
					{Calls: []model.Call{patch("call_2", "made.txt")}},
				},
				Then: []model.Call{patch("call_next", "next.txt")},
			},
		},
		{
			model: toolModel, setup: ownProvider, Scene: agents.Scene{
				Name: "a whole answer where a stream was asked for", Policy: noWords, Then: next, Retries: 1,
				Begin: []model.Answer{
					{Calls: []model.Call{shell("call_1", "forbidden.txt").LostBy("no-words", "args_denied")}, Whole: true},
					{Calls: []model.Call{shell("call_2", "made.txt")}},
				},
			},
		},
	}
}
