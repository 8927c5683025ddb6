package codex

import (
	"slices"
	"strings"
)

// commandLine is a parsed command line of Codex.
type commandLine struct {
	command   string   // the first operand, if it is a command
	second    string   // the operand after the command
	overrides []string // key=value; later ones override earlier ones
	profile   string
	dir       string // another folder to work in
	oss       bool
	local     string // the local provider that oss chooses
	noUser    bool   // the user's configuration is not read
	remote    bool
	noDaemon  bool
	plain     bool // it only prints something about the program
	operands  int  // where "--" is; the number of arguments if there is none
}

// codexValues are the options of Codex that take a value.
var codexValues = func() map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq("-c --config --enable --disable --remote --remote-auth-token-env -i --image -m --model " +
		"--local-provider " +
		"-p --profile -s --sandbox -C --cd --add-dir -a --ask-for-approval --thread-source --cyber-access-program --output-schema --color " +
		"-o --output-last-message --base --commit --title --listen") {
		all[name] = true
	}
	return all
}()

// What the commands of Codex do.
var (
	// codexActs are the commands that run an agent; "": no command.
	acts = []string{"", "exec", "e", "review", "resume", "fork", "app-server"}
	// codexElsewhere are the commands that use agents outside of the session.
	elsewhere = []string{"agents", "queue", "remote-control", "cloud", "cloud-tasks", "exec-server"}
	others    = []string{
		"login", "logout", "mcp", "plugin", "completion", "update", "doctor", "sandbox", "debug", "apply", "a", "archive", "delete", "unarchive",
		"migrate-rollouts", "migrate-nfs-db", "features", "help", "execpolicy",
	}
)

func isCommand(name string) bool {
	return slices.Contains(acts[1:], name) || slices.Contains(elsewhere, name) || slices.Contains(others, name)
}

// parseArgs parses a command line like Codex.
func parseArgs(args []string) commandLine {
	c := commandLine{operands: len(args)}
	seen := 0
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			c.operands = i
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			switch seen++; {
			case seen == 1 && isCommand(arg):
				c.command = arg
			case seen == 2 && c.command != "":
				c.second = arg
			}
			continue
		}
		name, value, has := option(arg)
		if codexValues[name] && !has && i+1 < len(args) {
			i++
			value = args[i]
			// More images may follow.
			for name == "-i" || name == "--image" {
				if i+1 == len(args) || strings.HasPrefix(args[i+1], "-") {
					break
				}
				i++
			}
		}
		c.take(name, value)
	}
	return c
}

// option parses an option and its value, if that is in the same argument.
func option(arg string) (name, value string, has bool) {
	if strings.HasPrefix(arg, "--") {
		return strings.Cut(arg, "=")
	}
	name = arg[:2]
	if !codexValues[name] || len(arg) == 2 {
		return arg, "", false
	}
	return name, strings.TrimPrefix(arg[2:], "="), true
}

// take stores what weir must know about an option.
func (c *commandLine) take(name, value string) {
	switch name {
	case "-c", "--config":
		c.overrides = append(c.overrides, value)
	case "-p", "--profile":
		c.profile = value
	case "-C", "--cd":
		c.dir = value
	case "--oss":
		c.oss = true
	case "--local-provider":
		c.local = value
	case "--ignore-user-config":
		c.noUser = true
	case "--remote":
		c.remote = true
	case "--no-daemon":
		c.noDaemon = true
	case "-h", "--help", "-V", "--version":
		c.plain = true
	}
}
