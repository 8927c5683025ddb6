package fileuse

import "strings"

// settingsEditor reads augtool, whose paths of files begin with /files and end with the path of a setting in the file.
func settingsEditor(l line) {
	for i, arg := range l.args {
		file, ok := strings.CutPrefix(arg, "/files/")
		if !ok {
			continue
		}
		if i > 0 && (l.args[i-1] == "get" || l.args[i-1] == "print" || l.args[i-1] == "match" || l.args[i-1] == "ls") {
			l.use(Reads, "/"+file)
		} else {
			l.use(Writes, "/"+file)
		}
	}
}

// secretScanner reads the programs that look for secrets in folders, and print what they find.
func secretScanner(l line) {
	for i, arg := range l.args {
		name, folder, ok := strings.Cut(arg, "=")
		switch {
		case ok && strings.HasPrefix(arg, "-") && (name == "--source" || name == "--directory" || name == "-s"):
			l.tree(Reads, folder)
		case !strings.HasPrefix(arg, "-") && strings.ContainsAny(arg, "/~.") && !strings.Contains(arg, "://") &&
			(i == 0 || !strings.Contains(l.args[i-1], "config") && !strings.Contains(l.args[i-1], "report") && l.args[i-1] != "-o"):
			l.tree(Reads, arg)
		}
	}
}
