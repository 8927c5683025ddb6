package shell

import (
	"regexp"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/truth"
)

// optionValue returns the value of an option if that is the first argument: the next word, what follows =, or what follows a single
// letter.
func optionValue(option string, args []string) (string, bool) {
	rest, ok := strings.CutPrefix(args[0], option)
	switch {
	case !ok:
		return "", false
	case rest == "":
		if len(args) < 2 {
			return "", false
		}
		return args[1], true
	case rest[0] == '=':
		return rest[1:], true
	case len(option) == 2 && option[0] == '-':
		return rest, true
	default:
		return "", false
	}
}

var (
	aptHook      = regexp.MustCompile(`(?i)(?:invoke|cmd|command|program)[a-z-]*(?:::[^=]*)?=(.*)`)
	ssmCommands  = regexp.MustCompile(`(?s)^commands=(.*)$`)
	jsonLiterals = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)
)

// configured reads the settings of programs that run commands: apt -o and the parameters of AWS Systems Manager.
func configured(r *reader, c invocation) value {
	line := c.entry.Anywhere(c.args)
	for _, text := range line.Values("o") {
		if found := aptHook.FindStringSubmatch(text); found != nil && c.name != "aws" {
			r.text(found[1], newScope(c.scope), pipes{})
		}
	}
	if c.name == "aws" {
		for _, text := range line.Values("command") {
			r.text(text, newLogin(), pipes{})
		}
	}
	for _, text := range line.Values("parameters") {
		if found := ssmCommands.FindStringSubmatch(text); found != nil {
			r.text(strings.Trim(found[1], `[]"`), newLogin(), pipes{})
		}
		for _, found := range jsonLiterals.FindAllStringSubmatch(text, -1) {
			r.text(unescapeANSI(found[1]), newLogin(), pipes{})
		}
	}
	return known(r, c)
}

// toolchained reads a program whose first word may name a version of it, such as cargo +nightly.
func toolchained(r *reader, c invocation) value {
	for len(c.args) > 0 && strings.HasPrefix(c.args[0], "+") {
		c.args = c.args[1:]
		r.note(append([]string{c.name}, c.args...))
	}
	for _, setting := range c.entry.Anywhere(c.args).Values("config") {
		key, v, _ := strings.Cut(setting, "=")
		if cargoPrograms[key[strings.LastIndexByte(key, '.')+1:]] {
			r.text(strings.Trim(strings.TrimSpace(v), `"'`), slippedScope(c.scope), pipes{})
		}
	}
	return known(r, c)
}

// cargoPrograms are the last parts of the keys whose value cargo runs.
var cargoPrograms = wordSet("rustc rustc-wrapper rustc-workspace-wrapper rustdoc runner linker")

// scriptRunner reads an interpreter with subcommands.
func scriptRunner(r *reader, c invocation) value {
	if len(c.line().Subcommands()) == 0 || slices.Contains(c.args, "-") {
		return interpreter(r, c)
	}
	return known(r, c)
}

// stateManager reads the functions of salt that run a text.
func stateManager(r *reader, c invocation) value {
	for i, arg := range c.args {
		if strings.HasPrefix(arg, "cmd.") && i+1 < len(c.args) {
			r.text(c.args[i+1], newScope(c.scope), pipes{in: c.pipes.in, from: c.pipes.from, made: c.pipes.made})
		}
	}
	return unknownValue
}

// capabilityShell reads capsh, which passes the words after -- to a shell.
func capabilityShell(r *reader, c invocation) value {
	for i, arg := range c.args {
		if arg == "--" || arg == "==" {
			return r.run(append([]string{"bash"}, c.args[i+1:]...), newScope(c.scope), c.pipes)
		}
	}
	return unknownValue
}

// daemonStarter reads start-stop-daemon: an option names the program, and its arguments follow --.
func daemonStarter(r *reader, c invocation) value {
	line := c.line()
	for _, option := range line.Signed('!') {
		r.run([]string{option.Value}, newScope(c.scope), c.pipes)
		for _, start := range r.starts(line) {
			r.run(append([]string{option.Value}, c.args[start:]...), newScope(c.scope), c.pipes)
		}
	}
	return unknownValue
}

// keyBinding reads bind -x. Its value is a key and the text that the key runs.
func keyBinding(r *reader, c invocation) value {
	for _, text := range c.line().Values("x") {
		_, code, _ := strings.Cut(text, ":")
		r.text(code, newScope(c.scope), pipes{})
	}
	return value{""}
}

// timeOptions reads the words after time where that is no keyword but a program with options.
func timeOptions(r *reader, c invocation) value {
	c.args = append([]string{c.name}, c.args...)
	c.name = "time"
	return r.handle(c)
}

var socketPrograms = regexp.MustCompile(`(?i)^(exec|system|shell|exec1)(?:-[a-z0-9]+)?:(.*)$`)

// socketRelay reads the addresses of socat that run programs.
func socketRelay(r *reader, c invocation) value {
	for _, arg := range c.args {
		if found := socketPrograms.FindStringSubmatch(arg); found != nil {
			text, _, _ := strings.Cut(found[2], ",")
			r.text(strings.Trim(text, `"'`), newScope(c.scope), pipes{})
		}
	}
	return unknownValue
}

var finderActions = regexp.MustCompile(`(?:execute|execute-silent|become|reload|reload-sync|transform[a-z-]*|preview)` +
	`(?:\(([^)]*)\)|\[([^\]]*)\]|\{([^}]*)\}|[:~!@#$%^&*;/|](.*))`)

// fuzzyFinder reads the options of fzf that run commands.
func fuzzyFinder(r *reader, c invocation) value {
	line := c.line()
	r.optionTexts(line, c)
	for _, text := range line.Values("bind") {
		for _, found := range finderActions.FindAllStringSubmatch(text, -1) {
			r.text(strings.Join(found[1:], ""), newScope(c.scope), pipes{})
		}
	}
	return unknownValue
}

// screen reads the program screen: a command, or with -X one for a running session.
func screen(r *reader, c invocation) value {
	line := c.line()
	for _, start := range r.starts(line) {
		words := slices.Clone(c.args[start:])
		if line.Has("X") != truth.Yes {
			r.run(words, newScope(c.scope), c.pipes)
		}
		switch {
		case len(words) < 2 || line.Has("X") == truth.No:
		case words[0] == "stuff":
			r.text(unescapeANSI(strings.Join(words[1:], " ")), newScope(c.scope), pipes{})
		case words[0] == "exec" || words[0] == "screen" || words[0] == "eval" || words[0] == "split":
			r.run(words[1:], newScope(c.scope), pipes{})
		}
	}
	return unknownValue
}
