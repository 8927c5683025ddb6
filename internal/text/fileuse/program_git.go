package fileuse

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// git reads the git commands that use files outside of its repository data.
func git(l line) {
	args := l.read()
	folder := ""
	for _, dir := range args.Values("C", "work-tree") {
		folder = below(folder, dir)
	}
	for _, sub := range args.Subcommands() {
		g := gitLine{line: l, sub: sub, folder: folder}
		g.optionFiles()
		command := gitCommands[strings.Fields(sub.Entry.Names)[0]]
		if command == nil {
			continue
		}
		for _, operand := range sub.Operands()[:min(len(sub.Operands()), maxUses+1)] {
			g.paths = append(g.paths, below(folder, operand.Text))
		}
		command(g)
	}
}

// A gitLine is a command of git.
type gitLine struct {
	line
	sub    *program.Line
	folder string   // its folder, as far as its options say
	paths  []string // the operands, relative to the folder
}

// gitCommands are the git commands that use files, by the first name of their entry.
var gitCommands = map[string]func(gitLine){
	"apply":       gitLine.apply,
	"clean":       gitLine.clean,
	"config":      gitLine.config,
	"rm":          gitLine.remove,
	"mv":          gitLine.move,
	"restore":     gitLine.restore,
	"checkout":    gitLine.checkout,
	"diff":        gitLine.diff,
	"show":        gitLine.show,
	"bundle":      gitLine.bundle,
	"clone":       gitLine.clone,
	"worktree":    gitLine.worktree,
	"hash-object": gitLine.hash,
	"grep":        gitLine.grep,
	"stash":       gitLine.stash,
}

// stash puts files back to what they were.
func (g gitLine) stash() {
	for _, sub := range g.sub.Subcommands() {
		if sub.Entry.Is("push") {
			g.belowFolder(Writes, texts(sub, 0), true)
		}
	}
}

// grep prints lines of files, with --no-index also of files outside of a repository.
func (g gitLine) grep() {
	if g.may(g.sub, "no-index") && len(g.paths) > 1 {
		g.each(Reads, g.paths[1:], true)
	}
}

// belowFolder notes files relative to the folder of git.
func (g gitLine) belowFolder(deed Deed, paths []string, tree bool) {
	for _, path := range paths {
		g.note(deed, below(g.folder, path), tree)
	}
}

func (g gitLine) remove() {
	if !sure(g.sub, "cached", "n") {
		g.each(Removes, g.paths, g.may(g.sub, "r"))
	}
}

func (g gitLine) move() {
	sources, targets := sourcesAndTargets(g.sub)
	if len(targets) > 0 {
		g.belowFolder(Removes, sources, true)
		g.belowFolder(Writes, targets, false)
	}
}

func (g gitLine) restore() {
	if !sure(g.sub, "staged") || g.may(g.sub, "worktree") {
		g.each(Writes, g.paths, true)
	}
}

// checkout changes the files after two dashes; a word before them is a branch.
func (g gitLine) checkout() {
	if at := slices.Index(g.args, "--"); at >= 0 {
		g.belowFolder(Writes, g.args[at+1:], true)
	}
}

func (g gitLine) diff() {
	if g.may(g.sub, "no-index") {
		g.each(Reads, g.paths, true)
	}
}

// show prints older versions of files: REVISION:PATH.
func (g gitLine) show() {
	for _, operand := range g.sub.Operands() {
		if _, path, ok := strings.Cut(operand.Text, ":"); ok {
			g.use(Reads, below(g.folder, path))
		}
	}
}

// hash prints the hash of a file, and with -w stores a copy that can be shown.
func (g gitLine) hash() {
	if g.may(g.sub, "w") {
		g.each(Reads, g.paths, false)
	}
}

// optionFiles notes the files that options name: those with a message or a list of paths, and those for the output.
func (g gitLine) optionFiles() {
	for _, args := range append([]*program.Line{g.sub}, leaves(g.sub)...) {
		for _, option := range args.Signed('<') {
			g.use(Reads, below(g.folder, option.Value))
		}
		for _, option := range args.Signed('>') {
			g.use(Writes, below(g.folder, option.Value))
		}
	}
}

// bundle writes commits to a file.
func (g gitLine) bundle() {
	for _, sub := range g.sub.Subcommands() {
		if sub.Entry.Is("create") {
			g.belowFolder(Writes, sub.Operand(0), false)
		}
	}
}

func (g gitLine) clone() {
	_, targets := sourcesAndTargets(g.sub)
	g.belowFolder(Writes, targets, false)
}

func (g gitLine) worktree() {
	for _, sub := range g.sub.Subcommands() {
		if sub.Entry.Is("remove") {
			g.belowFolder(Removes, texts(sub, 0), true)
		}
	}
}

// clean removes files that git does not track, which may be all files.
func (g gitLine) clean() {
	if !g.may(g.sub, "f") || sure(g.sub, "n") {
		return
	}
	if !g.sub.Sure() {
		g.paths = append(g.paths, below(g.folder, "."))
	}
	for _, path := range g.paths {
		g.tree(Removes, path+"/"+runMark)
	}
}

// config changes a configuration file.
func (g gitLine) config() {
	operands := texts(g.sub, 0)
	changes := len(operands) > 1 && operands[0] != "get" && operands[0] != "list" ||
		g.may(g.sub, "add", "unset", "unset-all", "replace-all", "rename-section", "remove-section", "e")
	if !changes || sure(g.sub, "get", "get-all", "get-regexp", "l") {
		g.belowFolder(Reads, g.sub.Values("f"), false)
		return
	}
	switch given := g.sub.Values("f"); {
	case g.may(g.sub, "global"):
		g.use(Writes, "~/.gitconfig")
	case g.may(g.sub, "system"):
		g.use(Writes, "/etc/gitconfig")
	case len(given) > 0:
		g.belowFolder(Writes, given, false)
	default:
		g.use(Writes, below(g.folder, ".git/config"))
	}
}
