package fileuse

import (
	"strings"
)

// archivers returns the programs that pack and unpack.
func archivers() map[string]program {
	return map[string]program{
		"tar bsdtar": tapeArchive,
		"zip":        zip,
		"unzip":      unzip,
		"7z 7za 7zz": sevenZip,
		"gzip bzip2 xz zstd lz4 brotli compress pigz gunzip bunzip2 unxz unzstd": compress,
	}
}

// unpacked notes that a folder gets files with names that only the archive knows.
func (f *finder) unpacked(folder string) {
	if strings.Trim(folder, "/.") == "" && strings.HasPrefix(folder, "/") {
		f.tree(Writes, "/") // usually a whole system
		return
	}
	f.tree(Writes, strings.TrimRight(folder, "/")+"/"+unknownMark)
}

var tarOptions = newOptions(`f: C: T< X: b: g: I: F: K: L: N: V: H: s: file: directory: files-from< exclude-from: exclude: transform:
	strip-components: owner: group:
	mode: mtime: newer: use-compress-program: listed-incremental: checkpoint-action: to-command: rsh-command: suffix: format: one-file-system`)

// tapeArchive reads tar. Its first word may be letters without a dash.
func tapeArchive(l line) {
	words := append([]string(nil), l.args...)
	if len(words) > 0 && !strings.HasPrefix(words[0], "-") {
		words = undashed(words)
	}
	args := tarOptions.parse(words)
	archive, folder := args.values("f", "file"), ""
	if dirs := args.values("C", "directory"); len(dirs) > 0 {
		folder = dirs[len(dirs)-1]
	}
	l.files(tarOptions, args)
	switch {
	case args.has("c", "r", "u", "create", "append", "update"):
		for _, file := range archive {
			l.use(Writes, onMachine(file))
		}
		for _, operand := range args.operands {
			operand = below(folder, operand)
			l.tree(Reads, operand)
			if args.has("remove-files") {
				l.tree(Removes, operand)
			}
		}
	case args.has("x", "extract", "get"):
		for _, file := range archive {
			l.use(Reads, file)
		}
		if !args.has("O", "to-stdout", "to-command") {
			l.unpacked(below(folder, "."))
		}
	}
}

// undashed turns the letters in the first word of tar into options: their values follow in the order of the letters.
func undashed(words []string) []string {
	letters, rest := words[0], words[1:]
	var out []string
	for i := range len(letters) {
		letter := letters[i : i+1]
		out = append(out, "-"+letter)
		if tarOptions.signs[letter] != 0 && len(rest) > 0 {
			out = append(out, rest[0])
			rest = rest[1:]
		}
	}
	return append(out, rest...)
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
	args := newOptions("b: t: tt: n: P: x: i: O>").parse(l.args)
	if len(args.operands) == 0 {
		return
	}
	l.use(Writes, args.operands[0])
	for _, operand := range args.operands[1:] {
		l.note(Reads, operand, args.has("r", "recurse-paths"))
		if args.has("m", "move") {
			l.note(Removes, operand, args.has("r"))
		}
	}
}

func unzip(l line) {
	args := newOptions("d: P: x:").parse(l.args)
	if len(args.operands) == 0 {
		return
	}
	l.use(Reads, args.operands[0])
	if args.has("l", "p", "t", "v", "Z", "z") {
		return
	}
	folder := "."
	for _, dir := range args.values("d") {
		folder = dir
	}
	l.unpacked(folder)
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
		}
	case "x", "e":
		l.use(Reads, operands[1])
		l.unpacked(folder)
	}
}

// compress reads programs that replace a file by another form of it.
func compress(l line) {
	o := newOptions("S: o> T: b: M: D: suffix: threads: memlimit: block-size:")
	args := o.parse(l.args)
	l.files(o, args)
	for _, operand := range args.operands {
		l.note(Reads, operand, args.has("r", "recursive"))
		if args.has("c", "stdout", "to-stdout", "k", "keep", "t", "test", "l", "list") || l.name == "zstd" || l.name == "lz4" ||
			l.name == "brotli" || l.name == "unzstd" {
			continue
		}
		l.note(Removes, operand, args.has("r", "recursive"))
	}
}
