package fileuse

import (
	"slices"
	"strings"
)

var gitGlobals = newOptions("C: c: git-dir: work-tree: namespace: exec-path: config-env: super-prefix: attr-source:")

// git reads the git commands that use files outside of its repository data.
func git(l line) {
	folder := ""
	globals, rest := gitGlobals.lead(l.args)
	for _, dir := range globals.values("C", "work-tree") {
		folder = below(folder, dir)
	}
	if len(rest) == 0 {
		return
	}
	command := gitCommands[rest[0]]
	if command == nil {
		return
	}
	o := newOptions("m: F: e: o: output: f: file: message: source: s: strategy: X: conflict: n: max-count: since: until: author: format: U: " +
		"S: G:")
	g := gitLine{line: l, folder: folder, words: rest[1:], parsed: o.parse(rest[1:])}
	for _, operand := range g.operands[:min(len(g.operands), maxUses+1)] {
		g.paths = append(g.paths, below(folder, operand))
	}
	command(g)
}

// A gitLine is a command of git.
type gitLine struct {
	line
	parsed
	folder string   // its folder, as far as its options say
	words  []string // the words after its name
	paths  []string // the operands, relative to the folder
}

// gitCommands are the git commands that use files.
var gitCommands = map[string]func(gitLine){
	"apply":        gitLine.apply,
	"am":           gitLine.apply,
	"clean":        gitLine.clean,
	"config":       gitLine.config,
	"rm":           gitLine.remove,
	"mv":           gitLine.move,
	"restore":      gitLine.restore,
	"checkout":     gitLine.checkout,
	"diff":         gitLine.diff,
	"show":         gitLine.show,
	"cat-file":     gitLine.show,
	"archive":      gitLine.output,
	"format-patch": gitLine.output,
	"clone":        gitLine.clone,
	"worktree":     gitLine.worktree,
	"hash-object":  gitLine.hash,
}

func (g gitLine) remove() {
	if !g.has("cached", "n", "dry-run") {
		g.each(Removes, g.paths, g.has("r"))
	}
}

func (g gitLine) move() {
	if last := len(g.paths) - 1; last > 0 {
		g.each(Removes, g.paths[:last], true)
		g.each(Writes, g.paths[last:], false)
	}
}

func (g gitLine) restore() {
	if !g.has("staged") || g.has("worktree", "W") {
		g.each(Writes, g.paths, true)
	}
}

// checkout changes the files after two dashes; a word before them is a branch.
func (g gitLine) checkout() {
	if at := slices.Index(g.words, "--"); at >= 0 {
		for _, path := range g.words[at+1:] {
			g.tree(Writes, below(g.folder, path))
		}
	}
}

func (g gitLine) diff() {
	if g.has("no-index") {
		g.each(Reads, g.paths, true)
	}
}

// show prints older versions of files: REVISION:PATH.
func (g gitLine) show() {
	for _, operand := range g.operands {
		if _, path, ok := strings.Cut(operand, ":"); ok {
			g.use(Reads, below(g.folder, path))
		}
	}
}

// hash prints the hash of a file, and with -w stores a copy that can be shown.
func (g gitLine) hash() {
	if g.has("w") {
		g.each(Reads, g.paths, false)
	}
}

func (g gitLine) output() {
	for _, file := range g.values("o", "output") {
		g.use(Writes, below(g.folder, file))
	}
}

func (g gitLine) clone() {
	if len(g.paths) > 1 {
		g.use(Writes, g.paths[len(g.paths)-1])
	}
}

func (g gitLine) worktree() {
	if len(g.paths) > 1 && g.operands[0] == "remove" {
		g.each(Removes, g.paths[1:], true)
	}
}

// clean removes files that git does not track, which may be all files.
func (g gitLine) clean() {
	args := newOptions("e: exclude:").parse(g.words)
	if !args.has("f", "force") || args.has("n", "dry-run") {
		return
	}
	if len(args.operands) == 0 {
		args.operands = []string{"."}
	}
	for _, operand := range args.operands {
		g.tree(Removes, below(g.folder, operand)+"/"+runMark)
	}
}

// config changes a configuration file.
func (g gitLine) config() {
	file := below(g.folder, ".git/config")
	switch given := g.values("f", "file"); {
	case g.has("global"):
		file = "~/.gitconfig"
	case g.has("system"):
		file = "/etc/gitconfig"
	case len(given) > 0:
		file = below(g.folder, given[0])
	}
	changes := len(g.operands) > 1 && g.operands[0] != "get" && g.operands[0] != "list" ||
		g.has("add", "unset", "unset-all", "replace-all", "rename-section", "remove-section", "e", "edit")
	if changes && !g.has("get", "get-all", "get-regexp", "list", "l") {
		g.use(Writes, file)
	}
}
