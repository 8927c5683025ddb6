package codex

import "fmt"

// A scene is an answer of the model and the rules that it meets.
type scene struct {
	name   string
	model  string // on which it depends which tools Codex has
	setup  setup
	server bool   // Codex has the MCP server fs
	rules  string // as YAML
	begin  []answer
	then   []call // what the model asks for in the next turn, which is allowed
	retry  int    // how often Codex has to ask again
	// control plays the scene without its rules too. What they refuse happens then, so it is they who keep it from happening.
	control bool
}

// Model slugs that Codex knows.
const (
	toolModel = "gpt-5.5"     // has function tools and a custom apply_patch
	codeModel = "gpt-5.6-sol" // reaches all tools by JavaScript in a custom exec
)

// documented stands for the rules of the policy that users read.
const documented = "documented"

// Rules of scenes, by the ids that they have in the policy.
var (
	noShell  = deny("no-shell", "exec_command", "")
	noWords  = deny("no-words", "exec_command", "{param_path: cmd, operator: contains, value: forbidden}")
	noPatch  = deny("no-patch", "apply_patch", "{param_path: input, operator: matches, value: '(Add|Update|Delete) File: forbidden'}")
	noCode   = deny("no-code", "exec", "")
	noInput  = deny("no-input", "exec", "{param_path: input, operator: contains, value: forbidden}")
	noHidden = deny("no-hidden", "exec", "{param_path: input, operator: contains, value: hidden}")
	noServer = deny("no-server", "exec", "{param_path: input, operator: contains, value: mcp__fs__write_file}")
	noWrite  = deny("no-write", "mcp__fs__write_file", "")
)

// allowList is rules for a policy that refuses what they do not allow.
const allowList = `[{id: allowed, tool: [exec_command, mcp__fs__append_file, exec], verdict: allow}]`

// deny is a list of one rule, as YAML. condition is one on the arguments; "": none.
func deny(id, tool, condition string) string {
	if condition != "" {
		condition = "conditions: {any: [" + condition + "]}, "
	}
	return fmt.Sprintf("[{id: %s, tool: %s, %sverdict: deny, reason: %s}]", id, tool, condition, notHere)
}

// notHere is the reason that every rule gives.
const notHere = "Not here."

func asks(calls ...call) []answer { return []answer{{calls: calls}} }

// scenes are all that is played. What is refused in them makes a file that has the marker in its name.
func scenes() []scene {
	next := []call{shell("call_next", "next.txt")}
	return []scene{
		{
			name: "an allowed command", model: toolModel, setup: ownProvider, then: next,
			begin: asks(shell("call_1", "made.txt")),
		},
		{
			name: "a command denied by its name", model: toolModel, setup: ownProvider, rules: noShell,
			begin: asks(shell("call_1", "forbidden.txt").refusedBy("no-shell", "tool_denied")),
			then:  []call{patch("call_next", "next.txt")},
		},
		{
			name: "a command denied by its arguments", model: toolModel, setup: ownProvider, rules: noWords, then: next, control: true,
			begin: asks(shell("call_1", "forbidden.txt").refusedBy("no-words", "args_denied")),
		},
		{
			name: "two commands, the first denied", model: toolModel, setup: ownProvider, rules: noWords, then: next,
			begin: asks(shell("call_1", "forbidden.txt").refusedBy("no-words", "args_denied"), shell("call_2", "made.txt")),
		},
		{
			name: "two commands through the built-in provider", model: toolModel, setup: builtInProvider, rules: noWords, then: next,
			begin: asks(shell("call_1", "made.txt"), shell("call_2", "forbidden.txt").refusedBy("no-words", "args_denied")),
		},
		{
			name: "code denied by its name", model: codeModel, setup: ownProvider, rules: noCode,
			begin: asks(script("call_1", "forbidden.txt").inNamespace("functions").refusedBy("no-code", "tool_denied")),
		},
		{
			name: "code denied by its input", model: codeModel, setup: ownProvider, rules: noInput, control: true,
			begin: asks(script("call_1", "forbidden.txt").refusedBy("no-input", "args_denied")),
			then:  []call{script("call_next", "next.txt")},
		},
		{
			name: "code denied through the built-in provider", model: codeModel, setup: builtInProvider, rules: noInput,
			begin: asks(script("call_1", "forbidden.txt").refusedBy("no-input", "args_denied")),
			then:  []call{script("call_next", "next.txt")},
		},
		{
			name: "code that hides what it does", model: codeModel, setup: ownProvider, rules: noHidden,
			begin: asks(riddle("call_1", "hidden.txt")), // it is in the record, but a rule on text cannot tell
		},
		{
			name: "code that calls an MCP server", model: codeModel, setup: ownProvider, server: true, rules: noServer,
			begin: asks(serverScript("call_1", "write_file", "forbidden.txt").refusedBy("no-server", "args_denied")),
			then:  []call{serverScript("call_next", "append_file", "next.txt")},
		},
		{
			name: "calls that the policy on the page refuses", model: toolModel, setup: ownProvider, rules: documented, then: next,
			begin: asks(
				shell("call_1", "forbidden-prod-db.txt").refusedBy("no-production", "args_denied").because("The production database is off limits for agents."),
				patch("call_2", ".github/forbidden.yaml").refusedBy("no-pipeline-changes", "args_denied").because("Changes to the pipelines are for people."),
				patch("call_3", "made.txt")),
		},
		{
			name: "code that the policy on the page refuses", model: codeModel, setup: ownProvider, rules: documented,
			begin: asks(
				script("call_1", "forbidden-prod-db.txt").refusedBy("no-production", "args_denied").because("The production database is off limits for agents."),
				script("call_2", "made.txt")),
			then: []call{script("call_next", "next.txt")},
		},
		{
			name: "a denied patch", model: toolModel, setup: ownProvider, rules: noPatch, control: true,
			begin: asks(patch("call_1", "forbidden.txt").refusedBy("no-patch", "args_denied")),
			then:  []call{patch("call_next", "next.txt")},
		},
		{
			name: "tools of an MCP server, one denied", model: toolModel, setup: ownProvider, server: true, rules: noWrite, then: next, control: true,
			begin: asks(
				fileServer("call_1", "append_file", "made.txt"),
				fileServer("call_2", "write_file", "forbidden.txt").refusedBy("no-write", "tool_denied")),
		},
		{
			name: "tools of an MCP server, one not allowed", model: toolModel, setup: ownProvider, server: true, rules: allowList,
			begin: asks(
				fileServer("call_1", "append_file", "made.txt").allowedBy("allowed"),
				fileServer("call_2", "write_file", "forbidden.txt").refusedBy("", "tool_denied").because("No rule allows this call.")),
			then: []call{shell("call_next", "next.txt").allowedBy("allowed")},
		},
		{
			name: "code that is allowed", model: codeModel, setup: ownProvider, rules: allowList,
			begin: asks(script("call_1", "made.txt").inNamespace("functions").allowedBy("allowed")),
			then:  []call{script("call_next", "next.txt").allowedBy("allowed")},
		},
		{
			name: "a denied call that is cut off", model: toolModel, setup: ownProvider, rules: noWords, then: next, retry: 1,
			begin: []answer{
				{calls: []call{shell("call_1", "forbidden.txt").lostBy("", "cut_short")}, cut: true},
				{calls: []call{shell("call_2", "made.txt")}},
			},
		},
		{
			name: "a call denied by its name that is cut off", model: toolModel, setup: ownProvider, rules: noShell, retry: 1,
			begin: []answer{
				{calls: []call{shell("call_1", "forbidden.txt").lostBy("no-shell", "tool_denied")}, cut: true},
				{calls: []call{patch("call_2", "made.txt")}},
			},
			then: []call{patch("call_next", "next.txt")},
		},
		{
			name: "a whole answer where a stream was asked for", model: toolModel, setup: ownProvider, rules: noWords, then: next, retry: 1,
			begin: []answer{
				{calls: []call{shell("call_1", "forbidden.txt").lostBy("no-words", "args_denied")}, whole: true},
				{calls: []call{shell("call_2", "made.txt")}},
			},
		},
	}
}
