package fileuse

import (
	"regexp"
	"strings"
)

// coreDump reads gcore, which writes the memory of a process to a file.
func coreDump(l line) {
	args := l.read()
	if l.name == "py-spy" && !l.may(args, "locals", "l") {
		return // it only shows where the process is
	}
	for _, process := range append(texts(args, 0), args.Values("p")...) {
		l.use(Reads, "/proc/"+process+"/mem")
	}
	for _, prefix := range args.Values("o") {
		l.use(Writes, prefix+runMark)
	}
}

// restoreDisk reads asr, which writes a disk image over a disk.
func restoreDisk(l line) {
	args := l.entry.Anywhere(l.args)
	l.optionFiles(args)
	for _, target := range args.Values("target") {
		l.use(Writes, target)
		if l.may(args, "erase") {
			l.tree(Removes, target)
		}
	}
}

// changing matches the statements and commands of clients that change the file of a database.
var changing = regexp.MustCompile(`(?i)\b(?:insert|update|delete|drop|alter|create|replace|vacuum|reindex)\b|pragma\s+\w+\s*=|` +
	`(?m)^\s*\.(?:restore|import|read|load|clone)\b`)

// databaseFile reads the clients of databases that are a file. They show what is in it, and change it if a statement does.
func databaseFile(l line) {
	args := l.read()
	l.optionFiles(args)
	files := plainFiles(args.Operand(0))
	l.each(Reads, files, false)
	statements := append(texts(args, 1), l.input...)
	for _, option := range args.Given() {
		statements = append(statements, option.Value)
	}
	for _, text := range statements {
		for _, found := range attached.FindAllStringSubmatch(text, maxAttached) {
			files = append(files, plainFiles([]string{found[1] + found[2]})...)
			l.each(Reads, files[len(files)-1:], false)
		}
	}
	for _, text := range statements {
		if changing.MatchString(text) {
			l.each(Writes, files, false)
			return
		}
	}
}

// attached matches the files that statements and commands of clients open beside the first.
var attached = regexp.MustCompile(`(?i)\battach\s+(?:database\s+)?(?:if\s+not\s+exists\s+)?['"]([^'"]+)['"]|` +
	`(?m)^\s*\.(?:open|restore)\s+(?:-\S+\s+|main\s+)*['"]?([^\s'"]+)`)

// maxAttached bounds them.
const maxAttached = 16

// plainFiles are the files that names of databases stand for. A name may be a URI such as file:NAME?mode=ro.
func plainFiles(names []string) []string {
	out := make([]string, 0, len(names))
	for _, name := range names {
		if rest, ok := strings.CutPrefix(name, "file:"); ok {
			name, _, _ = strings.Cut(rest, "?")
			if strings.HasPrefix(name, "///") {
				name = name[2:]
			}
			name = strings.TrimPrefix(name, "//localhost")
		}
		out = append(out, name)
	}
	return out
}

// mediaInputs are the files that an input of ffmpeg names: one, or several that are read one after the other.
func mediaInputs(input string) []string {
	if files, ok := strings.CutPrefix(input, "concat:"); ok {
		return strings.Split(files, "|")
	}
	if kind, file, ok := strings.Cut(input, ",:"); ok && strings.HasPrefix(kind, "subfile") {
		return []string{file}
	}
	for _, kind := range []string{"file:", "async:", "cache:", "crypto:"} {
		input = strings.TrimPrefix(input, kind)
	}
	return []string{input}
}

// mediaFiles reads ffmpeg: the inputs follow -i, and the last word is the output.
func mediaFiles(l line) {
	for i, arg := range l.args {
		switch {
		case strings.Contains(arg, "://"):
		case i > 0 && l.args[i-1] == "-i":
			for _, name := range mediaInputs(arg) {
				l.use(Reads, name)
			}
		case i == len(l.args)-1 && i > 0 && !strings.HasPrefix(arg, "-"):
			l.use(Writes, arg)
		}
	}
}
