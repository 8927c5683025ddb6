package claude

import "strings"

// commandLine is a parsed command line of Claude Code.
type commandLine struct {
	kept     []string // the command line without its settings and servers
	settings string   // a file or JSON
	managed  string   // JSON
	servers  []string // files or JSON
	sources  string   // which settings are loaded; "": all
	command  string   // the first operand that is a command
	print    bool
	strict   bool // no other servers are used
	// plain says that it has an option that only prints something about the program, such as its version.
	plain      bool
	background bool
	bypass     bool // permissions are not asked for
}

// An arity says how many values an option takes.
type arity int

const (
	noValue       arity = iota
	optionalValue       // if it does not begin with a dash
	oneValue
	severalValues // up to the next option
)

// options are the options of Claude Code that take values.
var options = func() map[string]arity {
	all := map[string]arity{}
	for a, names := range map[arity]string{
		optionalValue: "--debug --from-pr --prompt-suggestions --remote-control --resume --worktree -d -r -w",
		oneValue: "--agent --agents --append-system-prompt --append-system-prompt-file --debug-file --deep-link-last-fetch --deep-link-repo " +
			"--effort --fallback-model --input-format --json-schema --managed-settings --max-budget-usd --max-thinking-tokens --max-turns " +
			"--model --name --output-format --permission-mode --permission-prompt-tool --plan-mode-instructions --plugin-dir " +
			"--plugin-dir-no-mcp --plugin-url --prefill --remote-control-session-name-prefix --resume-session-at --rewind-files " +
			"--session-id --setting-sources --settings --system-prompt --system-prompt-file --task-budget --thinking " +
			"--thinking-display --workload -n",
		severalValues: "--add-dir --allowedTools --allowed-tools --betas --channels --dangerously-load-development-channels --disallowedTools " +
			"--disallowed-tools --file --mcp-config --tools",
	} {
		for name := range strings.FieldsSeq(names) {
			all[name] = a
		}
	}
	return all
}()

// commands are the commands of Claude Code. The arguments after a command belong to it.
var commands = func() map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq("agents attach auth auto-mode daemon doctor gateway help import-conversations install logs mcp " +
		"plugin plugins " +
		"project remote-control rc setup-token stop ultrareview update upgrade") {
		all[name] = true
	}
	return all
}()

// parseArgs parses a command line like Claude Code.
func parseArgs(args []string) commandLine {
	var c commandLine
	operands := 0
	for i := 0; i < len(args); {
		arg := args[i]
		if arg == "--" {
			c.kept = append(c.kept, args[i:]...)
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			if operands++; operands == 1 && commands[arg] {
				c.command = arg
				c.kept = append(c.kept, args[i:]...)
				break
			}
			c.kept = append(c.kept, arg)
			i++
			continue
		}
		name, values, used := claudeOption(args[i:])
		if !c.take(name, values) {
			c.kept = append(c.kept, args[i:i+used]...)
		}
		i += used
	}
	return c
}

// claudeOption parses the option at the beginning of args. used is how many arguments it takes.
func claudeOption(args []string) (name string, values []string, used int) {
	name = args[0]
	if long, value, ok := strings.Cut(name, "="); ok && strings.HasPrefix(name, "--") {
		return long, []string{value}, 1
	}
	if !strings.HasPrefix(name, "--") && len(name) > 2 {
		// Several letters in one argument: the value of a letter is the rest of the argument, or follows it.
		for j := 1; j < len(name); j++ {
			short := "-" + name[j:j+1]
			if options[short] == noValue {
				continue
			}
			if j+1 < len(name) {
				return name[:j+1], nil, 1
			}
			_, _, used = claudeOption(append([]string{short}, args[1:]...))
			return name, nil, used
		}
		return name, nil, 1
	}
	most := map[arity]int{noValue: 0, optionalValue: 1, oneValue: 1, severalValues: len(args)}[options[name]]
	for used = 1; used < len(args) && used <= most; used++ {
		must := used == 1 && options[name] >= oneValue
		if isOption := len(args[used]) > 1 && args[used][0] == '-'; isOption && !must {
			break
		}
		values = append(values, args[used])
	}
	return name, values, used
}

// take stores what weir must know about an option. off says that weir replaces the option, so it is removed from the command line.
func (c *commandLine) take(name string, values []string) (off bool) {
	last := ""
	if len(values) > 0 {
		last = values[len(values)-1]
	}
	switch name {
	case "--settings":
		c.settings = last
		return true
	case "--mcp-config":
		c.servers = append(c.servers, values...)
		return true
	case "--strict-mcp-config":
		c.strict = true
		return true
	case "--managed-settings":
		c.managed = last
	case "--setting-sources":
		c.sources = last
		if last == "" {
			c.sources = "none"
		}
	case "--print":
		c.print = true
	case "--bg", "--background":
		c.background = true
	case "--version", "--help", "-v", "-h":
		c.plain = true
	case "--dangerously-skip-permissions":
		c.bypass = true
	default:
		// In an argument of several letters, -p and the others are flags.
		if !strings.HasPrefix(name, "--") {
			c.print = c.print || strings.Contains(name, "p")
		}
	}
	return false
}
