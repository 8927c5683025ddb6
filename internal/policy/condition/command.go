package condition

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// identity is the tool and server that the call is judged as.
func (f *Facts) identity() string { return f.As.Tool + "\x00" + f.As.Server }

// forget drops what was read of the values if the call is now judged as another tool, which may run them in another way.
func (f *Facts) forget() {
	if as := f.identity(); as != f.readAs {
		f.readAs, f.commands, f.uses, f.deeds, f.requests = as, nil, nil, nil, nil
	}
}

// commandsOf are the commands that a value would run. They are parsed once for all conditions.
func (f *Facts) commandsOf(v *argument.Value) []shell.Command {
	f.forget()
	found, known := f.commands[v]
	if !known {
		if f.commands == nil {
			f.commands = map[*argument.Value][]shell.Command{}
		}
		found = f.readCommands(v)
		f.commands[v] = found
	}
	return found
}

// reader reads the commands of the call. It is made once, whatever the call is judged as.
func (f *Facts) reader() *argument.Reader {
	if f.texts == nil {
		f.texts = &argument.Reader{From: f.start(), Spend: f.spendShell}
	}
	return f.texts
}

// spendShell counts the steps of parsing so many bytes as a shell does.
func (f *Facts) spendShell(bytes int) { f.work.spend(shellPerByte * bytes) }

// readCommands reads the commands that a value would run.
func (f *Facts) readCommands(v *argument.Value) (found []shell.Command) {
	if language, ok := f.language(v); ok {
		f.spendShell(v.TextSize())
		v.EachText(func(text string) { found = shell.Append(found, shell.ReadCode(text, language, f.start())) })
		return found
	}
	switch {
	case f.isContent(v):
		f.spendShell(v.TextSize())
		return f.contentCommands(v)
	case f.onlyArgs(v):
		if client := f.client(); client != "" {
			found = f.reader().OfProgram(client, v)
		}
		return found
	case slices.Contains(f.odd, v):
		return f.readOdd(v)
	case f.As.Server == "" && f.is(promptTools):
		return nil
	default:
		found = shell.Append(f.reader().WithArgs(&f.args, v), f.withClient(v))
		if v == &f.args {
			found = shell.Append(found, f.writtenCommands(found))
		}
		return found
	}
}

// writtenCommands are the commands that files would run which commands write.
func (f *Facts) writtenCommands(by []shell.Command) (found []shell.Command) {
	for i := range by {
		for _, file := range by[i].Wrote {
			for _, text := range file.Texts {
				f.spendShell(len(text.Text))
				found = shell.Append(found, readContent(part{file.Name, text.Text}))
			}
		}
	}
	return shell.WithoutUnread(found)
}

// promptTools have a command that is no command of a shell.
var promptTools = toolGlobs("slashcommand")

// start is where the commands of the call begin to run. It is computed once.
func (f *Facts) start() shell.Start {
	if f.from == nil {
		from := f.args.RunsIn()
		f.from = &from
	}
	return *f.from
}

// hasCommands says that a member of that name is where commands usually are.
func hasCommands(param string) bool {
	return slices.ContainsFunc(commandPaths.Items, func(n *yamlfile.Node) bool { return strings.EqualFold(n.Text, param) })
}

// argsParam is where tools have the arguments of a program that another parameter names, or of what they are themselves.
const argsParam = "args"

// onlyArgs reports a list of arguments that is no command of its own.
func (f *Facts) onlyArgs(v *argument.Value) bool {
	return strings.EqualFold(memberOf(&f.args, v), argsParam) && !f.args.StartsProgram(v)
}

// commandPaths are the usual positions of commands in the arguments of tools.
var commandPaths = &yamlfile.Node{Kind: yamlfile.List, Items: []*yamlfile.Node{
	{Kind: yamlfile.String, Text: "command"},
	{Kind: yamlfile.String, Text: "cmd"},
	{Kind: yamlfile.String, Text: "commands"},
	{Kind: yamlfile.String, Text: "commands[*]"},
	{Kind: yamlfile.String, Text: "cli_command"},
	{Kind: yamlfile.String, Text: "shell_command"},
	{Kind: yamlfile.String, Text: "command_line"},
	{Kind: yamlfile.String, Text: "commandLine"},
	{Kind: yamlfile.String, Text: "cmdline"},
	{Kind: yamlfile.String, Text: "argv"},
	{Kind: yamlfile.String, Text: "args"},
	{Kind: yamlfile.String, Text: "program"},
	{Kind: yamlfile.String, Text: "executable"},
	{Kind: yamlfile.String, Text: "script"},
	{Kind: yamlfile.String, Text: codeParam},
}}
