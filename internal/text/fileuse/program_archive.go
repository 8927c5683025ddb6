package fileuse

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/truth"
)

// unpacked notes that a folder gets files with names that only the archive knows.
func (f *finder) unpacked(folder string) {
	if strings.Trim(folder, "/.") == "" && strings.HasPrefix(folder, "/") {
		f.tree(Writes, "/") // usually a whole system
		return
	}
	f.tree(Writes, strings.TrimRight(folder, "/")+"/"+unknownMark)
	if f.hasSettings(folder) {
		f.tree(Writes, strings.TrimRight(folder, "/")+"/"+runMark)
	}
}

// settingFolders are the folders where each program has its own folder: what is unpacked there may be that of any.
var settingFolders = mustPlaces("~/.config", "~/.local/state", "~/.local/share", "/etc", "/etc/xdg", "~/Library/Application Support",
	`~\AppData\Roaming`, `~\AppData\Local`, `C:\ProgramData`)

func mustPlaces(patterns ...string) Places {
	places, err := NewPlaces(patterns)
	if err != nil {
		panic(err) // they are part of the program, and tested
	}
	return places
}

// hasSettings reports that a folder is one of them.
func (f *finder) hasSettings(folder string) bool {
	if len(folder) > maxPath {
		return false
	}
	return slices.ContainsFunc(f.folders, func(from string) bool {
		return settingFolders.of(&Use{Deed: Writes, spots: locate(from, folder, false)}, Writes) == truth.Yes
	})
}

// renamed notes where the names in an archive are led by a substitution such as ,^,/etc/,.
func (f *finder) renamed(substitutions []string) {
	for _, s := range substitutions {
		s = strings.TrimPrefix(s, "s")
		if s == "" || isLetter(s[0]) {
			continue
		}
		if parts := strings.Split(s[1:], s[:1]); len(parts) > 1 && strings.Contains(parts[1], "/") {
			f.unpacked(parts[1])
		}
	}
}

// copyArchive reads cpio and pax, which take the names of the files that they pack from their input.
func copyArchive(l line) {
	args := l.read()
	l.optionFiles(args)
	extract, create, folders := "i", "o", args.Values("D")
	if l.name == "pax" {
		extract, create, folders = "r", "w", nil
		l.renamed(args.Values("s"))
	}
	if len(folders) == 0 {
		folders = []string{"."}
	}
	passes := l.may(args, "p") && l.name == "cpio"
	if l.may(args, extract) && !sure(args, "t") || passes {
		targets := folders
		if passes || l.name == "pax" && l.may(args, create) {
			targets = texts(args, 0)
		}
		for _, folder := range targets {
			l.unpacked(folder)
		}
	}
	if l.may(args, create) || passes {
		l.each(Reads, l.inputFiles(), false)
		l.each(Reads, texts(args, 0), true)
	}
}

// inputFiles are the files that the input names, one a line.
func (l line) inputFiles() (out []string) {
	const most = 1 << 10
	for _, text := range l.input {
		for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == 0 }) {
			if out = append(out, strings.TrimSpace(name)); len(out) == most {
				return out
			}
		}
	}
	return out
}

// tapeArchive reads tar.
func tapeArchive(l line) {
	args := l.read()
	archive, folder := args.Values("f"), ""
	if dirs := args.Values("C"); len(dirs) > 0 {
		folder = dirs[len(dirs)-1]
	}
	l.optionFiles(args)
	if l.may(args, "c", "r", "u") {
		for _, file := range archive {
			l.use(Writes, onMachine(file))
		}
		paths := texts(args, 0)
		for i := range paths {
			paths[i] = below(folder, paths[i])
		}
		l.each(Reads, paths, true)
		if slices.Contains(args.Values("T"), "-") {
			l.each(Reads, l.inputFiles(), true)
		}
		if l.may(args, "remove-files") {
			l.each(Removes, paths, true)
		}
	}
	if l.may(args, "x") {
		for _, file := range archive {
			l.use(Reads, file)
		}
		if !sure(args, "O", "to-command") {
			l.unpacked(below(folder, "."))
			l.renamed(args.Values("transform"))
		}
	}
}

// below returns a path relative to a folder that a program changes to.
func below(folder, path string) string {
	if _, rooted := start(path); rooted || folder == "" {
		return path
	}
	if len(folder) > maxPath {
		return folder // the path is too long to be examined, and must not grow
	}
	return strings.TrimRight(folder, "/") + "/" + path
}

func zip(l line) {
	args := l.read()
	l.optionFiles(args)
	if l.may(args, "@") {
		l.each(Reads, l.inputFiles(), true)
	}
	l.each(Writes, args.Operand(0), false)
	tree := l.may(args, "r")
	l.each(Reads, texts(args, 1), tree)
	if l.may(args, "m") {
		l.each(Removes, texts(args, 1), tree)
	}
}

func unzip(l line) {
	args := l.read()
	l.each(Reads, args.Operand(0), false)
	if len(args.Operands()) == 0 || sure(args, "l", "p", "t", "v", "Z", "z") {
		return
	}
	folders := args.Values("d")
	if len(folders) == 0 {
		folders = []string{"."}
	}
	for _, folder := range folders {
		l.unpacked(folder)
	}
}

func sevenZip(l line) {
	folder := "."
	var operands []string
	for _, arg := range l.args {
		if dir, ok := strings.CutPrefix(arg, "-o"); ok {
			folder = dir
		} else if !strings.HasPrefix(arg, "-") {
			operands = append(operands, arg)
		}
	}
	if len(operands) < 2 {
		return
	}
	switch operands[0] {
	case "a", "u":
		l.use(Writes, operands[1])
		for _, operand := range operands[2:] {
			l.tree(Reads, operand)
			if slices.Contains(l.args, "-sdel") {
				l.tree(Removes, operand)
			}
		}
	case "x", "e":
		l.use(Reads, operands[1])
		l.unpacked(folder)
	}
}

// archiver reads rar and arj. They remove what they move to an archive.
func archiver(l line) {
	var operands []string
	for _, arg := range l.args {
		if !strings.HasPrefix(arg, "-") {
			operands = append(operands, arg)
		}
	}
	if len(operands) < 3 {
		return
	}
	switch operands[0] {
	case "a", "m", "u":
		l.use(Writes, operands[1])
		l.each(Reads, operands[2:], true)
		if operands[0] == "m" || slices.Contains(l.args, "-df") {
			l.each(Removes, operands[2:], true)
		}
	}
}

// compress reads programs that replace a file by another form of it.
func compress(l line) {
	args := l.read()
	l.optionFiles(args)
	leaves := sure(args, "c", "k", "t", "l") && !l.may(args, "rm")
	for _, name := range []string{"zstd", "lz4", "brotli", "unzstd"} {
		leaves = leaves || l.name == name && !l.may(args, "rm")
	}
	tree := l.may(args, "r")
	l.each(Reads, texts(args, 0), tree)
	if !sure(args, "c", "t", "l") {
		for _, operand := range texts(args, 0) {
			l.use(Writes, otherForm(operand))
		}
	}
	if !leaves {
		l.each(Removes, texts(args, 0), tree)
	}
}

// otherForm returns the name of the file that a compressed file becomes, or that a file becomes when it is compressed.
func otherForm(name string) string {
	for _, suffix := range []string{".gz", ".bz2", ".xz", ".zst", ".lz4", ".br", ".Z", ".lzma"} {
		if plain, ok := strings.CutSuffix(name, suffix); ok {
			return plain
		}
	}
	return name + "." + runMark
}

// pieces reads programs that write the parts of a file to files whose names begin alike.
func pieces(l line) {
	args := l.read()
	prefixes := args.Operand(1)
	if l.name == "csplit" {
		prefixes = args.Values("f")
	}
	if len(prefixes) == 0 {
		prefixes = []string{"x"}
	}
	l.each(Reads, args.Operand(0), false)
	for _, prefix := range prefixes {
		l.use(Writes, prefix+runMark)
	}
}

// unarchive reads further programs that unpack any archive.
func unarchive(l line) {
	args := l.read()
	l.each(Reads, args.Operand(0), false)
	folders := args.Values("o")
	if len(folders) == 0 {
		folders = []string{"."}
	}
	for _, folder := range folders {
		l.unpacked(folder)
	}
}

// duplicates reads ditto of macOS, which copies, packs and unpacks.
func duplicates(l line) {
	args := l.read()
	sources, targets := sourcesAndTargets(args)
	l.each(Reads, sources, true)
	for _, target := range targets {
		l.use(Writes, target)
		l.unpacked(target)
	}
}
