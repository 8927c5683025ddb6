package shell

import (
	"slices"
	"strings"
)

var shellOptions = newOptions(`a b c e f h i k l m n p r s t u v x B C D E H P o: O: rcfile: init-file: login norc noprofile
	posix restricted verbose debugger dump-strings command: init-command: no-config interactive private pipefail`)

// shellProgram reads sh and similar shells: -c TEXT, a script, or the input.
func shellProgram(r *reader, c invocation) value {
	args := slices.Clone(c.args)
	for i, arg := range args {
		// +x turns an option off.
		if strings.HasPrefix(arg, "+") && len(arg) > 1 {
			args[i] = "-" + arg[1:]
		} else if !strings.HasPrefix(arg, "-") {
			break
		}
	}
	line := shellOptions.read(args)
	out := unknownValue
	for _, text := range line.all("command", "init-command") {
		out = r.script(value{text}, c.name, nil, c.scope, c.pipes)
	}
	for i, start := range line.starts {
		written := r.shellOperands(line, c.args[start:], c)
		if i == 0 && !line.has("command") {
			out = written
		}
	}
	return out
}

func (r *reader) shellOperands(line commandLine, args []string, c invocation) value {
	switch {
	case line.has("c") && len(args) > 0:
		name := c.name
		var rest []string
		if len(args) > 1 {
			name, rest = args[1], args[2:]
		}
		if anyNumber(args[0]) || anyNumber(name) {
			rest = []string{anyWords}
		}
		return r.script(value{args[0]}, name, rest, c.scope, c.pipes)
	case line.has("c", "command"):
		return unknownValue
	case line.has("s") || len(args) == 0 || isStdin(args[0]):
		if c.pipes.in == nil {
			return unknownValue
		}
		return r.script(c.pipes.in, c.name, args, c.scope, pipes{want: c.pipes.want})
	default:
		return r.scriptFile(args, c)
	}
}

func isStdin(name string) bool {
	return name == "-" || name == "/dev/stdin" || name == "/dev/fd/0" || name == "/proc/self/fd/0"
}

// scriptFile reads a script that the text wrote. Other scripts are known only by name, like any program.
func (r *reader) scriptFile(args []string, c invocation) value {
	if anyNumber(args[0]) {
		// It may be an option with its value.
		r.noteUnknown()
	}
	if code, ok := r.file(args[0]); ok {
		return r.script(code, args[0], args[1:], c.scope, c.pipes)
	}
	return unknownValue
}

// evaluate reads eval: its words, joined, are a text for the current shell.
func evaluate(r *reader, c invocation) value {
	args := c.args
	if len(args) > 0 && (args[0] == "--" || strings.EqualFold(args[0], "-Command")) {
		args = args[1:]
	}
	return r.text(strings.Join(args, " "), c.scope, c.pipes)
}

// source reads a file into the current shell.
func source(r *reader, c invocation) value {
	args := c.args
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return unknownValue
	}
	code, ok := r.file(args[0])
	switch {
	case isStdin(args[0]) && c.pipes.in != nil:
		code = c.pipes.in
	case !ok:
		return unknownValue
	}
	return r.texts(code, c.scope, pipes{want: c.pipes.want})
}

var envOptions = newOptions(`i 0 v u: C: S: P: ignore-environment null unset: chdir: split-string: debug block-signal default-signal
	ignore-signal list-signal-handling`)

// environment reads env. Its option -S has a command in one word.
func environment(r *reader, c invocation) value {
	w := wrapper{options: envOptions, assigns: true, folders: []string{"C", "chdir"}}
	line := envOptions.read(c.args)
	split := line.all("S", "split-string")
	if len(split) == 0 {
		return w.handle(r, c)
	}
	return r.withArgs("env "+strings.Join(split, " "), line.operands(c.args), c.scope, c.pipes)
}

var suOptions = newOptions(`c: s: g: G: w: l m p f P h V u: command: session-command: shell: group: supp-group: whitelist-environment:
	login preserve-environment fast pty user:`)

// substituteUser reads su and runuser. Their options may follow the user.
func substituteUser(r *reader, c invocation) value {
	line := suOptions.read(c.args)
	rest := line.operands(c.args)
	if line.has("u", "user") {
		return r.run(rest, newScope(c.scope), c.pipes)
	}
	if len(rest) > 0 && rest[0] == "-" {
		rest = rest[1:]
	}
	codes := line.all("c", "command", "session-command")
	if len(rest) > 0 {
		after := suOptions.read(rest[1:])
		codes = append(codes, after.all("c", "command", "session-command")...)
		rest = after.operands(rest[1:])
	}
	for _, code := range codes {
		r.script(value{code}, "sh", rest, c.scope, c.pipes)
	}
	if len(codes) == 0 && c.pipes.in != nil {
		return r.texts(c.pipes.in, newScope(c.scope), pipes{want: c.pipes.want})
	}
	return unknownValue
}

// command reads the builtin command, which runs its words or, with -v, finds the first one.
func command(r *reader, c invocation) value {
	line := newOptions("p v V").read(c.args)
	if line.has("v", "V") {
		return which(r, invocation{args: line.operands(c.args)})
	}
	return r.run(line.operands(c.args), c.scope, c.pipes)
}

// which outputs the path of a program; here its name is enough.
func which(_ *reader, c invocation) value {
	for _, arg := range c.args {
		if !strings.HasPrefix(arg, "-") {
			if anyNumber(arg) {
				return unknownValue
			}
			return value{arg + "\n"}
		}
	}
	return unknownValue
}

// trap reads the text that a signal runs.
func trap(r *reader, c invocation) value {
	line := newOptions("l p P").read(c.args)
	if rest := line.operands(c.args); len(rest) > 1 && rest[0] != "-" {
		r.text(rest[0], newScope(c.scope), pipes{})
	}
	return value{""}
}

// scheduled reads at and crontab, which run their input later.
func scheduled(r *reader, c invocation) value {
	for i := range c.args {
		if name, ok := optionValue("-f", c.args[i:]); ok && c.name != "crontab" {
			code, _ := r.file(name)
			r.texts(code, newScope(c.scope), pipes{})
		}
	}
	if c.pipes.in == nil {
		return unknownValue
	}
	for _, text := range c.pipes.in {
		if c.name != "crontab" {
			r.text(text, newScope(c.scope), pipes{})
			continue
		}
		if hasHole(text) {
			r.noteUnknown()
		}
		for _, line := range strings.Split(text, "\n") {
			r.text(cronCommand(line), newScope(c.scope), pipes{})
		}
	}
	return value{""}
}

// cronCommand returns the command in a line of a crontab.
func cronCommand(line string) string {
	line = strings.TrimSpace(line)
	times := 5
	if strings.HasPrefix(line, "@") {
		times = 1
	}
	for range times {
		i := strings.IndexAny(line, " \t")
		if i < 0 || strings.HasPrefix(line, "#") {
			return ""
		}
		line = strings.TrimLeft(line[i:], " \t")
	}
	return line
}
