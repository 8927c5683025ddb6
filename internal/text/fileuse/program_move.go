package fileuse

import (
	"slices"
	"strings"
)

// movers returns the programs that copy, move and link files.
func movers() map[string]program {
	return map[string]program{
		"cp ln install mv":  copyFiles,
		"rsync":             synchronise,
		"scp":               secureCopy,
		"rclone":            cloudCopy,
		"aws gsutil gcloud": bucketCopy,
		"kubectl oc":        podCopy,
	}
}

var copyOptions = newOptions("t: S: m: o: g: Z: target-directory: suffix: mode: owner: group: context: sparse: backup? reflink? " +
	"preserve? no-preserve:")

// copyFiles reads cp, mv, ln and install.
func copyFiles(l line) {
	args := copyOptions.parse(l.args)
	if l.name == "install" && args.has("d", "directory") {
		for _, operand := range args.operands {
			l.use(Writes, operand)
		}
		return
	}
	sources, target := args.operands, ""
	if targets := args.values("t", "target-directory"); len(targets) > 0 {
		target = targets[0] + "/"
	} else if len(sources) > 1 {
		sources, target = sources[:len(sources)-1], sources[len(sources)-1]
	} else if l.name == "ln" {
		target = "."
	} else {
		return
	}
	tree := l.loose || l.name == "mv" || l.name == "ln" || args.has("r", "R", "a", "recursive", "archive")
	for _, source := range sources {
		l.note(Reads, source, tree)
		if l.name == "mv" {
			l.tree(Removes, source)
		}
		l.into(target, source, tree && l.name != "ln")
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

var rsyncOptions = newOptions(`e: f: T: B: M: rsh: exclude: include: filter: exclude-from< include-from< files-from< password-file:
	log-file> backup-dir: partial-dir:
	temp-dir: compare-dest: copy-dest: link-dest: port: bwlimit: timeout: contimeout: chmod: chown: info: debug: out-format:
	log-file-format: max-size: min-size:
	rsync-path: block-size: suffix: usermap: groupmap: modify-window: compress-level: max-delete: address: sockopts: iconv: outbuf:
	remote-option:`)

// synchronise reads rsync. With --delete it removes everything from the target that the source does not have.
func synchronise(l line) {
	args := rsyncOptions.parse(l.args)
	l.files(rsyncOptions, args)
	if len(args.operands) < 2 || args.has("n", "dry-run", "list-only") {
		return
	}
	sources, target := args.operands[:len(args.operands)-1], onMachine(args.operands[len(args.operands)-1])
	tree := l.loose || args.has("a", "r", "archive", "recursive")
	deletes := slices.ContainsFunc(args.given, func(o option) bool { return strings.HasPrefix(o.name, "del") })
	for _, source := range sources {
		source = onMachine(source)
		l.note(Reads, source, tree)
		if args.has("remove-source-files") {
			l.note(Removes, source, tree)
		}
		name := lastName(source)
		whole := strings.HasSuffix(source, "/") || name == ""
		switch {
		case whole:
			l.note(Writes, target, tree)
		default:
			l.into(target, source, tree)
		}
		if deletes && whole {
			l.tree(Removes, strings.TrimRight(target, "/")+"/"+runMark)
		} else if deletes {
			l.tree(Removes, strings.TrimRight(target, "/")+"/"+name+"/"+runMark)
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

var scpOptions = newOptions("c: D: F: i: J: l: o: P: S: X:")

func secureCopy(l line) {
	args := scpOptions.parse(l.args)
	if len(args.operands) < 2 {
		return
	}
	sources, target := args.operands[:len(args.operands)-1], onMachine(args.operands[len(args.operands)-1])
	tree := l.loose || args.has("r")
	for _, source := range sources {
		source = onMachine(source)
		l.note(Reads, source, tree)
		l.into(target, source, tree)
	}
}

// cloudCopy reads rclone. Its remote paths have a name and a colon.
func cloudCopy(l line) {
	o := newOptions(`config: transfers: checkers: bwlimit: exclude: include: filter: filter-from< exclude-from< include-from< files-from<
		log-file> log-level:
		max-age: min-age: max-size: min-size: backup-dir: suffix: retries: P v n`)
	args := o.parse(l.args)
	if len(args.operands) < 2 || args.has("dry-run", "n") {
		return
	}
	l.files(o, args)
	local := func(path string) bool { return !strings.Contains(path, ":") || strings.HasPrefix(path, "/") }
	first := args.operands[1]
	switch args.operands[0] {
	case "copy", "copyto", "sync", "move", "moveto", "bisync", "cat":
		if local(first) {
			l.tree(Reads, first)
		}
	case "delete", "purge", "rmdir", "rmdirs", "deletefile":
		if local(first) {
			l.tree(Removes, first)
		}
		return
	}
	if strings.HasPrefix(args.operands[0], "move") && local(first) {
		l.tree(Removes, first)
	}
	if len(args.operands) > 2 && local(args.operands[2]) {
		l.tree(Writes, args.operands[2])
		if args.operands[0] == "sync" {
			l.tree(Removes, args.operands[2]+"/"+runMark)
		}
	}
}

// bucketCopy reads the programs of clouds that copy files to and from buckets.
func bucketCopy(l line) {
	args := newOptions("profile: region: exclude: include: acl: storage-class: content-type: endpoint-url: metadata: project: h: " +
		"o:").parse(l.args)
	at := slices.IndexFunc(args.operands, func(word string) bool {
		return word == "cp" || word == "mv" || word == "sync" || word == "rsync"
	})
	if at < 0 || len(args.operands) < at+3 {
		return
	}
	verb, files := args.operands[at], args.operands[at+1:]
	remote := func(path string) bool { return strings.Contains(path, "://") }
	tree := strings.HasSuffix(verb, "sync") || args.has("recursive", "r", "R")
	for i, file := range files {
		switch {
		case remote(file):
		case i < len(files)-1:
			l.note(Reads, file, tree)
			if verb == "mv" {
				l.note(Removes, file, tree)
			}
		default:
			l.note(Writes, file, tree)
			if strings.HasSuffix(verb, "sync") && args.has("delete", "d", "delete-unmatched-destination-objects") {
				l.tree(Removes, file+"/"+runMark)
			}
		}
	}
}

// podCopy reads kubectl cp. Its paths in a pod have a name and a colon.
func podCopy(l line) {
	args := newOptions("n: c: context: namespace: container: kubeconfig: cluster: user: server: token:").parse(l.args)
	if len(args.operands) < 3 || args.operands[0] != "cp" {
		return
	}
	l.copied(args.operands[1], args.operands[2])
}

// copied notes a copy between this machine and a container.
func (f *finder) copied(from, to string) {
	inside := func(path string) bool {
		colon := strings.IndexByte(path, ':')
		return colon > 1 && !strings.Contains(path[:colon], "/.")
	}
	if !inside(from) {
		f.tree(Reads, from)
	}
	if !inside(to) {
		f.into(to, from, true)
	}
}
