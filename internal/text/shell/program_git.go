package shell

import (
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// git reads the ways in which git runs commands: aliases, configured programs, and subcommands with a command.
func git(r *reader, c invocation) value {
	line := c.line()
	for _, setting := range line.Values("c") {
		r.gitAssignment(setting, c)
	}
	for _, sub := range line.Subcommands() {
		r.gitSubcommand(sub, c)
	}
	for _, arg := range c.args {
		if text, ok := strings.CutPrefix(arg, "ext::"); ok {
			r.text(text, newScope(c.scope), pipes{})
		}
	}
	c.pipes = pipes{}
	return r.knownLine(line, c)
}

// gitSubcommand reads the settings that a subcommand of git makes, and the pager that it starts.
func (r *reader) gitSubcommand(sub *program.Line, c invocation) {
	switch e := sub.Entry; {
	case e.Is("clone"), e.Is("init"):
		for _, setting := range sub.Values("c") {
			r.gitAssignment(setting, c)
		}
	case e.Is("grep"):
		for _, text := range sub.Values("O", "open-files-in-pager") {
			r.text(text, newScope(c.scope), pipes{})
		}
	case e.Is("config"):
		operands := sub.Operands()
		for i := 1; i < len(operands); i++ {
			// The key comes first, or after the word set.
			if key := operands[i-1]; key.First < 2 && key.Text != "set" {
				r.gitSetting(key.Text, operands[i].Text, c)
			}
		}
	}
}

// gitAssignment reads a setting such as core.pager=less.
func (r *reader) gitAssignment(setting string, c invocation) {
	key, v, _ := strings.Cut(setting, "=")
	r.gitSetting(key, v, c)
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
