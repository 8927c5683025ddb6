package policy

import (
	"slices"

	"github.com/weir-gate/weir/internal/policy/toolname"
)

// defaultNative are the tools that belong to no MCP server.
var defaultNative = newNativeTools(knownTools)

// knownTools are the tools of known agents, as these write them, and the tools that model providers run or define themselves.
var knownTools = []string{
	// Claude Code
	"Agent", "AskUserQuestion", "Bash", "BashOutput", "CronCreate", "CronDelete", "CronList", "Edit", "EnterPlanMode", "EnterWorktree",
	"ExitPlanMode", "ExitWorktree", "Glob", "Grep", "KillBash", "KillShell", "LS", "LSP", "ListMcpResourcesTool", "Monitor", "MultiEdit",
	"NotebookEdit", "NotebookRead", "PowerShell", "Read", "ReadMcpResourceTool", "SendMessage", "Skill", "SlashCommand", "Task", "TaskCreate",
	"TaskGet", "TaskList", "TaskOutput", "TaskStop", "TaskUpdate", "TodoRead", "TodoWrite", "ToolSearch", "WebFetch", "WebSearch", "Write",
	"exit_plan_mode",

	// Codex; tools of a namespace also occur without it
	"apply_patch", "close_agent", "exec", "exec_command", "functions.*", "grep_files", "list_dir", "list_mcp_resource_templates",
	"list_mcp_resources", "local_shell", "multi_agent_v1.*", "multi_tool_use.parallel", "read_file", "read_mcp_resource", "request_user_input",
	"resume_agent", "send_input", "shell", "shell_command", "spawn_agent", "tool_search", "unified_exec", "update_plan", "view_image", "wait",
	"wait_agent", "web_search", "write_stdin",

	// Gemini CLI
	"activate_skill", "ask_user", "cli_help", "codebase_investigator", "complete_task", "delegate_to_agent", "enter_plan_mode", "glob",
	"google_web_search", "grep_search", "list_directory", "read_many_files", "replace", "run_shell_command", "save_memory",
	"search_file_content",
	"web_fetch", "write_file", "write_todos",

	// opencode
	"bash", "batch", "codesearch", "edit", "grep", "invalid", "list", "lsp", "multiedit", "patch", "plan_enter", "plan_exit", "question",
	"read",
	"skill", "task", "todoread", "todowrite", "webfetch", "websearch", "write",

	// run or defined by providers
	"bash_code_execution", "code_execution", "code_interpreter", "computer", "computer_use_preview", "file_search", "googleSearch",
	"image_generation",
	"memory", "str_replace_based_edit_tool", "text_editor", "text_editor_code_execution", "tool_search_tool_bm25", "tool_search_tool_regex",
	"urlContext",
}

// KnownTools are the names and globs of the tools of known agents, and of those that model providers run.
func KnownTools() []string { return slices.Clone(knownTools) }

// nativeTools are names of the agent's own tools.
type nativeTools struct {
	exact map[string]bool
	globs []toolname.Glob
}

func newNativeTools(names []string) *nativeTools {
	t := &nativeTools{exact: map[string]bool{}}
	for _, text := range names {
		t.add(toolname.NewGlob(text))
	}
	return t
}

func (t *nativeTools) add(g toolname.Glob) {
	if only, exact := g.Exact(); exact {
		t.exact[only] = true
		return
	}
	t.globs = append(t.globs, g)
}

// has says whether a name is a native tool.
func (t *nativeTools) has(name string) bool {
	folded := toolname.WithoutNamespace(toolname.Fold(name))
	if t.exact[folded] {
		return true
	}
	for i := range t.globs {
		if t.globs[i].MatchesFolded(folded) {
			return true
		}
	}
	return false
}

// called says whether a query calls a native tool by one of its names. A tool whose server is named in the request or response is
// none.
func (t *nativeTools) called(q *Query, place int) bool {
	if q.Server != "" || q.Method {
		return false
	}
	if t.has(q.Tools[place]) {
		return true
	}
	if place == 0 {
		for _, s := range q.Spellings {
			if t.has(s) {
				return true
			}
		}
	}
	return false
}
