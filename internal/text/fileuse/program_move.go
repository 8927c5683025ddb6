package fileuse

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// copyFiles reads cp, mv, ln and install.
func copyFiles(l line) {
	args := l.read()
	if l.name == "install" && l.may(args, "d") {
		l.each(Writes, texts(args, 0), false)
		if sure(args, "d") {
			return
		}
	}
	sources, targets := sourcesAndTargets(args)
	if given := args.Values("t"); len(given) > 0 {
		sources, targets = texts(args, 0), nil
		for _, folder := range given {
			targets = append(targets, folder+"/")
		}
	} else if len(targets) == 0 && l.name == "ln" {
		targets = []string{"."}
	}
	if len(targets) == 0 {
		return
	}
	tree := l.loose || l.name == "mv" || l.name == "ln" || l.may(args, "r", "a")
	for _, source := range sources {
		l.note(Reads, source, tree)
		if l.name == "mv" {
			l.tree(Removes, source)
		}
	}
	l.intoAll(targets, sources, tree && l.name != "ln")
	if len(sources) == 1 && isNoise(sources[0]) && (l.name == "cp" || l.name == "install" || l.name == "ln" && l.may(args, "f")) {
		l.each(Removes, targets, false)
	}
	if l.may(args, "T") {
		l.each(Writes, targets, tree && l.name != "ln")
	}
}

// into notes that a source is written to a target: as the target itself, or into it if it is a folder.
func (f *finder) into(target, source string, tree bool) {
	name := lastName(source)
	switch {
	case target == "":
	case name == "":
		// Everything in the source is written there.
		f.note(Writes, target, tree)
	default:
		if !strings.HasSuffix(target, "/") {
			f.note(Writes, target, false)
		}
		f.note(Writes, strings.TrimRight(target, "/")+"/"+name, tree)
	}
}

// lastName returns the name that a source gets in a folder, or "" if its contents are copied.
func lastName(source string) string {
	trimmed := strings.TrimRight(source, `/\`)
	name := trimmed[strings.LastIndexAny(trimmed, `/\`)+1:]
	if name == "." || name == ".." || name == "" || name == homeMark || name == hereMark {
		return ""
	}
	return name
}

// synchronise reads rsync. With --delete it removes everything from the target that the source does not have.
func synchronise(l line) {
	args := l.read()
	l.optionFiles(args)
	sources, targets := sourcesAndTargets(args)
	if len(targets) == 0 || sure(args, "n", "list-only") {
		return
	}
	tree := l.loose || l.may(args, "a", "r")
	moves := l.may(args, "remove-source-files")
	deletes := slices.ContainsFunc(args.Given(), func(g program.Given) bool { return strings.HasPrefix(g.Name, "del") })
	for _, source := range sources {
		source = onMachine(source)
		l.note(Reads, source, tree)
		if moves {
			l.note(Removes, source, tree)
		}
		name := lastName(source)
		whole := strings.HasSuffix(source, "/") || name == ""
		for _, target := range targets {
			if l.full {
				return
			}
			target = onMachine(target)
			if whole {
				l.note(Writes, target, tree)
			} else {
				l.into(target, source, tree)
			}
			if deletes && whole {
				l.tree(Removes, strings.TrimRight(target, "/")+"/"+runMark)
			} else if deletes {
				l.tree(Removes, strings.TrimRight(target, "/")+"/"+name+"/"+runMark)
			}
		}
	}
}

// onMachine returns the path of a file on this or another machine: HOST:PATH is relative to the user's folder there.
func onMachine(operand string) string {
	for _, scheme := range []string{"rsync://", "scp://", "sftp://"} {
		if rest, ok := strings.CutPrefix(operand, scheme); ok {
			_, path, _ := strings.Cut(rest, "/")
			return "/" + path
		}
	}
	colon := strings.IndexByte(operand, ':')
	if colon <= 0 || strings.ContainsAny(operand[:colon], `/\`) || colon == 1 && len(operand) > 2 && operand[2] == '\\' {
		return operand
	}
	path := strings.TrimPrefix(operand[colon+1:], ":")
	if path == "" {
		return "~"
	}
	if path[0] == '/' || path[0] == '~' || isMark(path[0]) {
		return path
	}
	return "~/" + path
}

func secureCopy(l line) {
	args := l.read()
	sources, targets := sourcesAndTargets(args)
	tree := l.loose || l.may(args, "r")
	if len(targets) == 0 {
		return
	}
	for i := range sources {
		sources[i] = onMachine(sources[i])
	}
	for i := range targets {
		targets[i] = onMachine(targets[i])
	}
	l.each(Reads, sources, tree)
	l.intoAll(targets, sources, tree)
}

// cloudCopy reads rclone. Its remote paths have a name and a colon.
func cloudCopy(l line) {
	args := l.read()
	if sure(args, "n") {
		return
	}
	l.optionFiles(args)
	local := func(path string) bool { return !strings.Contains(path, ":") || strings.HasPrefix(path, "/") }
	sources := slices.DeleteFunc(args.Operand(1), func(path string) bool { return !local(path) })
	targets := slices.DeleteFunc(args.Operand(2), func(path string) bool { return !local(path) })
	for _, verb := range args.Operand(0) {
		if l.full {
			return
		}
		switch verb {
		case "copy", "copyto", "sync", "move", "moveto", "bisync", "cat":
			l.each(Reads, sources, true)
			l.each(Writes, targets, true)
			if strings.HasPrefix(verb, "move") {
				l.each(Removes, sources, true)
			}
			for _, target := range targets {
				if verb == "sync" && !l.full {
					l.tree(Removes, target+"/"+runMark)
				}
			}
		case "delete", "purge", "rmdir", "rmdirs", "deletefile":
			l.each(Removes, sources, true)
		}
	}
}

// bucketCopy reads the programs of clouds that copy files to and from buckets.
func bucketCopy(l line) {
	args := l.entry.Anywhere(l.args)
	words := texts(args, 0)
	at := slices.IndexFunc(words, func(word string) bool {
		return word == "cp" || word == "mv" || word == "sync" || word == "rsync"
	})
	if at < 0 || len(words) < at+3 {
		return
	}
	verb, files := words[at], words[at+1:]
	remote := func(path string) bool { return strings.Contains(path, "://") }
	tree := strings.HasSuffix(verb, "sync") || l.may(args, "recursive", "r", "R")
	last := len(files) - len(args.Final())
	deletes := strings.HasSuffix(verb, "sync") && l.may(args, "delete", "d", "delete-unmatched-destination-objects")
	for i, file := range files {
		if remote(file) {
			continue
		}
		if i < len(files)-1 {
			l.note(Reads, file, tree)
			if verb == "mv" {
				l.note(Removes, file, tree)
			}
		}
		if i >= last {
			l.note(Writes, file, tree)
			if deletes {
				l.tree(Removes, file+"/"+runMark)
			}
		}
	}
}

// podCopy reads kubectl cp. Its paths in a pod have a name and a colon.
func podCopy(l line) {
	args := l.read()
	l.optionFiles(l.entry.Anywhere(l.args))
	for _, sub := range leaves(args) {
		if sub.Entry.Is("cp") {
			l.copied(sub)
		}
	}
}

// copied notes a copy between this machine and a container.
func (l line) copied(args *program.Line) {
	inside := func(path string) bool {
		colon := strings.IndexByte(path, ':')
		return colon > 1 && !strings.Contains(path[:colon], "/.")
	}
	from, to := args.Operand(0), slices.DeleteFunc(args.Operand(1), inside)
	l.intoAll(to, from, true)
	l.each(Reads, slices.DeleteFunc(from, inside), true)
}
