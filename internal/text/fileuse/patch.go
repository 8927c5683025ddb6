package fileuse

import (
	"slices"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/shell"
)

// FindPatch returns what a text does to files if it is a patch, and whether it is one: in the format of apply_patch, or a diff.
// Paths are relative to where the call runs.
func FindPatch(text string, from shell.Start) (uses []Use, ok bool) {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if !isPatch(text) {
		return nil, false
	}
	f := &finder{}
	for _, folder := range from.Words() {
		f.folders = append(f.folders, markedText(folder))
	}
	f.patch(text, patchPlace{strip: -1})
	return f.uses, true
}

// beginPatch is the line that a patch for apply_patch begins with.
const beginPatch = "*** Begin Patch"

// isPatch reports a text that is a patch.
func isPatch(text string) bool {
	if strings.HasPrefix(strings.TrimLeft(text, " \t\r\n\uFEFF"), beginPatch) {
		return true
	}
	before := ""
	for line := range strings.Lines(text) {
		line = headerOf(line)
		if _, _, ok := fileHeaders(before, line); ok || line == beginPatch {
			return true
		}
		before = line
	}
	return false
}

// headerOf returns a line as a header: programs that apply patches allow blanks around it.
func headerOf(line string) string { return strings.Trim(line, " \t\r\n") }

// A patchPlace says where a patch is applied.
type patchPlace struct {
	folder string
	strip  int  // names removed at the begin of a path; -1: a and b, as diffs write them
	base   bool // the file may also be the last name alone
}

// A patchVerb is a header that names one file.
type patchVerb struct {
	prefix string
	deed   Deed
	plain  bool // the path has no leading names to remove
}

var patchVerbs = []patchVerb{
	{"*** Add File:", Writes, true},
	{"*** Update File:", Writes, true},
	{"*** Move to:", Writes, true},
	{"*** Delete File:", Removes, true},
	{"rename from ", Removes, true},
	{"rename to ", Writes, true},
	{"copy to ", Writes, true},
	{"Index: ", Writes, false},
}

// patch notes the files that the headers of a patch name. A content line that looks like a header counts as a header.
func (f *finder) patch(text string, at patchPlace) {
	before, updated := "", ""
	for line := range strings.Lines(text) {
		line = headerOf(line)
		if from, to, ok := fileHeaders(before, line); ok {
			f.changed(from, to, at)
		}
		if path, ok := gitHeader(line); ok {
			f.use(Writes, below(at.folder, path))
		}
		for _, verb := range patchVerbs {
			path, ok := strings.CutPrefix(line, verb.prefix)
			if path = strings.TrimSpace(path); !ok || path == "" {
				continue
			}
			if !verb.plain {
				path = at.path(path)
			}
			switch verb.prefix {
			case "*** Update File:":
				updated = path
			case "*** Move to:":
				f.use(Removes, below(at.folder, updated))
			}
			f.use(verb.deed, below(at.folder, unquoted(path)))
		}
		before = line
	}
}

// fileHeaders reads two lines that name the file before and after a change: --- and +++, or *** and --- in the older
// format.
func fileHeaders(first, second string) (from, to string, ok bool) {
	for _, signs := range [][2]string{{"--- ", "+++ "}, {"*** ", "--- "}} {
		from, ok = strings.CutPrefix(first, signs[0])
		if !ok {
			continue
		}
		if to, ok = strings.CutPrefix(second, signs[1]); ok {
			return from, to, true
		}
	}
	return "", "", false
}

// gitHeader reads the line with which git begins a file, where both names are the same.
func gitHeader(line string) (path string, ok bool) {
	names, ok := strings.CutPrefix(line, "diff --git ")
	half := len(names) / 2
	if !ok || len(names) < 5 || names[half] != ' ' || names[1] != '/' || names[half+1:][1:2] != "/" {
		return "", false
	}
	return names[2:half], names[2:half] == names[half+3:]
}

// changed notes a file of a diff. A file that becomes /dev/null is removed. The file may also have the other name.
func (f *finder) changed(from, to string, at patchPlace) {
	from, to = headerPath(from), headerPath(to)
	deed := Writes
	if to == "/dev/null" {
		deed = Removes
	}
	var paths []string
	for _, path := range []string{from, to} {
		if path != "/dev/null" {
			paths = append(paths, at.path(path))
			if at.base {
				paths = append(paths, lastName(path))
			}
		}
	}
	for _, path := range slices.Compact(paths) {
		f.use(deed, below(at.folder, path))
	}
}

// headerPath is the path of a header, without the time after it.
func headerPath(text string) string {
	path, _, _ := strings.Cut(text, "\t")
	return unquoted(strings.TrimSpace(path))
}

// unquoted removes git's quotes around odd names.
func unquoted(path string) string {
	if plain, err := strconv.Unquote(path); err == nil && strings.HasPrefix(path, `"`) {
		return strings.ToValidUTF8(plain, "\uFFFD")
	}
	return path
}

// path returns the path of a diff as it is where the patch is applied.
func (at patchPlace) path(path string) string {
	if at.strip < 0 {
		if len(path) > 2 && path[1] == '/' && strings.IndexByte("abciow", path[0]) >= 0 {
			return path[2:]
		}
		return path
	}
	for range at.strip {
		_, rest, ok := strings.Cut(path, "/")
		if !ok {
			break
		}
		path = strings.TrimLeft(rest, "/")
	}
	return path
}

// applyPatch reads apply_patch, which takes the patch as its argument or from its input.
func applyPatch(l line) {
	for _, text := range slices.Concat(l.args, l.input) {
		l.patch(text, patchPlace{strip: -1})
	}
}

// patchProgram reads patch: without -p it also searches for the file by its last name.
func patchProgram(l line) {
	args := l.read()
	l.optionFiles(args)
	if sure(args, "dry-run", "C") {
		return
	}
	at := patchPlace{strip: stripped(args)}
	at.base = at.strip < 0
	for _, dir := range args.Values("d") {
		at.folder = dir
	}
	for _, text := range l.input {
		l.patch(text, at)
	}
	if !slices.ContainsFunc(l.input, isPatch) {
		l.unpacked(below(at.folder, "."))
	}
	for _, operand := range args.Operands() {
		if operand.First == 0 {
			l.use(Writes, below(at.folder, operand.Text))
		}
		if operand.Last > 0 {
			l.use(Reads, below(at.folder, operand.Text))
		}
	}
}

// stripped is how many names the options remove; -1: they do not say.
func stripped(args *program.Line) int {
	for _, number := range args.Values("p") {
		if n, err := strconv.Atoi(number); err == nil && n >= 0 && n < maxPath {
			return n
		}
	}
	return -1
}

// apply reads git apply and git am.
func (g gitLine) apply() {
	if sure(g.sub, "check", "stat", "numstat", "summary") && !g.may(g.sub, "apply") {
		return
	}
	at := patchPlace{folder: g.folder, strip: stripped(g.sub)}
	for _, dir := range g.sub.Values("directory") {
		at.folder = below(at.folder, dir)
	}
	for _, text := range g.input {
		g.patch(text, at)
	}
	if !slices.ContainsFunc(g.input, isPatch) {
		g.unpacked(below(at.folder, "."))
	}
}

// A PatchedFile is a file that a patch writes, with the lines that it adds and removes.
type PatchedFile struct{ Path, Added, Removed string }

// PatchedFiles are the files that a patch writes; none: the text is no patch.
func PatchedFiles(text string) (files []PatchedFile) {
	if !isPatch(text) {
		return nil
	}
	var added, removed strings.Builder
	end := func() {
		if n := len(files); n > 0 {
			files[n-1].Added, files[n-1].Removed = added.String(), removed.String()
		}
		added.Reset()
		removed.Reset()
	}
	begin := func(path string) {
		end()
		files = append(files, PatchedFile{Path: path})
	}
	before := ""
	for line := range strings.Lines(text) {
		header := headerOf(line)
		_, to, isPair := fileHeaders(before, header)
		before = header
		name, isAdded := strings.CutPrefix(header, "*** Add File:")
		if !isAdded {
			name, isAdded = strings.CutPrefix(header, "*** Update File:")
		}
		switch {
		case isPair:
			begin(to)
		case isAdded:
			begin(strings.TrimSpace(name))
		case strings.HasPrefix(line, "+"):
			added.WriteString(line[1:])
		case strings.HasPrefix(line, "-"):
			removed.WriteString(line[1:])
		}
	}
	end()
	return files
}
