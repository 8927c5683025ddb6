package fileuse

import "strings"

// writers returns the programs that create or change files.
func writers() map[string]program {
	return map[string]program{
		"tee sponge":        plan{options: "a", deed: Writes}.program(),
		"touch":             plan{options: "r: d: t: reference: date: time:", deed: Writes}.program(),
		"mkdir mkfifo":      plan{options: "m: Z: mode: context:", deed: Writes}.program(),
		"truncate":          plan{options: "s: r: size: reference:", deed: Writes}.program(),
		"fallocate":         plan{options: "l: o: length: offset:", deed: Writes}.program(),
		"chmod chown chgrp": changeMode,
		"setfacl":           plan{options: "m: x: M: X: b k R set: modify: remove: recursive", deed: Writes, tree: "R recursive"}.program(),
		"chattr":            changeMode,
		"xattr setfattr":    plan{options: "n: v: x: name: value: remove:", deed: Writes}.program(),
		"dd":                duplicate,
		"sed":               streamEditor,
		"perl ruby":         inlineCode,
		"vi vim nvim view nano pico micro emacs ed ex joe sudoedit": edited,
		"ssh-keygen": plan{
			options: "t: b: C: N: f> P: m: O: I: n: V: z: s: D: F: R: H", optionsOnly: true,
			never: "y l F R H B",
		}.program(),
		"gcc cc clang g++ c++ clang++ ld": plan{options: "o>", optionsOnly: true}.program(),
		"git":                             git,
	}
}

// changeMode notes files whose permissions or owner change. A mode may look like an option: chmod -x FILE.
func changeMode(l line) {
	var operands []string
	tree, reference := l.loose, false
	for i, arg := range l.args {
		switch {
		case arg == "--":
		case arg == "--recursive" || isCluster(arg, "Rcfvh") && strings.Contains(arg, "R"):
			tree = true
		case strings.HasPrefix(arg, "--reference"):
			reference = true
		case strings.HasPrefix(arg, "--") || isCluster(arg, "cfvhHLPV"):
		case i > 0 && l.args[i-1] == "--reference":
		default:
			operands = append(operands, arg)
		}
	}
	if !reference && len(operands) > 0 {
		operands = operands[1:]
	}
	for _, operand := range operands {
		l.note(Writes, operand, tree)
	}
}

// isCluster reports an argument that is a dash and some of the letters.
func isCluster(arg, letters string) bool {
	return len(arg) > 1 && arg[0] == '-' && strings.Trim(arg[1:], letters) == ""
}

// duplicate reads dd. Its files follow if= and of=.
func duplicate(l line) {
	for _, arg := range l.args {
		if file, ok := strings.CutPrefix(arg, "if="); ok {
			l.use(Reads, file)
		}
		if file, ok := strings.CutPrefix(arg, "of="); ok {
			l.use(Writes, file)
		}
	}
}

var inlineOptions = newOptions("e: E: i? I: M: m: F: C? D? l? 0? x? r:")

// inlineCode reads perl and ruby, which run a file or, with certain options, process the lines of files.
func inlineCode(l line) {
	if args, rest := inlineOptions.lead(l.args); !args.has("e", "E") {
		if len(rest) > 0 {
			l.use(Reads, rest[0])
		}
		return
	}
	args := inlineOptions.parse(l.args)
	if !args.has("n", "p", "i") {
		return
	}
	deed := Reads
	if args.has("i") {
		deed = Writes
	}
	for _, operand := range args.operands {
		l.use(deed, operand)
	}
}
