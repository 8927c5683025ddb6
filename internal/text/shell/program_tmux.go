package shell

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// multiplexer reads tmux: commands separated by semicolons, many of which pass a text to a shell.
func multiplexer(r *reader, c invocation) value {
	line := c.line()
	r.optionTexts(line, c)
	for _, start := range r.starts(line) {
		r.multiplexedList(c.args[start:], c)
	}
	return unknownValue
}

// multiplexedList reads commands of tmux, separated by semicolons.
func (r *reader) multiplexedList(rest []string, c invocation) {
	for len(rest) > 0 {
		end := slices.IndexFunc(rest, func(word string) bool { return strings.HasSuffix(word, ";") })
		if end < 0 {
			r.multiplexed(rest, c)
			break
		}
		words := slices.Clone(rest[:end])
		if last := strings.TrimSuffix(rest[end], ";"); last != "" {
			words = append(words, strings.TrimSuffix(last, `\`))
		}
		r.multiplexed(words, c)
		rest = rest[end+1:]
	}
}

// multiplexed reads one command of tmux.
func (r *reader) multiplexed(command []string, c invocation) {
	if len(command) == 0 {
		return
	}
	for _, start := range r.starts(program.TmuxCommand.Read(command[1:])) {
		r.multiplexedWords(command[0], command[1+start:], c)
	}
}

func (r *reader) multiplexedWords(name string, words []string, c invocation) {
	switch {
	case name == "send-keys" || name == "send":
		for _, word := range words {
			r.text(word, newScope(c.scope), pipes{})
		}
		r.text(strings.Join(words, " "), newScope(c.scope), pipes{})
	case strings.HasPrefix(name, "set-option") || name == "set" || strings.HasPrefix(name, "set-window-option") || name == "setw":
		if len(words) > 1 && strings.HasPrefix(words[0], "default-") {
			r.text(words[1], newScope(c.scope), pipes{})
		}
	case name == "set-hook" || name == "bind-key" || name == "bind" || name == "confirm-before" || name == "command-prompt":
		// The last words are a tmux command.
		if len(words) > 0 {
			r.text("tmux "+words[len(words)-1], newScope(c.scope), pipes{})
			r.text("tmux "+strings.Join(words[1:], " "), newScope(c.scope), pipes{})
		}
	case name == "if-shell" || name == "if":
		for i, word := range words {
			if i == 0 {
				r.text(word, newScope(c.scope), pipes{})
			} else {
				r.text("tmux "+word, newScope(c.scope), pipes{})
			}
		}
	case startsShell(name):
		r.text(strings.Join(words, " "), newScope(c.scope), pipes{})
	}
}

// startsShell reports the tmux commands, also with shortened names, whose words are passed to a shell.
func startsShell(name string) bool {
	for _, full := range []string{
		"new-session", "new-window", "neww", "split-window", "splitw", "run-shell", "pipe-pane", "pipep", "respawn-pane", "respawnp",
		"respawn-window", "respawnw", "display-popup", "popup",
	} {
		if strings.HasPrefix(full, name) {
			return true
		}
	}
	return false
}
