package fileuse

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// runsPython reads python. Its module pip writes to a given folder.
func runsPython(l line) {
	args := l.read()
	modules := args.Values("m")
	if slices.Contains(modules, "pip") {
		for _, start := range args.Starts() {
			pip := l
			pip.args = l.args[start:]
			pip.program("pip")
		}
	}
	if at := slices.Index(l.args, "-m"); at >= 0 && at+2 <= len(l.args) {
		l.module(modules, l.args[at+2:])
	}
	if !sure(args, "c", "m") {
		l.each(Reads, args.Operand(0), false)
	}
	if l.may(args, "c") {
		l.stranger() // the code gets them
	}
}

// module notes the files that the modules of python use which are programs.
func (l line) module(modules, args []string) {
	var operands []string
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			operands = append(operands, arg)
		}
	}
	for _, module := range modules {
		switch module {
		case "json.tool", "base64", "gzip", "bz2", "lzma", "calendar", "ast", "tokenize", "quopri", "uu", "pickle", "pickletools":
			l.each(Reads, operands, false)
		case "zipfile", "tarfile":
			extracts := slices.ContainsFunc(args, func(arg string) bool { return arg == "-e" || arg == "--extract" })
			for i, operand := range operands {
				switch {
				case i > 0 && extracts:
					l.unpacked(operand)
				case i > 0:
					l.tree(Reads, operand)
				}
			}
		}
	}
}

// installs reads pip, which writes to the folders that its options name.
func installs(l line) {
	args := l.entry.Anywhere(l.args)
	l.optionFiles(args)
	for _, folder := range args.Values("t", "d", "prefix", "root", "src", "w") {
		l.unpacked(folder)
	}
}

// golang reads the options of go that name a file to write, and the files given to go run.
func golang(l line) {
	args := l.read()
	for _, sub := range append([]*program.Line{args}, args.Subcommands()...) {
		folder := ""
		for _, dir := range sub.Values("C") {
			folder = dir
		}
		for _, option := range sub.Signed('>') {
			l.use(Writes, below(folder, option.Value))
		}
		for _, file := range sub.Operand(0) {
			if sub.Entry.Is("run") && strings.HasSuffix(file, ".go") {
				l.use(Reads, below(folder, file))
			}
		}
	}
}

// ran notes the file that a command runs if its program is given as a path. Installed programs are left out.
func (f *finder) ran(path string) {
	cut := strings.LastIndexAny(path, `/\`)
	if cut < 0 {
		return
	}
	folder := strings.TrimRight(path[:cut], `/\`)
	switch folder[strings.LastIndexAny(folder, `/\`)+1:] {
	case "bin", "sbin", "libexec", ".bin", "Scripts", "System32", "system32":
		return
	}
	f.use(Reads, path)
}
