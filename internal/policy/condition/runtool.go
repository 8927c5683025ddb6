package condition

import (
	"slices"
	"strings"
	"unicode"

	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/text/shell"
)

// runTools are the names of tools that run what they are told, and codeTools of those that may be told so in a programming language.
var (
	runTools = toolGlobs(`*shell* *bash* *exec* *terminal* *command* *cmd* *tmux* *powershell* *pwsh* repl *_repl* *-repl*
		*console* *stdin* *send_keys* *send-keys* *type_text* *process* *ssh* *jupyter* *notebook* *kernel*
		*eval* *run_code* *run_script* *run_python* *python* *node_* *script* *sandbox* batch *invoke* *interpreter* *run_cell* *tinker*`)
	codeTools = toolGlobs(`repl *_repl* *-repl* *jupyter* *notebook* *kernel* *eval* *code* *interpreter* *tinker*
		*python* *node_* *script* *sandbox*`)
)

func toolGlobs(names string) (out []toolname.Glob) {
	for name := range strings.FieldsSeq(names) {
		out = append(out, toolname.NewGlob(name))
	}
	return out
}

// is says whether the call is one of a tool, or of a server, with one of these names.
func (f *Facts) is(globs []toolname.Glob) bool {
	tool, server := toolname.Fold(f.As.Tool), toolname.Fold(f.As.Server)
	return slices.ContainsFunc(globs, func(g toolname.Glob) bool { return g.MatchesFolded(tool) || g.MatchesFolded(server) })
}

// oddCommands are the arguments of a tool that runs what it is told, if none of them is where commands usually are: it may have any of
// them run.
func (f *Facts) oddCommands() (out []*argument.Value) {
	for i := range f.args.Members {
		if hasCommands(f.args.Members[i].Name) {
			return nil
		}
	}
	if f.is(agentTools) {
		return f.tasks()
	}
	if !f.is(runTools) {
		return f.later()
	}
	for i := range f.args.Members {
		m := &f.args.Members[i]
		if strings.HasSuffix(strings.ToLower(m.Name), "id") || argument.NamesFolder(m.Name) {
			continue
		}
		if kind := m.Value.Kind; m.Value.Unknown() || kind == '"' || kind == '[' || kind == '{' {
			out = append(out, &m.Value)
		}
	}
	return out
}

// tasks are the arguments that tell another agent what to do.
func (f *Facts) tasks() (out []*argument.Value) {
	for i := range f.args.Members {
		if m := &f.args.Members[i]; isParam(taskParams, m.Name) {
			out = append(out, &m.Value)
		}
	}
	return out
}

// readOdd reads what such a tool may run. It may as well be something else, so what cannot be parsed does not count.
func (f *Facts) readOdd(v *argument.Value) []shell.Command {
	if _, ok := f.laterNames[v]; ok {
		f.spendShell(v.TextSize())
		return shell.WithoutUnread(f.readLater(v))
	}
	if f.is(agentTools) {
		f.spendShell(v.TextSize())
		var found []shell.Command
		v.EachText(func(text string) { found = shell.Append(found, toldCommands(text)) })
		return shell.WithoutUnread(found)
	}
	found := f.reader().Commands(v)
	if text := typedKeys(v); text != "" {
		f.spendShell(len(text))
		found = shell.Append(found, shell.Read(text, f.start()))
	}
	if f.is(codeTools) {
		v.EachText(func(text string) {
			f.spendShell(len(text))
			found = shell.Append(found, shell.ReadCode(text, f.As.Tool+" "+f.As.Server, f.start()))
		})
	}
	return shell.WithoutUnread(found)
}

// typedKeys is what a list of keys types: words, and the names of keys between them; "": it is no such list.
func typedKeys(v *argument.Value) string {
	var out strings.Builder
	named := false
	for _, item := range v.Items() {
		switch {
		case item.Kind != '"':
			return ""
		case strings.EqualFold(item.Text, "space"):
			out.WriteByte(' ')
			named = true
		case strings.EqualFold(item.Text, "enter"), strings.EqualFold(item.Text, "return"), item.Text == "C-m":
			out.WriteByte('\n')
			named = true
		default:
			out.WriteString(item.Text)
		}
	}
	if !named {
		return ""
	}
	return out.String()
}

// clients are the programs for which servers have tools that take only the arguments.
var clients = strings.Fields(`gcloud aws az kubectl helm terraform tofu pulumi docker podman git gh glab npm pnpm yarn vercel netlify
	heroku flyctl psql`)

// client is the program that the name of the tool or its server says; "": none.
func (f *Facts) client() string {
	words := strings.FieldsFunc(strings.ToLower(f.As.Tool+" "+f.As.Server), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, word := range words {
		if slices.Contains(clients, word) {
			return word
		}
	}
	return ""
}

// withClient reads a text that a tool of a server gives to the program that its name says: kubectl with "delete ns prod".
func (f *Facts) withClient(v *argument.Value) []shell.Command {
	client := f.client()
	if client == "" || f.As.Server == "" || v.Kind != '"' || strings.HasPrefix(strings.TrimSpace(v.Text), client) {
		return nil
	}
	f.spendShell(len(v.Text))
	return shell.Read(client+" "+v.Text, f.start())
}
