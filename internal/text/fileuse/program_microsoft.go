package fileuse

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// powerShellNames are the PowerShell commands for names that other shells use too.
var powerShellNames = map[string]string{
	"rm": "remove-item", "rmdir": "remove-item", "cp": "copy-item", "mv": "move-item", "cat": "get-content", "tee": "tee-object",
	"mkdir": "new-item", "curl": "invoke-webrequest", "wget": "invoke-webrequest",
}

// isParameter reports a parameter that only PowerShell has.
func isParameter(arg string) bool {
	switch strings.ToLower(arg) {
	case "-path", "-literalpath", "-destination", "-recurse", "-force", "-filter", "-include", "-exclude", "-raw", "-itemtype", "-filepath",
		"-erroraction", "-outfile", "-infile", "-usebasicparsing":
		return true
	}
	return false
}

// windowsWild marks wildcards. The commands expand them themselves, so quotes do not matter.
var windowsWild = strings.NewReplacer("*", runMark, "?", charMark)

// windows notes what a command of cmd or PowerShell does.
func (l line) windows() {
	args, files := l.read(), l.entry.Files
	l.optionFiles(args)
	operands, targets := args.Values("path"), args.Values("destination")
	named := len(operands) > 0
	for _, operand := range args.Operands() {
		switch {
		case files.OptionsOnly, !operand.Sure && isSwitch(operand.Text), operand.Last < files.Skip, files.Single && (named || operand.First > 0):
		default:
			operands = append(operands, strings.Split(operand.Text, ",")...)
		}
	}
	if len(operands) == 0 && !files.Single && !files.OptionsOnly {
		operands = l.lines()
	}
	for i, operand := range operands {
		operands[i] = windowsWild.Replace(operand)
	}
	tree := files.Tree == "*" || l.loose || l.may(args, strings.Fields(files.Tree)...)
	if files.Target && len(targets) == 0 && len(operands) > 1 {
		targets = operands[len(operands)-1:]
		second := func(o program.Operand) bool { return o.Sure && o.First > 0 }
		if named || slices.ContainsFunc(args.Operands(), second) {
			operands = operands[:len(operands)-1]
		}
	}
	l.each(files.Access, operands, tree)
	l.intoAll(targets, operands, tree)
	if l.name == "robocopy" {
		l.mirrored(args, operands, targets)
	}
	if len(operands) == 0 {
		l.each(Writes, targets, tree)
	}
}

// mirrored notes what robocopy removes: what the target has and the source has not, or the source.
func (l line) mirrored(args *program.Line, sources, targets []string) {
	if l.may(args, "mir", "purge") {
		for _, target := range targets {
			l.tree(Removes, strings.TrimRight(target, `/\`)+"/"+runMark)
		}
	}
	if l.may(args, "move", "mov") {
		l.each(Removes, sources, true)
	}
}

// isSwitch reports a slash and a short word, an option of cmd.
func isSwitch(arg string) bool {
	return len(arg) > 1 && arg[0] == '/' && (len(arg) == 2 || arg[2] == ':' || robocopySwitches[strings.ToLower(arg[1:])])
}

// lines are the files that a command gets from the one before it, one per line.
func (l line) lines() []string {
	var out []string
	for _, text := range l.input {
		for name := range strings.Lines(text) {
			if name = strings.Trim(name, "\r\n"); name != "" && name != unknownMark {
				out = append(out, name)
			}
		}
	}
	return out
}

// listed reports a command without operands that gets a list of files, as only PowerShell does.
func (l line) listed() bool {
	isOption := func(arg string) bool { return strings.HasPrefix(arg, "-") }
	names := l.lines()
	return len(names) > 0 && slices.IndexFunc(l.args, func(arg string) bool { return !isOption(arg) }) < 0 &&
		slices.ContainsFunc(names, hasMark)
}

// robocopySwitches are the options of robocopy that are words.
var robocopySwitches = map[string]bool{
	"mir": true, "purge": true, "move": true, "mov": true, "copyall": true, "nfl": true, "ndl": true,
	"njh": true, "njs": true, "np": true, "xo": true, "xc": true, "xn": true, "xx": true, "sec": true, "dcopy": true, "zb": true,
}
