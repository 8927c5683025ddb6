// Package fileuse finds which files shell commands read, write and remove.
package fileuse

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/shell"
)

// A Deed is what is done to a file.
type Deed = program.Access

// These are the deeds.
const (
	Reads   = program.Reads
	Writes  = program.Writes
	Removes = program.Removes
)

// A Use is one deed to one file, or to the many files that a shell pattern matches.
type Use struct {
	Deed Deed
	// Path is the file, for people, with an ellipsis for each unknown part.
	Path string
	// Tree reports that everything below is used too.
	Tree bool

	// Floating reports that the path is relative to a folder that is not known.
	Floating bool

	// spots are the locations that it could be, each under every name that it could have.
	spots [][]spot
	// unread reports that the use represents text that could not be parsed: it could be of any file.
	unread bool
}

// maxUses bounds the number of uses. Beyond it, the rest counts as text that could not be parsed.
const maxUses = 1 << 14

// maxPath bounds the length of a path in bytes, as systems do; maxNames bounds the names of all paths together. Beyond them the
// path, or the rest, counts as text that could not be parsed.
const (
	maxPath  = 1 << 12
	maxNames = 1 << 17
)

// Find returns what the commands do to files, as far as the commands say: files that only a running program knows are left out. If
// files are removed, an unset variable counts both as unknown and as empty.
func Find(commands []shell.Command) []Use {
	f := &finder{}
	for i, c := range commands {
		f.noise = slices.ContainsFunc(c.InputFrom, func(from int) bool { return from < i && silent(commands[from]) }) ||
			slices.ContainsFunc(c.Redirects, func(r shell.Redirect) bool { return r.Reads && isNoise(r.File.Text) })
		switch {
		case c.Unread:
			f.unread()
		case c.Contained && !c.Away || len(c.Folders) == 0:
		default:
			f.command(c)
		}
		if f.full {
			break
		}
	}
	return f.uses
}

// A finder collects uses.
type finder struct {
	uses    []Use
	folders []string // of the current command
	names   int      // of all paths so far
	noise   bool     // the input of the current command is empty, or only noise
	full    bool
}

func (f *finder) unread() {
	f.uses = append(f.uses, Use{Deed: Removes, unread: true}, Use{Deed: Reads, unread: true})
	f.full = true
}

// command notes what one command does.
func (f *finder) command(c shell.Command) {
	f.folders = f.folders[:0]
	for _, folder := range c.Folders {
		f.folders = append(f.folders, markedText(folder))
	}
	for _, redirect := range c.Redirects {
		file := markedText(redirect.File)
		if redirect.Reads {
			f.use(Reads, file)
		}
		if redirect.Writes {
			f.use(Writes, file)
		}
		if redirect.Writes && !redirect.Reads && !redirect.Appends && silent(c) {
			f.use(Removes, file)
		}
	}
	l := line{finder: f, args: make([]string, 0, len(c.Words)-1), found: c.Found}
	for _, word := range c.Words[1:] {
		l.args = append(l.args, markedText(word))
		l.loose = l.loose || word.AnyNumber()
	}
	f.ran(markedText(c.Path))
	for _, text := range c.Input {
		l.input = append(l.input, markedText(text))
	}
	for _, name := range programNames(markedText(c.Words[0])) {
		if alias, ok := powerShellNames[program.Name(name)]; ok && (l.listed() || slices.ContainsFunc(l.args, isParameter)) {
			name = alias
		}
		l.program(name)
	}
}

// use notes that a file is used; tree notes that everything below it is used too.
func (f *finder) use(deed Deed, path string)  { f.note(deed, path, false) }
func (f *finder) tree(deed Deed, path string) { f.note(deed, path, true) }

func (f *finder) note(deed Deed, path string, tree bool) {
	if path == "" || path == "-" || f.full || isStream(path) {
		return
	}
	tooLong := len(path) > maxPath
	if !tooLong {
		f.names += strings.Count(path, "/") + 1
	}
	if len(f.uses) >= maxUses || f.names > maxNames {
		f.unread()
		return
	}
	if tooLong {
		f.uses = append(f.uses, Use{Deed: deed, Path: "…", Tree: tree, unread: true})
		return
	}
	u := Use{Deed: deed, Path: shown(path), Tree: tree}
	_, rooted := start(path)
	for _, folder := range f.folders {
		u.Floating = u.Floating || !rooted && strings.HasPrefix(folder, unknownMark)
		u.spots = append(u.spots, locate(folder, path, deed == Removes)...)
	}
	if len(u.spots) > 0 {
		f.uses = append(f.uses, u)
	}
}

// isStream reports a path that is no ordinary file, but an open file, a device that stores nothing, or a connection.
func isStream(path string) bool {
	switch path {
	case "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom":
		return true
	}
	for _, folder := range []string{"/dev/fd/", "/proc/self/fd/", "/dev/tcp/", "/dev/udp/"} {
		if strings.HasPrefix(path, folder) {
			return true
		}
	}
	return strings.EqualFold(path, "nul") || strings.EqualFold(path, "$null")
}
