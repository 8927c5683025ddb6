package condition

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// pathNames are the usual names of parameters that name files and folders.
const pathNames = `filepath localPath document media
	file_path filePath path paths absolute_path target_file notebook_path file filename dir_path directory folder uri
	source destination from to old_path new_path operation.path target_notebook
	TargetFile AbsolutePath relative_path relative_workspace_path targetFile absolutePath include glob attachments attachment body_file
	local_path files ` + databaseNames

// databaseNames are the usual names of parameters that name the file of a database.
const databaseNames = `db_path dbPath database_path databasePath db_file dbFile database_file databaseFile sqlite_path sqlitePath
	sqlite_file`

// statementNames are the usual names of parameters that are statements for a database.
const statementNames = "sql sql_query query statement statements queries"

// patchParams are the usual names of parameters that are patches.
var patchParams = []string{"input", "patch", "patchText", "diff"}

// A fileTool is tools for files that have such names, and what they do to the files that their parameters name.
type fileTool struct {
	names                  string // globs
	reads, writes, removes string // parameters
	asks                   string // parameters with statements for a database, which may name files
	tree                   bool   // everything below a folder is used, too
	sends                  bool   // the files leave the machine
}

// fileTools are the tools for files that agents and MCP servers have.
var fileTools = newFileTools([]fileTool{
	{
		names: `read notebookread view view_image view_file open_file *read_file* *read_text* *read_m* readfile fs_read fsread *get_file_contents*
			cat_file *file_read* *view_code* read_notebook view_content`,
		reads: pathNames,
	},
	{
		names: `grep glob search_file_content grep_search *search_files* *find_files* find_by_name codebase_search ripgrep search_text
			*search_in_files*`,
		reads: pathNames, tree: true,
	},
	{
		names: `write edit multiedit notebookedit replace patch *apply_patch* *write_file* *edit_file* *create_file* *str_replace* *append_file*
			*save_file* *edit_block* *create_directory* *write_to_file* *replace_in_file* *search_replace* *search_and_replace* *insert_content*
			*insert_edit* *edit_notebook* *apply_diff* *replace_file_content* *replace_string* *multi_edit* *multi_replace* *file_write*
			*file_edit* *file_create* text_editor str_replace_editor *text_editor* fs_write fswrite writefile createfile editfile *write_text*
			*overwrite_file* *new_file* *update_file* *modify_file* *insert_line* *edit_lines* *reapply* propose_code *append_to_file* *put_file*`,
		writes: pathNames,
	},
	{
		names: `*upload* *attach* *send_email* *send_mail* *send_file* *post_file* *send_document* *send_photo* *put_object* *putobject*
			*send_message* *sendmessage* *postmessage* *post_message*`,
		reads: `file files file_path filePath path paths attachments attachment body_file filename local_path source document filepath localPath
			media`,
		sends: true,
	},
	{ // what takes statements may change the file, whatever its name says
		names: `*query* *execute* *exec* *sql* *statement* *table* *schema* *insert* *update_record* *delete_record* *connect* *open_database*
			*database*`,
		reads: databaseNames, writes: databaseNames, asks: statementNames,
	},
	{names: "*http* *request", reads: "body_file file files attachments"},
	{names: "*copy_file* *copy_path*", reads: "source from path old_path", writes: "destination to new_path"},
	{names: "*move_file* *rename_file* *move_path* *file_move*", removes: "source from path old_path", writes: "destination to new_path"},
	{names: `*delete_file* *remove_file* *delete_dir* *remove_dir* *delete_folder* *remove_folder* *delete_path* *remove_path* *file_delete*
		deletefile *trash_file*`, removes: pathNames, tree: true},
})

// A compiledTool is a fileTool with its names and parameters ready to compare.
type compiledTool struct {
	globs []toolname.Glob
	deeds map[string][]fileuse.Deed // by parameter
	asks  map[string]bool
	tree  bool
	sends bool
}

func newFileTools(tools []fileTool) []compiledTool {
	out := make([]compiledTool, len(tools))
	for i, t := range tools {
		c := compiledTool{deeds: map[string][]fileuse.Deed{}, asks: map[string]bool{}, tree: t.tree, sends: t.sends}
		for param := range strings.FieldsSeq(t.asks) {
			c.asks[param] = true
		}
		for name := range strings.FieldsSeq(t.names) {
			c.globs = append(c.globs, toolname.NewGlob(name))
		}
		for deed, params := range map[fileuse.Deed]string{fileuse.Reads: t.reads, fileuse.Writes: t.writes, fileuse.Removes: t.removes} {
			for param := range strings.FieldsSeq(params) {
				first, _, _ := strings.Cut(param, ".")
				c.deeds[strings.ToLower(first)] = append(c.deeds[strings.ToLower(first)], deed)
			}
		}
		out[i] = c
	}
	return out
}

// usePaths are where a call names the files that it uses: in commands, or as parameters of tools for files.
var usePaths = func() *yamlfile.Node {
	paths := &yamlfile.Node{Kind: yamlfile.List, Items: commandPaths.Items}
	for _, param := range append(strings.Fields(pathNames+" "+statementNames), patchParams...) {
		paths.Items = append(paths.Items, &yamlfile.Node{Kind: yamlfile.String, Text: param})
	}
	return paths
}()

// namedUses are what the tool of the call does to the files that one of its parameters names. A tool that is not for files does
// nothing to them.
func (f *Facts) namedUses(param string, v *argument.Value) (uses []fileuse.Use) {
	for _, t := range f.fileTools() {
		if t.asks[strings.ToLower(param)] {
			v.EachText(func(text string) {
				f.work.spend(1 + sqlPerByte*len(text))
				uses = append(uses, fileuse.FindStatement(text)...)
			})
		}
		for _, deed := range t.deeds[strings.ToLower(param)] {
			if deed == fileuse.Writes && f.views() {
				deed = fileuse.Reads
			}
			v.EachText(func(text string) {
				f.work.spend(1 + pathPerByte*len(text))
				uses = append(uses, fileuse.Named(deed, text, t.tree))
			})
		}
	}
	return uses
}

// sendsFiles says that the tool of the call sends the files that it is told away.
func (f *Facts) sendsFiles() bool {
	return slices.ContainsFunc(f.fileTools(), func(t *compiledTool) bool { return t.sends })
}

// views says that the call asks a tool that both shows and changes files to show one.
func (f *Facts) views() bool {
	for i := range f.args.Members {
		m := &f.args.Members[i]
		if strings.EqualFold(m.Name, "command") && (m.Value.Text == "view" || m.Value.Text == "read") {
			return true
		}
	}
	return false
}

// isNoUse says that a value is where other tools name files, and that this tool is not for files.
func (f *Facts) isNoUse(v *argument.Value) bool {
	param := memberOf(&f.args, v)
	return !hasCommands(param) && f.namedUses(param, v) == nil && !(slices.Contains(patchParams, param) && f.patches())
}

// patches says that the tool of the call writes files.
func (f *Facts) patches() bool {
	return slices.ContainsFunc(f.fileTools(), func(t *compiledTool) bool { return slices.Contains(t.deeds["path"], fileuse.Writes) })
}

// fileTools are the kinds of tools for files that the tool of the call is, found once: many conditions ask.
func (f *Facts) fileTools() []*compiledTool {
	if f.kinds.of == f.As.Tool && f.kinds.known {
		return f.kinds.list
	}
	folded := toolname.Fold(f.As.Tool)
	f.kinds = toolKinds{of: f.As.Tool, known: true}
	for i := range fileTools {
		if fileTools[i].named(folded) {
			f.kinds.list = append(f.kinds.list, &fileTools[i])
		}
	}
	return f.kinds.list
}

// toolKinds are the kinds of tools for files that a tool is.
type toolKinds struct {
	of    string
	known bool
	list  []*compiledTool
}

func (t *compiledTool) named(folded string) bool {
	for i := range t.globs {
		if t.globs[i].MatchesFolded(folded) {
			return true
		}
	}
	return false
}
