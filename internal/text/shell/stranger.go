package shell

import (
	"regexp"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// maxStranger bounds the arguments of an unknown program that are read as commands.
const maxStranger = 16

// plainStarters are the programs that count as a command even as the first operand of an unknown program, where most programs have a
// subcommand.
var plainStarters = wordSet("sh bash zsh dash ksh sudo env rm")

// talkers are the programs whose words are a text for people.
var talkers = wordSet("write-host write-output write-warning write-error write-verbose write-debug write-information figlet toilet " +
	"cowsay notify-send say lolcat wall shellcheck shfmt bashate checkbashisms explainshell tldr cheat")

// saying are the options whose value is a text for people.
var saying = wordSet("m message b body t title d description c comment n note notes prompt query q text subject reason name label summary")

// naming are the options whose value is a name of a language, a format or a thing like that, which may also be one of a program.
var naming = wordSet("globals read-globals lang language languages generator generator-name generator_name target-language format " +
	"output-format framework driver type scope ecosystem ecosystems")

// shortNaming are the letters for these options, and languageNames the words that count after them.
var (
	shortNaming   = wordSet("g l t s j")
	languageNames = wordSet("python python3 go java ruby php node perl lua rust kotlin swift dart docker terraform r julia")
)

// names reports that a word is the value of an option that names something.
func names(option, word string) bool {
	return naming[option] || shortNaming[option] && languageNames[word]
}

// stranger reads a program that weir does not know. It may run a command that stands in its arguments: as words, as in
// "faketime 2020 rm -rf x", or as one text, as in "hyperfine 'rm -rf x'".
func (r *reader) stranger(c invocation) value {
	if talkers[c.name] {
		return unknownValue
	}
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
		case strings.HasPrefix(arg, "-") && startsProgram(arg):
			read++
			_, text, _ := strings.Cut(arg, "=")
			r.text(text, newScope(c.scope), pipes{})
		case before == "c" && strings.Contains(c.path, "/") && isText && isKnown(first):
			read++
			r.text(arg, newScope(c.scope), pipes{in: c.pipes.in}) // a copy of a shell
		case hasHole(arg) || strings.HasPrefix(arg, "-") || saying[before] || names(before, arg):
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

// starting are parts of the names of options that take a command.
var starting = regexp.MustCompile(`(?i)(?:exec|cmd|command|shell|hook|run|under|wrapper|launcher|program|before|after|pre|post)`)

// startsProgram reports an option such as --exec='rm x', whose name says that it takes a command, and whose value looks like one.
func startsProgram(arg string) bool {
	name, text, ok := strings.Cut(arg, "=")
	if !ok || hasHole(arg) || !starting.MatchString(name) || saying[strings.Trim(name, "-")] {
		return false
	}
	first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return isKnown(first)
}

// isCode reports an argument that could be code, after an option that takes code in most interpreters.
func isCode(option, arg string) bool {
	return (codeOption(option) || option == "-eval" || option == "e") && strings.ContainsAny(arg, `("`)
}

func isKnown(word string) bool {
	entry, _ := program.Lookup(word)
	return entry != program.Unknown
}

// printers are the programs that print settings for a shell, which people run with eval, and the words of which the first of their
// arguments, after options, is one when they do; - stands for none.
var printers = settingsPrinters(`
	opam env
	ssh-agent - -s
	gpg-agent - --daemon
	pyenv init virtualenv-init sh-activate
	rbenv init
	nodenv init
	goenv init
	jenv init
	plenv init
	phpenv init
	swiftenv init
	tfenv init
	direnv hook export
	brew shellenv
	mise activate env hook-env
	rtx activate env hook-env
	fnm env
	conda shell.bash shell.zsh shell.posix shell.fish
	mamba shell
	micromamba shell
	starship init
	zoxide init
	atuin init
	mcfly init
	navi widget
	broot --print-shell-function
	thefuck --alias
	pay-respects bash zsh
	hub alias
	dircolors - -b -c
	minikube docker-env podman-env
	docker-machine env
	eksctl utils
	luarocks path
	lesspipe -
	lesspipe.sh -
	keychain --eval
	aws configure
	aws-vault export
	assume --shell
	granted --shell
	saml2aws script
	okta-awscli --export
	gimme-aws-creds --action-output
	vault print
	register-python-argcomplete *
	tmux show-environment
	resize - -u
	tset -s
	devbox shellenv
	devenv print-dev-env
	nix print-dev-env
	spack load env
	modulecmd bash sh zsh
	lmod bash sh
	sdk env
	poetry env
	pdm venv
	rustup completions
	systemctl show-environment
	ros2 env
	idf.py --print-env
	gcloud info
	fzf --bash --zsh --fish
	rclone genautocomplete
`)

// settingsPrinters reads such a table.
func settingsPrinters(table string) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for line := range strings.Lines(table) {
		if words := strings.Fields(line); len(words) > 1 {
			out[words[0]] = wordSet(strings.Join(words[1:], " "))
		}
	}
	return out
}

// completing are the words by which any program prints what completes its commands, or a function for a shell.
var completing = wordSet(`completion completions --completion --completions --generate-completion --generate-completions gen-completions
	generate-shell-completion generate-completion shell-completion shell-completions --show-completion completion-script shellenv shell-init
	shell-hook shell-integration init-script autocomplete:script --shell-completion`)

// printsSettings reports a program whose output is settings for a shell.
func printsSettings(c invocation) bool {
	words := printers[c.name]
	if isLocalLibrary(c) || words["*"] || words["-"] && len(c.args) == 0 {
		return true
	}
	for _, arg := range c.args[:min(len(c.args), maxAlternatives)] {
		name, _, _ := strings.Cut(arg, "=")
		if words[arg] || completing[name] && handlers[c.name] == nil {
			return true
		}
	}
	for name := range c.scope.vars {
		if handlers[c.name] == nil && strings.HasPrefix(name, "_") && strings.HasSuffix(name, "_COMPLETE") {
			return true // so do the programs that click makes
		}
	}
	return false
}

// isLocalLibrary reports the module of perl that prints settings for a shell.
func isLocalLibrary(c invocation) bool {
	return c.name == "perl" && slices.ContainsFunc(c.args, func(arg string) bool { return strings.HasPrefix(arg, "-Mlocal::lib") }) &&
		!slices.ContainsFunc(c.args, codeOption)
}
