package shell

import (
	"slices"
	"strings"
)

var gitGlobals = newOptions(`C: c: p P git-dir: work-tree: namespace: exec-path config-env: super-prefix: bare no-pager paginate
	no-replace-objects
	literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs no-optional-locks html-path man-path info-path version help`)

// git reads the ways in which git runs commands: aliases, configured programs, and subcommands with a command.
func git(r *reader, c invocation) value {
	line := gitGlobals.read(c.args)
	for _, setting := range line.all("c") {
		key, v, _ := strings.Cut(setting, "=")
		r.gitSetting(key, v, c)
	}
	rest := line.operands(c.args)
	r.bareSubcommand(c, rest)
	if len(rest) < 2 {
		return unknownValue
	}
	switch args := rest[1:]; rest[0] {
	case "config":
		operands := newOptions("f: file: blob: type: default: global system local worktree add replace-all get unset list l e " +
			"z").read(args).operands(args)
		if len(operands) > 0 && operands[0] == "set" {
			operands = operands[1:]
		}
		if len(operands) > 1 {
			r.gitSetting(operands[0], operands[1], c)
		}
	case "bisect":
		if args[0] == "run" {
			r.run(args[1:], newScope(c.scope), pipes{})
		}
	case "submodule":
		if i := slices.Index(args, "foreach"); i >= 0 {
			words := args[i+1:]
			for len(words) > 0 && (words[0] == "--recursive" || words[0] == "-q" || words[0] == "--quiet") {
				words = words[1:]
			}
			r.text(strings.Join(words, " "), newScope(c.scope), pipes{})
		}
	default:
		r.gitOptions(rest[0], args, c)
	}
	return unknownValue
}

// gitCodes are the options of subcommands whose value is run, as "subcommand option".
var gitCodes = wordSet(`rebase-x rebase--exec difftool-x difftool--extcmd clone-u clone--upload-pack fetch--upload-pack pull--upload-pack
	push--receive-pack push--exec ls-remote--upload-pack ls-remote--exec filter-branch--tree-filter filter-branch--index-filter
	filter-branch--msg-filter filter-branch--env-filter filter-branch--commit-filter filter-branch--parent-filter
	filter-branch--tag-name-filter filter-branch--setup archive--exec send-pack--receive-pack grep-O grep--open-files-in-pager`)

func (r *reader) gitOptions(name string, args []string, c invocation) {
	for i, arg := range args {
		option, v, given := strings.Cut(arg, "=")
		if setting, ok := optionValue("-c", args[i:]); ok && (name == "clone" || name == "init") {
			key, v, _ := strings.Cut(setting, "=")
			r.gitSetting(key, v, c)
		}
		switch {
		case len(arg) > 2 && gitCodes[name+arg[:2]]:
			r.text(arg[2:], newScope(c.scope), pipes{})
		case given && gitCodes[name+option]:
			r.text(v, newScope(c.scope), pipes{})
		case i > 0 && gitCodes[name+args[i-1]] && name != "grep": // its value is in the same word
			r.text(arg, newScope(c.scope), pipes{})
		case strings.HasPrefix(arg, "ext::"):
			r.text(strings.TrimPrefix(arg, "ext::"), newScope(c.scope), pipes{})
		}
	}
}

// gitSetting reads a configured value if git would run it.
func (r *reader) gitSetting(key, v string, c invocation) {
	key = fold(key)
	last := key[strings.LastIndexByte(key, '.')+1:]
	text, bang := strings.CutPrefix(v, "!")
	switch {
	case strings.HasPrefix(key, "alias."):
		if bang {
			r.withArgs(text, []string{anyWords}, c.scope, pipes{})
		} else if !hasHole(v) {
			r.text("git "+v, newScope(c.scope), pipes{})
		}
	case bang:
		r.text(text, newScope(c.scope), pipes{})
	case strings.HasPrefix(key, "pager."), gitPrograms[last]:
		if v != "true" && v != "false" {
			r.text(v, newScope(c.scope), pipes{})
		}
	}
}

// gitPrograms are the last parts of the keys whose value git runs.
var gitPrograms = wordSet(`pager editor sshcommand askpass fsmonitor external textconv program cmd command clean smudge process driver
	gitproxy uploadpack receivepack`)
