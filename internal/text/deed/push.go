package deed

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// pushed notes that git sends the repository to a place that the call names.
func pushed(f *finder, l *line) {
	f.named(l)
	words := l.operands()
	at := slices.IndexFunc(words, func(w shell.Word) bool { return w.Text == "push" })
	if at < 0 || l.has(dryRuns...) == truth.Yes || l.onlyLocal() {
		return
	}
	for _, w := range words[at+1:] {
		if hasScheme(w.Text) || isRemotePath(w.Text) && strings.Contains(w.Text, "@") || f.remotes[w.Text] {
			f.addOf(l, Deed{Verb: Sends, Kind: "file", Certainty: truth.Yes, uses: f.readBy(l.c, hereWord)})
			return
		}
	}
}

// hereWord is the folder where a command runs.
var hereWord = shell.Word{Text: ".", Known: true}

// named notes the name that git remote add or set-url gives.
func (f *finder) named(l *line) {
	words := l.sure()
	at := slices.IndexFunc(words, func(w shell.Word) bool { return w.Text == "add" || w.Text == "set-url" })
	if at > 0 && words[at-1].Text == "remote" && at+1 < len(words) {
		if f.remotes == nil {
			f.remotes = map[string]bool{}
		}
		f.remotes[words[at+1].Text] = true
	}
}
