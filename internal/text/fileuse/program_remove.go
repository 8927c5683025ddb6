package fileuse

import "strings"

// removers returns the programs that remove files.
func removers() map[string]program {
	return map[string]program{
		"rm":             plan{deed: Removes, tree: "r R recursive"}.program(),
		"unlink rmdir":   plan{deed: Removes}.program(),
		"shred wipe srm": plan{options: "n: s: iterations: size: random-source:", deed: Removes, tree: "r R"}.program(),
		"trash trash-put rimraf del-cli rip gtrash": plan{deed: Removes, tree: "*"}.program(),
		"find bfs": search,
	}
}

// search reads find: -delete removes the files that it finds, and some actions write files.
func search(l line) {
	removes := false
	for i, arg := range l.args {
		switch {
		case arg == "-delete":
			removes = true
		case i > 0 && (strings.HasPrefix(l.args[i-1], "-fprint") || l.args[i-1] == "-fls"):
			l.use(Writes, arg)
		}
	}
	if removes {
		for _, file := range l.found() {
			l.tree(Removes, markedText(file))
		}
	}
}
