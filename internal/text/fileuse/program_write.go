package fileuse

import (
	"slices"
	"strings"
)

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
	noise := slices.ContainsFunc(l.args, func(arg string) bool { return isNoise(strings.TrimPrefix(arg, "if=")) })
	sized := slices.ContainsFunc(l.args, func(arg string) bool { return strings.HasPrefix(arg, "seek=") })
	for _, arg := range l.args {
		if file, ok := strings.CutPrefix(arg, "if="); ok {
			l.use(Reads, file)
		}
		if file, ok := strings.CutPrefix(arg, "of="); ok {
			l.use(Writes, file)
			if noise && !sized && !strings.HasPrefix(file, "/dev/") {
				l.use(Removes, file)
			}
		}
	}
}

// inlineCode reads perl and ruby, which run a file or, with certain options, process the lines of files.
func inlineCode(l line) {
	if args := l.read(); !sure(args, "e", "E") {
		l.each(Reads, args.Operand(0), false)
	}
	args := l.entry.Anywhere(l.args)
	switch {
	case !l.may(args, "e", "E"):
	case l.may(args, "i"):
		l.each(Writes, texts(args, 0), false)
		if code := args.Values("e", "E"); len(code) == 1 && strings.TrimSpace(code[0]) == "" && sure(args, "n") {
			l.each(Removes, texts(args, 0), false) // it prints no line
		}
	case l.may(args, "n", "p"):
		l.each(Reads, texts(args, 0), false)
	default:
		l.stranger() // the code gets them
	}
}
