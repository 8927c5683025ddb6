package deed

import (
	"strings"

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
