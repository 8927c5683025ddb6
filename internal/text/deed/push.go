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
	f.forged = f.forged || asSomebody(l)
	f.rewound = f.rewound || f.rewinds(l)
	words := l.operands()
	at := slices.IndexFunc(words, func(w shell.Word) bool { return w.Text == "push" })
	if at < 0 || l.has(dryRuns...) == truth.Yes || l.onlyLocal() {
		return
	}
	f.configured(l)
	f.computedRefs(l)
	if f.forged { // history that others work from says that somebody else did it
		f.addOf(l, Deed{Verb: Rewrites, Certainty: truth.Yes, names: l.branches(), targets: l.refs()})
	}
	if f.rewound && len(l.branches()) == 0 && l.has(forces...) != truth.No {
		f.addOf(l, Deed{Verb: Rewrites, Certainty: truth.Yes, names: []string{"main", "master"}, targets: []target{{"main"}, {"master"}}})
	}
	for _, w := range slices.Concat(words[at+1:], l.values("--repo")) {
		if hasScheme(w.Text) || isRemotePath(w.Text) && strings.Contains(w.Text, "@") || f.remotes[w.Text] {
			f.sendsRepository(l)
			return
		}
	}
}

// forces are the options of a push that overwrites.
var forces = []string{"-f", "--force", "--force-with-lease", "--force-if-includes"}

// rewinds reports that git puts the current branch onto the first commit or one that has no past, or gives it the name of a main branch:
// a push of that branch, whatever it is, then leaves nothing of what others work from.
func (f *finder) rewinds(l *line) bool {
	words := l.operands()
	named := func(texts ...string) bool {
		return slices.ContainsFunc(words, func(w shell.Word) bool { return slices.Contains(texts, w.Text) })
	}
	switch {
	case named("reset", "update-ref", "checkout", "switch", "branch"):
	default:
		return false
	}
	if named("branch") && l.has("-M", "-m", "--move") != truth.No && named("main", "master") {
		return true
	}
	return slices.ContainsFunc(l.c.WordsFrom, func(i int) bool {
		c := &f.commands[i]
		return programName(c.Words[0].Text) == "git" && hasWord(c.Words, "--max-parents=0", "commit-tree", "--reverse", "mktree")
	})
}

func (f *finder) sendsRepository(l *line) {
	f.addOf(l, Deed{Verb: Sends, Kind: "file", Certainty: truth.Yes, uses: f.readBy(l.c, hereWord)})
}

// configured notes what settings for one push say: another place, or other branches than those that are named.
func (f *finder) configured(l *line) {
	for _, set := range slices.Concat(l.values("-c", "--config-env"), l.c.Assigns) {
		switch text := strings.ToLower(set.Text); {
		case matchKnown(otherPlaces, text) == truth.Yes:
			f.sendsRepository(l)
		case matchKnown(otherBranches, text) == truth.Yes:
			f.addOf(l, Deed{Verb: Rewrites, Certainty: truth.Yes, names: []string{"main", "master"}, targets: []target{{"main"}, {"master"}}})
		}
	}
}

// otherPlaces and otherBranches are settings that change where a push goes, and what it overwrites.
var (
	otherPlaces = []string{
		"remote.*.url=*", "remote.*.pushurl=*", "url.*.pushinsteadof=*", "url.*.insteadof=*", "remote.pushdefault=*", "branch.*.pushremote=*",
		"git_config_value_*=*://*", "git_config_value_*=*@*:*",
	}
	otherBranches = []string{"remote.*.push=+*", "remote.*.mirror=true", "remote.*.push=:*", "git_config_value_*=+refs/*"}
)

// computedRefs notes a push of refs that are made from a list of refs by a program for texts, as it makes deletions of all of them.
func (f *finder) computedRefs(l *line) {
	made, refs := false, false
	seen := map[int]bool{}
	var visit func(from []int)
	visit = func(from []int) {
		for _, i := range from {
			if seen[i] || !f.spend() {
				continue
			}
			seen[i] = true
			c := &f.commands[i]
			switch name := programName(c.Words[0].Text); name {
			case "sed", "awk", "gawk", "perl", "printf", "xargs":
				made = true
			case "git":
				refs = refs || slices.ContainsFunc(c.Words, func(w shell.Word) bool {
					return w.Text == "ls-remote" || w.Text == "for-each-ref" || w.Text == "tag" || w.Text == "show-ref"
				})
			}
			visit(sourcesOf(c))
		}
	}
	visit(sourcesOf(l.c))
	if made && refs {
		f.addOf(l, Deed{Verb: Rewrites, Certainty: truth.Yes, names: []string{"refs/tags/*"}})
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

// asSomebody reports a commit in the name of somebody else than git would put there.
func asSomebody(l *line) bool {
	words := l.operands()
	if !slices.ContainsFunc(words, func(w shell.Word) bool { return w.Text == "commit" || w.Text == "commit-tree" }) {
		return false
	}
	named := func(w shell.Word) bool { return matchKnown(identities, strings.ToLower(w.Text)) == truth.Yes }
	return l.has("--author") != truth.No || slices.ContainsFunc(l.values("-c", "--config-env"), named) ||
		slices.ContainsFunc(l.c.Assigns, named)
}

// identities are the settings and variables that say who commits.
var identities = []string{
	"user.name=*", "user.email=*", "git_author_name=*", "git_author_email=*", "git_committer_name=*", "git_committer_email=*",
}
