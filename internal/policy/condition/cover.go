package condition

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/text/deed"
	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/shell"
)

// Covers says whether the condition holds for all of a call, as a rule that allows and an exception need it. A condition by an effect
// says nothing of commands without the effect, so each command must have one that the condition names.
func (c *Condition) Covers(f *Facts) bool {
	return c.Holds(f, EveryValue, nil) && c.coversCommands(f)
}

func (c *Condition) coversCommands(f *Facts) bool {
	effects, byName := c.effects(nil, true)
	if byName || len(effects) == 0 {
		return true
	}
	for _, e := range effects {
		for _, v := range f.wholes(f.selection(e.path).Values) {
			member := memberOf(&f.args, v)
			if f.namedUses(member, v) != nil || f.isPatch(member, v) {
				continue // a tool for files
			}
			commands := f.commandsOf(v)
			if len(commands) > maxTried {
				return false
			}
			for i := range commands {
				if !f.covered(effects, v, &commands[i]) {
					return false
				}
			}
		}
	}
	return true
}

// effects are the tests of what commands do, as far as they are not negated. The second result says that the programs of all commands
// were compared, too: every command then was looked at.
func (c *Condition) effects(out []*Condition, needed bool) ([]*Condition, bool) {
	switch c.block {
	case "":
		name := strings.TrimPrefix(c.op.name, "surely_")
		switch {
		case c.op.negated || c.op.kind != opTyped:
		case c.op.verb != "" || isFileEffect(name):
			return append(out, c), false
		case name == "runs":
			return out, needed
		}
		return out, false
	case blockNone:
		return out, false
	}
	byName := false
	for i := range c.of {
		found := false
		out, found = c.of[i].effects(out, needed && c.block == blockAll)
		byName = byName || found
	}
	return out, byName
}

func isFileEffect(name string) bool { return name == "reads" || name == "writes" || name == "removes" }

// idle are programs that do nothing but for their redirections.
var idle = []string{"cd", "pushd", "popd", "pwd", "true", "false", ":", "test", "[", "echo", "printf"}

// copiers are programs that write files on the machine that they send to.
var copiers = []string{"scp", "rsync"}

// covered says whether a command has an effect that the tests name, and changes nothing beside.
func (f *Facts) covered(effects []*Condition, v *argument.Value, command *shell.Command) bool {
	if command.Unread || len(command.Words) == 0 {
		return false
	}
	if len(command.Folders) == 0 {
		return true // it is only another spelling of a command before it
	}
	names := func(name string) bool {
		return slices.ContainsFunc(effects, func(e *Condition) bool {
			return strings.TrimPrefix(e.op.name, "surely_") == name || string(e.op.verb) == name
		})
	}
	one := *command
	one.InputFrom, one.WordsFrom = nil, nil // they are about the others
	commands := []shell.Command{one}
	uses := fileuse.Find(commands)
	for i := range uses {
		if uses[i].Deed == fileuse.Writes && names("sends") && slices.Contains(copiers, command.Words[0].Text) && len(command.Redirects) == 0 {
			continue // it writes where it sends to
		}
		if uses[i].Deed != fileuse.Reads && !names("writes") && (uses[i].Deed != fileuse.Removes || !names("removes")) && !isNull(uses[i].Path) {
			return false
		}
	}
	deeds := deed.Find(commands, uses)
	for i := range deeds {
		if verb := deeds[i].Verb; !names(string(verb)) && (verb != deed.Connects || !slices.ContainsFunc(effects, isDeed)) {
			return false
		}
	}
	if command.Words[0].Known && slices.Contains(idle, command.Words[0].Text) {
		return true
	}
	return slices.ContainsFunc(effects, func(e *Condition) bool { return e.alone(f, v, *command) != nothing })
}

func isDeed(c *Condition) bool { return c.op.verb != "" }

// isNull reports the file that keeps nothing.
func isNull(path string) bool { return path == "/dev/null" }
