package shell

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// maxStranger bounds the arguments of an unknown program that are read as commands.
const maxStranger = 16

// plainStarters are the programs that count as a command even as the first operand of an unknown program, where most programs have a
// subcommand.
var plainStarters = wordSet("sh bash zsh dash ksh sudo env rm")

// saying are the options whose value is a text for people.
var saying = wordSet("m message b body t title d description c comment n note notes prompt query q text subject reason name label summary")

// stranger reads a program that weir does not know. It may run a command that stands in its arguments: as words, as in
// "faketime 2020 rm -rf x", or as one text, as in "hyperfine 'rm -rf x'".
func (r *reader) stranger(c invocation) value {
	read := 0
	for i, arg := range c.args {
		if read >= maxStranger || r.spent {
			break
		}
		before := ""
		if i > 0 && strings.HasPrefix(c.args[i-1], "-") {
			before = strings.Trim(c.args[i-1], "-")
		}
		first, rest, isText := strings.Cut(strings.TrimSpace(arg), " ")
		switch {
		case i > 0 && isCode(c.args[i-1], arg):
			read++
			r.codes(value{arg}, c) // it may be an interpreter
		case hasHole(arg) || strings.HasPrefix(arg, "-") || saying[before]:
		case isText:
			if isKnown(first) && strings.TrimSpace(rest) != "" {
				read++
				r.text(arg, newScope(c.scope), pipes{in: c.pipes.in})
			}
		case i+1 < len(c.args) && isKnown(arg) && (i > 0 || plainStarters[programName(arg)]):
			read++
			r.run(slices.Clone(c.args[i:]), newScope(c.scope), pipes{in: c.pipes.in})
		}
	}
	return unknownValue
}

// isCode reports an argument that could be code, after an option that takes code in most interpreters.
func isCode(option, arg string) bool {
	return (codeOption(option) || option == "-eval" || option == "e") && strings.ContainsAny(arg, `("`)
}

func isKnown(word string) bool {
	entry, _ := program.Lookup(word)
	return entry != program.Unknown
}

// printers are the programs that print settings for a shell, which people run with eval, and the first words of their arguments with which
// they do; - stands for none.
var printers = map[string]map[string]bool{
	"opam": wordSet("env"), "ssh-agent": wordSet("- -s"), "pyenv": wordSet("init"), "rbenv": wordSet("init"), "nodenv": wordSet("init"),
	"goenv": wordSet("init"), "jenv": wordSet("init"), "direnv": wordSet("hook export"), "brew": wordSet("shellenv"),
	"mise": wordSet("activate env"), "fnm": wordSet("env"), "conda": wordSet("shell.bash shell.zsh shell.posix"), "mamba": wordSet("shell"),
	"starship": wordSet("init"), "zoxide": wordSet("init"), "atuin": wordSet("init"), "dircolors": wordSet("- -b"),
	"minikube": wordSet("docker-env"), "docker-machine": wordSet("env"), "luarocks": wordSet("path"), "lesspipe": wordSet("-"),
	"kubectl": wordSet("completion"), "helm": wordSet("completion"), "gh": wordSet("completion"), "npm": wordSet("completion"),
	"poetry": wordSet("env"), "rustup": wordSet("completions"), "keychain": wordSet("--eval"),
}

// printsSettings reports a program whose output is settings for a shell.
func printsSettings(c invocation) bool {
	words := printers[c.name]
	if words == nil {
		return false
	}
	if len(c.args) == 0 {
		return words["-"]
	}
	return words[c.args[0]]
}
