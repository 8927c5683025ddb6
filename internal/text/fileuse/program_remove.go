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
		case i > 0 && l.args[i-1] == "-files0-from" && arg != "-":
			l.use(Reads, arg)
		}
	}
	if removes {
		for _, file := range l.found() {
			path := markedText(file)
			// A folder that a test selects is removed only if it is empty.
			l.note(Removes, path, strings.HasSuffix(path, belowMark))
		}
	}
}
