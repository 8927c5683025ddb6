package fileuse

import "strings"

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
