package deed

import (
	"strings"

	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// served notes the folder that a server of files hands out. That of a project is everyday work: only the root, a home, and what is
// below a name that begins with a dot there count, because others can read all of it.
func served(f *finder, l *line) {
	var folders []shell.Word
	switch l.name {
	case "python", "python3", "python2", "py":
		module := l.module()
		if module == nil || !containsAny(module.name, "http.server", "simplehttpserver", "pyftpdlib", "twisted", "uploadserver") {
			return
		}
		folders = module.values("-d", "--directory", "--path")
	case "php":
		if l.has("-S") != truth.Yes {
			return
		}
		folders = l.values("-t")
	case "caddy":
		folders = l.values("--root", "-r")
	case "httpd":
		folders = l.values("-h")
	case "ruby":
		if l.has("-run") != truth.Yes {
			return
		}
		folders = l.operands()
	default:
		folders = l.operands()
		folders = append(folders[:len(folders):len(folders)], l.values("--dir", "--root", "-d", "--directory")...)
	}
	if len(folders) == 0 {
		folders = l.c.Folders
	}
	for _, folder := range folders {
		if wideFolder(homeAsTilde(folder)) {
			f.addOf(l, Deed{Verb: Sends, Kind: "file", Certainty: truth.Yes, uses: f.readBy(l.c, folder)})
			return
		}
	}
}

// homeAsTilde is the text of a word, with ~ for the home of the user at its begin.
func homeAsTilde(w shell.Word) string {
	pieces := w.Pieces()
	if len(pieces) == 0 || pieces[0].Kind != shell.Home {
		return w.Text
	}
	out := "~"
	for _, p := range pieces[1:] {
		out += p.Text
	}
	return out
}

// wideFolder reports the root, a home, all homes, a folder of the system, or a hidden folder of a home.
func wideFolder(path string) bool {
	path = strings.TrimRight(path, "/")
	rest, inHome := strings.CutPrefix(path, "~")
	if !inHome {
		rest, inHome = strings.CutPrefix(path, "/root") // the home of the administrator
	}
	if !inHome {
		for _, homes := range []string{"/home/", "/Users/"} {
			if name, ok := strings.CutPrefix(path, homes); ok {
				_, rest, _ = strings.Cut(name, "/")
				rest, inHome = "/"+rest, true
			}
		}
	}
	if inHome {
		rest = strings.Trim(rest, "/")
		return rest == "" || strings.HasPrefix(rest, ".")
	}
	switch path {
	case "", "/home", "/Users", "/etc", "/var", "/srv", "/opt", "/mnt":
		return true
	}
	return strings.HasPrefix(path, "/etc/")
}
