package warn

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A knownTool is a tool of agents whose parameters are known.
type knownTool struct {
	name   string
	params string // of all agents that have a tool of this name, in any case
	probe  string // the arguments of a harmless call
	// absolute says that agents give the tool absolute paths.
	absolute bool
}

// knownTools are the tools of agents that policies are most often about.
var knownTools = []knownTool{
	{name: "Bash", params: "command description timeout run_in_background dangerouslyDisableSandbox workdir", probe: `{"command":"true"}`},
	{name: "exec_command", params: "cmd workdir shell login tty justification", probe: `{"cmd":"true"}`},
	{name: "run_shell_command", params: "command description directory dir_path is_background", probe: `{"command":"true"}`},
	{name: "Read", params: "file_path filePath offset limit pages", probe: `{"file_path":"/home/ann/project/a.txt"}`, absolute: true},
	{
		name: "Write", params: "file_path filePath content", probe: `{"file_path":"/home/ann/project/a.txt","content":"a"}`,
		absolute: true,
	},
	{
		name: "Edit", params: "file_path filePath old_string new_string oldString newString replace_all replaceAll",
		probe: `{"file_path":"/home/ann/project/a.txt","old_string":"a","new_string":"b"}`, absolute: true,
	},
	{
		name: "MultiEdit", params: "file_path filePath edits",
		probe: `{"file_path":"/home/ann/project/a.txt","edits":[{"old_string":"a","new_string":"b"}]}`, absolute: true,
	},
	{
		name: "NotebookEdit", params: "notebook_path new_source cell_id cell_type edit_mode",
		probe: `{"notebook_path":"/home/ann/project/a.ipynb","new_source":"a"}`, absolute: true,
	},
	{name: "WebFetch", params: "url prompt format timeout", probe: `{"url":"https://docs.example/","prompt":"What is new?"}`},
	{name: "WebSearch", params: "query allowed_domains blocked_domains numResults livecrawl type", probe: `{"query":"news"}`},
	{name: "google_web_search", params: "query", probe: `{"query":"news"}`},
	{name: "web_fetch", params: "prompt url", probe: `{"prompt":"What is new at https://docs.example/?"}`},
	{name: "TodoWrite", params: "todos", probe: `{"todos":[{"content":"a","status":"pending"}]}`},
	{name: "Glob", params: "pattern path", probe: `{"pattern":"*.txt"}`},
	{
		name: "Grep", probe: `{"pattern":"a"}`,
		params: "pattern path glob include type output_mode -A -B -C -n -i head_limit offset multiline context",
	},
}

// otherTools are tools of agents whose parameters are not known here.
var otherTools = strings.Fields(`run_terminal_cmd run_terminal_command run_in_terminal run_command execute_command edit_file create_file
	delete_file list_files search_files codebase_search file_search search_replace reapply todo_write fetch_rules write_to_file
	replace_in_file list_code_definition_names browser_action use_mcp_tool access_mcp_resource ask_followup_question attempt_completion
	new_task plan_mode_respond apply_diff insert_content search_and_replace switch_mode insert_edit_into_file replace_string_in_file
	get_terminal_output semantic_search fetch_webpage view_file replace_file_content find_by_name fs_read fs_write str_replace_editor
	text_editor read_notebook edit_notebook view read_text_file open_file mcp weir_canary`)

// toolNamed returns the tool of a name, in any case.
func toolNamed(name string) (knownTool, bool) {
	i := slices.IndexFunc(knownTools, func(t knownTool) bool { return strings.EqualFold(t.name, name) })
	if i < 0 {
		return knownTool{}, false
	}
	return knownTools[i], true
}

// paramsOf are the parameters of a tool.
func (t knownTool) paramsOf() []string { return strings.Fields(t.params) }

// has says whether the tool has a parameter.
func (t knownTool) has(param string) bool {
	return slices.ContainsFunc(t.paramsOf(), func(p string) bool { return strings.EqualFold(p, param) })
}

// known are the tools of the rule, if the parameters of all of them are known; nil: of one they are not.
func (r *rule) known() (out []knownTool) {
	if r.hints != nil || len(r.servers) > 0 || !r.ofCalls() {
		return nil
	}
	for _, n := range r.tools {
		t, ok := toolNamed(n.Text)
		if !ok {
			return nil
		}
		out = append(out, t)
	}
	return out
}

// builtin are all texts of the lists that come with weir. They are tested, and mean what they say.
var builtin = func() map[string]bool {
	out := map[string]bool{}
	root, _ := yamlfile.Parse("lists.yaml", policy.Lists)
	for _, list := range root.Get("lists").Entries {
		for _, item := range items(list.Value) {
			out[item.Text] = true
		}
	}
	return out
}()

// isKnownTool says whether an agent, a model provider or weir knows a tool of that name.
func isKnownTool(name string) bool {
	folded := toolname.Fold(name)
	for _, known := range append(policy.KnownTools(), otherTools...) {
		g := toolname.NewGlob(known)
		if g.MatchesFolded(folded) {
			return true
		}
	}
	return builtin[name]
}

// isSpelling says whether a name is written as clients write tools of MCP servers, or is the name of a method of MCP.
func isSpelling(name string) bool {
	return strings.ContainsAny(name, "./:") || strings.Contains(name, "__")
}

// A paramGroup is names that different tools have for the same kind of parameter.
type paramGroup []string

// These are the groups of parameters.
var (
	commandParams = paramGroup(strings.Fields("command cmd commands script shell_command command_line commandLine cmdline"))
	pathParams    = paramGroup(strings.Fields(`file_path filePath path paths filename file absolute_path target_file notebook_path
		relative_path source destination old_path new_path`))
	urlParams = paramGroup(strings.Fields("url urls uri href link"))
	textParam = paramGroup(strings.Fields("content contents text body"))
)

// groupOf is the group of a parameter; nil: it is in none.
func groupOf(param string) paramGroup {
	for _, g := range []paramGroup{commandParams, pathParams, urlParams, textParam} {
		if slices.Contains(g, param) {
			return g
		}
	}
	return nil
}

// lastName is the name of the member that a path selects; "": it selects all arguments, or its name is quoted.
func lastName(path string) string {
	name := path[strings.LastIndex(path, ".")+1:]
	if cut := strings.IndexByte(name, '['); cut >= 0 {
		name = name[:cut]
	}
	if strings.ContainsAny(name, `$"*`) {
		return ""
	}
	return name
}
