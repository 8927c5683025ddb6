package shell

import (
	"regexp"
	"strings"
)

// An optionRunner lists the options of a program that make it run something.
type optionRunner struct {
	text string // options, or words, whose value is run by a shell
	rest string // options after which the remaining words are a command
}

func (o optionRunner) handle(r *reader, c invocation) value {
	o.read(r, c)
	return unknownValue
}

// read reads the commands that the options of a program run.
func (o optionRunner) read(r *reader, c invocation) {
	for i, arg := range c.args {
		for option := range strings.FieldsSeq(o.rest) {
			if arg == option && i+1 < len(c.args) {
				r.run(c.args[i+1:], newScope(c.scope), pipes{in: c.pipes.in})
				return
			}
		}
		for option := range strings.FieldsSeq(o.text) {
			if text, ok := optionValue(option, c.args[i:]); ok {
				r.text(text, newScope(c.scope), pipes{in: c.pipes.in})
			}
		}
	}
}

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

// optionRunners are the programs that run something only if an option says so.
var optionRunners = map[string]optionRunner{
	"rg":              {text: "--pre --hostname-bin"},
	"man":             {text: "-P --pager -H --html"},
	"sort":            {text: "--compress-program"},
	"gsort":           {text: "--compress-program"},
	"split":           {text: "--filter"},
	"gsplit":          {text: "--filter"},
	"zip":             {text: "-TT --unzip-command"},
	"cpio":            {text: "--rsh-command"},
	"dpkg":            {text: "--pre-invoke --post-invoke"},
	"nc":              {text: "-e -c --exec --sh-exec"},
	"netcat":          {text: "-e -c --exec --sh-exec"},
	"ncat":            {text: "-e -c --exec --sh-exec"},
	"tcpdump":         {text: "-z"},
	"wget":            {text: "--use-askpass"},
	"ansible":         {text: "-a --args"},
	"ansible-console": {text: "-a --args"},
	"salt":            {text: "cmd.run cmd.run_all cmd.run_stdout cmd.shell cmd.exec_code"},
	"salt-call":       {text: "cmd.run cmd.run_all cmd.run_stdout cmd.shell"},
	"bpftrace":        {text: "-c"},
	"dtrace":          {text: "-c"},
	"complete":        {text: "-C -F"},
	"compgen":         {text: "-C"},
	"wezterm":         {rest: "--"},
	"rclone":          {text: "--password-command --metadata-mapper"},
	"restic":          {text: "--password-command"},
	"borg":            {text: "--rsh"},
	"svn":             {text: "--editor-cmd --diff-cmd --diff3-cmd"},
	"hg":              {text: "-e --ssh --remotecmd"},
	"wt":              {rest: "--"},
}

// subcommandRunners are such programs that have subcommands.
var subcommandRunners = map[string]optionRunner{
	"go":  {text: "-toolexec --toolexec -exec --exec -vettool --vettool"},
	"nix": {rest: "-c --command"},
}

var (
	aptHook      = regexp.MustCompile(`(?i)(?:invoke|cmd|command|program)[a-z-]*(?:::[^=]*)?=(.*)`)
	ssmCommands  = regexp.MustCompile(`(?s)^commands=(.*)$`)
	jsonLiterals = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)
)

// settings reads the settings of programs that run commands: apt -o and the parameters of AWS Systems Manager.
func (r *reader) settings(c invocation) {
	for i := range c.args {
		if text, ok := optionValue("-o", c.args[i:]); ok && strings.HasPrefix(c.name, "apt") {
			if found := aptHook.FindStringSubmatch(text); found != nil {
				r.text(found[1], newScope(c.scope), pipes{})
			}
		}
		text, ok := optionValue("--parameters", c.args[i:])
		if !ok || c.name != "aws" {
			continue
		}
		if found := ssmCommands.FindStringSubmatch(text); found != nil {
			r.text(strings.Trim(found[1], `[]"`), newLogin(), pipes{})
		}
		for _, found := range jsonLiterals.FindAllStringSubmatch(text, -1) {
			r.text(unescapeANSI(found[1]), newLogin(), pipes{})
		}
	}
}

// bubblewrapValues says how many values the options of bwrap take; options that are not listed take none.
var bubblewrapValues = func() map[string]int {
	values := map[string]int{}
	for count, names := range map[int]string{
		1: `args argv0 userns userns2 pidns uid gid hostname chdir unsetenv lock-file sync-fd remount-ro exec-label file-label proc dev tmpfs
			mqueue
			dir seccomp add-seccomp-fd block-fd userns-block-fd info-fd json-status-fd cap-add cap-drop perms size overlay-src tmp-overlay
			ro-overlay`,
		2: "setenv bind bind-try dev-bind dev-bind-try ro-bind ro-bind-try file bind-data ro-bind-data symlink chmod bind-fd ro-bind-fd",
		3: "overlay",
	} {
		for name := range wordSet(names) {
			values["--"+name] = count
		}
	}
	return values
}()

// bubblewrap reads bwrap. Some of its options take more than one value.
func bubblewrap(r *reader, c invocation) value {
	for i := 0; i < len(c.args); i++ {
		arg := c.args[i]
		if arg == "--" {
			i++
		} else if strings.HasPrefix(arg, "--") {
			i += bubblewrapValues[arg]
			continue
		}
		if anyNumber(arg) {
			r.noteUnknown() // the word may hold options with their values
		}
		return r.run(c.args[min(i, len(c.args)):], newScope(c.scope), c.pipes)
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
	line := newOptions("S K T H V x: a: p: n: u: g: c: s: r: d: N: P: I: k: b m C q t v exec: startas: pidfile: name: user: group: chuid: " +
		"signal: chdir: make-pidfile background start stop").read(c.args)
	for _, program := range line.all("x", "exec", "a", "startas") {
		r.run(append([]string{program}, line.operands(c.args)...), newScope(c.scope), c.pipes)
	}
	return unknownValue
}

// buildSystem reads cmake -E. Some of its commands run others.
func buildSystem(r *reader, c invocation) value {
	for i := range c.args {
		name, ok := optionValue("-E", c.args[i:])
		if !ok || c.args[i] != "-E" {
			continue
		}
		w := wrapper{options: newOptions("unset: modify:"), assigns: true}
		switch name {
		case "chdir":
			w.operands = 1
		case "env", "time":
		default:
			return unknownValue
		}
		c.args = c.args[i+2:]
		return w.handle(r, c)
	}
	return unknownValue
}

// keyBinding reads bind -x. Its value is a key and the text that the key runs.
func keyBinding(r *reader, c invocation) value {
	for i := range c.args {
		if text, ok := optionValue("-x", c.args[i:]); ok {
			_, code, _ := strings.Cut(text, ":")
			r.text(code, newScope(c.scope), pipes{})
		}
	}
	return value{""}
}

// timeOptions reads the words after time where that is no keyword but a program with options.
func timeOptions(r *reader, c invocation) value {
	c.args = append([]string{c.name}, c.args...)
	return wrappers["time"].handle(r, c)
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
	optionRunner{text: "--preview --with-shell"}.read(r, c)
	for i := range c.args {
		text, ok := optionValue("--bind", c.args[i:])
		if !ok {
			continue
		}
		for _, found := range finderActions.FindAllStringSubmatch(text, -1) {
			r.text(strings.Join(found[1:], ""), newScope(c.scope), pipes{})
		}
	}
	return unknownValue
}

// screen reads the program screen: a command, or with -X one for a running session.
func screen(r *reader, c invocation) value {
	options := newOptions("A a c: D d e: f h: i L l m O p: Q q R r: S: s: T: t: U v w x X")
	line := options.read(c.args)
	words := line.operands(c.args)
	switch {
	case !line.has("X"):
		return wrapper{options: options}.handle(r, c)
	case len(words) < 2:
	case words[0] == "stuff":
		r.text(unescapeANSI(strings.Join(words[1:], " ")), newScope(c.scope), pipes{})
	case words[0] == "exec" || words[0] == "screen" || words[0] == "eval" || words[0] == "split":
		r.run(words[1:], newScope(c.scope), pipes{})
	}
	return unknownValue
}
