package deed

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// changesRoot notes that sudo runs a command in another root, whose files say what it trusts.
func changesRoot(f *finder, l *line) {
	for _, it := range l.items {
		if !it.option {
			return
		}
		if text := it.word.Text; strings.HasPrefix(text, "-R") || strings.HasPrefix(text, "--chroot") {
			f.note(l, Escalates, "account", truth.Yes)
			return
		}
	}
}

// guesses notes that a program that asks for a password gets one from the text: a person would type it. What su gets may also be the
// commands for its shell, which are no single word.
func guesses(f *finder, l *line) {
	if l.name != "su" && l.has("-S", "--stdin") != truth.Yes {
		return
	}
	given := slices.ContainsFunc(l.c.Input, func(w shell.Word) bool {
		text := strings.TrimSpace(w.Text)
		return text != "" && (l.name != "su" || !strings.ContainsAny(text, " \n;"))
	})
	if given || len(l.c.InputFrom) > 0 && l.name != "su" {
		f.note(l, Escalates, "account", truth.Yes)
	}
}
