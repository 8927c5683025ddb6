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

// printers print settings for a shell, which people run with eval: names of programs with the first words of their arguments.
var printers = wordSet(`opam/env ssh-agent ssh-agent/-s pyenv/init rbenv/init nodenv/init goenv/init jenv/init direnv/hook direnv/export
	brew/shellenv mise/activate mise/env fnm/env conda/shell.bash conda/shell.zsh conda/shell.posix mamba/shell starship/init zoxide/init
	atuin/init dircolors dircolors/-b minikube/docker-env docker-machine/env luarocks/path lesspipe kubectl/completion helm/completion
	gh/completion npm/completion poetry/env thefuck/--alias register-python-argcomplete keychain/--eval rustup/completions
	podman-machine/env colima/completion resize tput/init`)

// printsSettings reports a program whose output is settings for a shell.
func printsSettings(c invocation) bool {
	if len(c.args) == 0 {
		return printers[c.name]
	}
	return printers[c.name+"/"+c.args[0]]
}
