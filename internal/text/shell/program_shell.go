package shell

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/truth"
)

// shellProgram reads sh and similar shells: -c TEXT, a script, or the input.
func shellProgram(r *reader, c invocation) value {
	if onlyChecks(c) {
		return unknownValue
	}
	args := slices.Clone(c.args)
	for i, arg := range args {
		// +x turns an option off.
		if strings.HasPrefix(arg, "+") && len(arg) > 1 {
			args[i] = "-" + arg[1:]
		} else if !strings.HasPrefix(arg, "-") {
			break
		}
	}
	c.args = args
	line := c.line()
	out := unknownValue
	for _, option := range line.Signed('$') {
		out = r.script(value{option.Value}, c.name, nil, c.scope, c.pipes)
	}
	for _, name := range line.Values("rcfile", "init-file") {
		if code, ok := r.file(name); ok {
			r.script(code, c.name, nil, c.scope, pipes{})
		} else {
			r.openFile(name)
		}
	}
	starts := r.starts(line)
	for i, start := range starts {
		written := r.shellOperands(line, c.args[start:], c)
		if i == 0 && line.Has("command") == truth.No {
			out = written
		}
	}
	if len(starts) == 0 && line.Has("command") != truth.Yes {
		out = r.shellOperands(line, nil, c)
	}
	return out
}

// onlyChecks reports a shell that reads commands but runs none: -n. One that is interactive takes no notice of it.
func onlyChecks(c invocation) bool {
	line := c.line()
	doubtful := func(arg string) bool { return strings.HasPrefix(arg, "+") || hasHole(arg) }
	return line.Has("n") == truth.Yes && line.Has("i") == truth.No && !slices.ContainsFunc(c.args, doubtful)
}

func (r *reader) shellOperands(line *program.Line, args []string, c invocation) value {
	out := unknownValue
	hasText := line.Has("c")
	if hasText != truth.No && len(args) > 0 {
		name := c.name
		var rest []string
		if len(args) > 1 {
			name, rest = args[1], args[2:]
		}
		if anyNumber(args[0]) || anyNumber(name) {
			rest = []string{anyWords}
		}
		out = r.script(value{args[0]}, name, rest, c.scope, c.pipes)
	}
	switch {
	case hasText == truth.Yes || line.Has("command") == truth.Yes:
		return out
	case line.Has("s") != truth.No || len(args) == 0 || isStdin(args[0]):
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
	r.openFile(args[0])
	return unknownValue
}

// openFile notes that a shell reads an open file of another command: nothing is known of it.
func (r *reader) openFile(name string) {
	if !isStdin(name) && (strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/self/fd/")) {
		r.noteUnknown()
	}
}

// evaluate reads eval: its words, joined, are a text for the current shell.
func evaluate(r *reader, c invocation) value {
	args := c.args
	if len(args) > 1 && args[0] == "-S" && (args[1] == "mix" || args[1] == "rebar3") {
		return r.run(args[1:], c.scope, c.pipes) // the shell of Elixir has this name, too, and runs such a script
	}
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
		r.openFile(args[0])
		return unknownValue
	}
	return r.texts(code, c.scope, pipes{want: c.pipes.want})
}

// environment reads env. Its option -S has a command in one word.
func environment(r *reader, c invocation) value {
	line := c.line()
	split := line.Values("S")
	if len(split) == 0 {
		return known(r, c)
	}
	var rest []string
	if starts := line.Starts(); len(starts) > 0 {
		rest = c.args[starts[0]:]
	}
	return r.withArgs("env "+strings.Join(split, " "), rest, c.scope, c.pipes)
}

// substituteUser reads su and runuser. Their options may follow the user.
func substituteUser(r *reader, c invocation) value {
	line := c.line()
	codes := line.Signed('$')
	starts := r.starts(line)
	var rest []string
	for _, start := range starts {
		rest = c.args[start:]
		if line.Has("u") != truth.No {
			r.run(slices.Clone(rest), newScope(c.scope), c.pipes)
		}
		if rest[0] == "-" {
			rest = rest[1:]
		}
		if len(rest) > 0 {
			after := c.entry.Read(rest[1:])
			codes = append(codes, after.Signed('$')...)
			if rest = nil; len(after.Starts()) > 0 {
				rest = after.Args[after.Starts()[0]:]
			}
		}
	}
	if line.Has("u") == truth.Yes {
		return unknownValue
	}
	for _, code := range codes {
		r.script(value{code.Value}, "sh", rest, c.scope, c.pipes)
	}
	if len(codes) == 0 && c.pipes.in != nil {
		return r.texts(c.pipes.in, newScope(c.scope), pipes{want: c.pipes.want})
	}
	return unknownValue
}

// command reads the builtin command, which runs its words or, with -v, finds the first one.
func command(r *reader, c invocation) value {
	line := c.line()
	out := unknownValue
	for _, start := range r.starts(line) {
		if line.Has("v", "V") != truth.No {
			out = which(r, invocation{args: c.args[start:]})
		}
		if line.Has("v", "V") != truth.Yes {
			out = r.run(c.args[start:], c.scope, c.pipes)
		}
	}
	return out
}

// which outputs the path of a program, of which only the name is known, and mostly that of the folder.
func which(_ *reader, c invocation) value {
	for _, arg := range c.args {
		if !strings.HasPrefix(arg, "-") {
			if anyNumber(arg) {
				return unknownValue
			}
			if strings.Contains(arg, "/") {
				return value{arg + "\n"}
			}
			return value{oneWord + "/bin/" + arg + "\n"}
		}
	}
	return unknownValue
}

// trap reads the text that a signal runs.
func trap(r *reader, c invocation) value {
	for _, start := range r.starts(c.line()) {
		if rest := c.args[start:]; len(rest) > 1 && rest[0] != "-" {
			r.text(rest[0], newScope(c.scope), pipes{})
		}
	}
	return value{""}
}

// scheduled reads at and crontab, which run their input later.
func scheduled(r *reader, c invocation) value {
	for _, name := range c.line().Values("f") {
		code, _ := r.file(name)
		r.texts(code, newScope(c.scope), pipes{})
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
