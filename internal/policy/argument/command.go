package argument

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/shell"
)

// folderNames are the members that name the folder in which commands run.
var folderNames = []string{"workdir", "cwd", "dir_path", "directory", "working_directory", "working_dir", "work_dir"}

// NamesFolder says that a member of that name is the folder in which commands run.
func NamesFolder(name string) bool {
	return slices.ContainsFunc(folderNames, func(known string) bool { return strings.EqualFold(known, name) })
}

// RunsIn is the folder in which commands run, according to the arguments. Null and an empty text mean nothing.
func (v *Value) RunsIn() shell.Start {
	from := shell.Start{Unknown: v.hole}
	for i := range v.Members {
		m := &v.Members[i]
		switch folder := &m.Value; {
		case !NamesFolder(m.Name):
		case folder.holey:
			from.Unknown = true
		case folder.Kind == '"' && strings.TrimSpace(folder.Text) != "":
			from.Folders = append(from.Folders, strings.TrimSpace(folder.Text))
		case folder.Kind != '"' && folder.Kind != 'n':
			from.Unknown = true
		}
	}
	return from
}

// Commands are the commands that a value would run, in any folder.
func (v *Value) Commands() []shell.Command { return new(Reader).Commands(v) }

// A Reader reads the commands of values. It remembers those of each text and each list of words: conditions may come to it in several
// ways, by a path to it and as a part of all arguments. The zero Reader begins in the folder where the call runs.
type Reader struct {
	// From is where the commands run.
	From shell.Start
	// Spend, if it is set, is told how many bytes are about to be read.
	Spend func(bytes int)

	known map[*Value][]shell.Command
}

// Commands are the commands that a value would run.
func (r *Reader) Commands(v *Value) (found []shell.Command) {
	switch v.Kind {
	case '"':
		return r.once(v, func() []shell.Command { return shell.Read(v.Text, r.From) })
	case '[':
		if argv, ok := v.words(); ok && !strings.ContainsAny(argv[0], " \t\n") {
			return r.once(v, func() []shell.Command { return shell.ReadArgv(argv, r.From) })
		}
		for i := range v.items {
			found = shell.Append(found, r.Commands(&v.items[i]))
		}
	case '{':
		for i := range v.Members {
			found = shell.Append(found, r.Commands(&v.Members[i].Value))
		}
	}
	return found
}

// once reads a value, unless it is known.
func (r *Reader) once(v *Value, read func() []shell.Command) []shell.Command {
	found, ok := r.known[v]
	if !ok {
		r.spend(v.TextSize())
		if r.known == nil {
			r.known = map[*Value][]shell.Command{}
		}
		found = read()
		r.known[v] = found
	}
	return slices.Clip(found)
}

func (r *Reader) spend(bytes int) {
	if r.Spend != nil {
		r.Spend(bytes)
	}
}

// commandNames are the members that have one command, and listNames those that may have several.
var (
	commandNames = []string{"command", "cmd", "argv", "script"}
	listNames    = []string{"commands"}
)

// programNames are the members that name a program, and argsNames those that have its arguments.
var (
	programNames = []string{"command", "cmd", "program", "executable"}
	argsNames    = []string{"args", "arguments", "argv", "cmd_args", "command_args"}
)

// member returns the first member with one of these names.
func (v *Value) member(names []string) *Member {
	for i := range v.Members {
		if slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, v.Members[i].Name) }) {
			return &v.Members[i]
		}
	}
	return nil
}

// WithArgs are the commands of a part of the arguments: if it names a program whose arguments another member lists, with those.
func (r *Reader) WithArgs(all, part *Value) []shell.Command {
	program, args := all.member(programNames), all.member(argsNames)
	if program == nil || args == nil || program.Value.Start != part.Start || part.Kind != '"' || args.Value.Kind != '[' {
		return r.Commands(part)
	}
	words, ok := args.Value.words()
	if !ok {
		return r.Commands(part)
	}
	found := r.argv(append([]string{part.Text}, words...))
	if strings.ContainsAny(part.Text, " \t\n;|&") {
		found = shell.Append(found, r.Commands(part)) // it may be a text for a shell
	}
	return found
}

// OfProgram are the commands of a program whose arguments a value lists.
func (r *Reader) OfProgram(program string, v *Value) []shell.Command {
	words, ok := v.words()
	if !ok {
		return nil
	}
	return r.argv(append([]string{program}, words...))
}

func (r *Reader) argv(words []string) []shell.Command {
	size := 0
	for _, word := range words {
		size += len(word)
	}
	r.spend(size)
	return shell.ReadArgv(words, r.From)
}

// StartsProgram says that a list of arguments is a whole command: no other member names a program, and the first of them is one that runs
// others.
func (v *Value) StartsProgram(list *Value) bool {
	words, ok := list.words()
	return ok && v.member(programNames) == nil && slices.Contains(launchers, words[0])
}

// launchers are the programs by which lists of arguments begin that are whole commands.
var launchers = strings.Fields(`sh bash zsh dash ksh fish /bin/sh /bin/bash /usr/bin/env env sudo doas cmd cmd.exe powershell
	powershell.exe pwsh python python3 node ruby perl php rm`)

// InListForm says that a member of that name is one command, given word by word. A list that may have several commands is one only if
// a word of it is an option, which is no command.
func (v *Value) InListForm(name string) bool {
	if v.Kind != '[' {
		return false
	}
	named := func(known string) bool { return strings.EqualFold(known, name) }
	words, ok := v.words()
	if !ok || strings.ContainsAny(words[0], " \t\n") {
		return false
	}
	isOption := func(word string) bool { return strings.HasPrefix(word, "-") }
	return slices.ContainsFunc(commandNames, named) || slices.ContainsFunc(listNames, named) && slices.ContainsFunc(words, isOption)
}

// Joined is a list of words as one text.
func (v *Value) Joined() string {
	words, _ := v.words()
	return strings.Join(words, " ")
}

// words are the words of a list that has only strings.
func (v *Value) words() (words []string, ok bool) {
	for i := range v.items {
		if v.items[i].Kind != '"' {
			return nil, false
		}
		words = append(words, v.items[i].Text)
	}
	return words, len(words) > 0
}
