package shell

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/truth"
)

// maxFound bounds the patterns for the results of a search; beyond it nothing is known of them.
const maxFound = 64

// Found returns the files that a find command could find: its start paths and everything below them, or only the names that it
// searches for.
func (c Command) Found() []Word {
	args := make([]string, len(c.Words)-1)
	for i, word := range c.Words[1:] {
		args[i] = word.marked
	}
	return newWords(found(args))
}

// found returns the possible results of find, as texts with holes.
func found(args []string) []string {
	starts, tests := searchStarts(args)
	branches := searchBranches(tests)
	if len(starts)*max(1, len(branches)) > maxFound {
		return []string{oneWord}
	}
	var out []string
	for _, start := range starts {
		start = quoteHoles.Replace(start)
		folder := strings.TrimRight(start, "/")
		var names []string
		for _, branch := range branches {
			names = append(names, searchNames(folder, branch)...)
		}
		if len(names) == 0 {
			names = []string{treeRun}
		}
		switch depth, limited := searchDepth(tests); {
		case limited && depth == "0":
			out = append(out, start)
		case limited && depth == "1":
			for _, name := range names {
				out = append(out, folder+"/"+oneLevel(name))
			}
			if slices.Contains(names, treeRun) && !slices.Contains(tests, "-mindepth") && !slices.Contains(tests, "-type") {
				out = append(out, start)
			}
		default:
			for _, name := range names {
				out = append(out, folder+"/"+name)
			}
		}
		if len(out) > maxFound {
			return []string{oneWord}
		}
	}
	return out
}

// searchDepth returns the depth to which find searches, if it is limited.
func searchDepth(tests []string) (depth string, limited bool) {
	for i, test := range tests {
		if test == "-maxdepth" && i+1 < len(tests) {
			depth, limited = tests[i+1], true // the last one counts
		}
	}
	return depth, limited
}

// oneLevel returns a pattern below a folder as one for the files in that folder.
func oneLevel(name string) string {
	name = strings.TrimPrefix(name, treeRun+"/")
	return strings.ReplaceAll(name, treeRun, fileRun)
}

// searchFlags are the options of find before its start paths; some systems join them.
const searchFlags = "HLPEXdsx"

// searchStarts splits the arguments of find into its start paths and its tests and actions.
func searchStarts(args []string) (starts, tests []string) {
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		switch {
		case strings.Trim(args[0][1:], searchFlags) == "", strings.HasPrefix(args[0], "-O"):
			args = args[1:]
			continue
		case args[0] == "-D" && len(args) > 1:
			args = args[2:]
			continue
		case args[0] == "-f" && len(args) > 1:
			starts, args = append(starts, args[1]), args[2:]
			continue
		}
		break
	}
	end := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-") || arg == "(" || arg == "!" })
	if end < 0 {
		end = len(args)
	}
	if starts = append(starts, args[:end]...); len(starts) == 0 {
		starts = []string{"."}
	}
	return starts, args[end:]
}

// searchBranches splits the tests of find into those of which one must hold. A branch that only leaves files out has no results.
func searchBranches(tests []string) [][]string {
	var out [][]string
	for len(tests) > 0 {
		end := slices.IndexFunc(tests, func(test string) bool { return test == "-o" || test == "-or" || test == "," })
		branch := tests
		if tests = nil; end >= 0 {
			branch, tests = branch[:end], branch[end+1:]
		}
		acts := func(test string) bool {
			return test == "-delete" || strings.HasPrefix(test, "-exec") || strings.HasPrefix(test, "-ok") || strings.HasPrefix(test, "-print")
		}
		if slices.Contains(branch, "-prune") && !slices.ContainsFunc(branch, acts) && len(tests) > 0 {
			continue
		}
		out = append(out, branch)
	}
	return out
}

// searchNames returns the paths below a folder that pass the tests of find.
func searchNames(folder string, tests []string) []string {
	var names []string
	some := false
	for i, test := range tests {
		negated := i > 0 && isNot(tests[i-1])
		switch test {
		case "-name", "-iname":
			if i+1 < len(tests) && !negated {
				names = append(names, treeRun+"/"+globHoles(quoteHoles.Replace(tests[i+1])))
			}
		case "-path", "-wholename":
			if name, ok := searchPath(folder, tests[i+1:]); ok && !negated {
				names = append(names, name)
			}
			some = some || !negated
		case "-ipath", "-regex", "-iregex", "-empty", "-inum", "-samefile", "-lname", "-newer":
			some = some || !negated
		}
	}
	names = append(names, searchParts(tests)...)
	switch {
	case len(names) > 0:
		return names
	case some:
		return []string{treeRun + "/" + oneWord}
	}
	return []string{treeRun}
}

// searchParts returns the paths that have the folder that a pattern of whole paths such as */.git/* names, with the names that find
// searches for at their end.
func searchParts(tests []string) (out []string) {
	below := []string{}
	for i, test := range tests[:max(0, len(tests)-1)] {
		if (test == "-name" || test == "-iname") && (i == 0 || !isNot(tests[i-1])) {
			below = append(below, treeRun+"/"+globHoles(quoteHoles.Replace(tests[i+1])))
		}
	}
	for i, test := range tests[:max(0, len(tests)-1)] {
		if test != "-path" && test != "-wholename" && test != "-ipath" || i > 0 && isNot(tests[i-1]) {
			continue
		}
		text, ok := strings.CutPrefix(tests[i+1], "*")
		folder := strings.Trim(strings.TrimSuffix(text, "*"), "/")
		if !ok || folder == "" || strings.ContainsAny(folder, "*?[\\") || hasHole(folder) {
			continue
		}
		folder = treeRun + "/" + folder
		for _, name := range below {
			out = append(out, folder+"/"+name)
		}
		if len(below) == 0 && strings.HasSuffix(text, "*") {
			out = append(out, folder+"/"+treeRun)
		}
	}
	return out
}

func isNot(test string) bool { return test == "!" || test == "-not" }

// searchPath returns what a pattern of whole paths matches below a folder, if it begins with that folder and another name.
func searchPath(folder string, rest []string) (string, bool) {
	if len(rest) == 0 {
		return "", false
	}
	path, ok := strings.CutPrefix(quoteHoles.Replace(rest[0]), folder+"/")
	wild := strings.IndexAny(path, "*?[")
	switch {
	case !ok || path == "":
		return "", false
	case wild < 0:
		return path, true
	}
	cut := strings.LastIndexByte(path[:wild], '/')
	return path[:max(cut, 0)] + "/" + treeRun, cut > 0
}

// prints reports whether find outputs the names that it finds, and nothing else.
func prints(args []string) bool {
	return !slices.ContainsFunc(args, func(arg string) bool {
		return strings.HasPrefix(arg, "-exec") || strings.HasPrefix(arg, "-ok") || strings.HasPrefix(arg, "-fprint") ||
			arg == "-printf" || arg == "-ls" || arg == "-fls" || arg == "-delete" || hasHole(arg) && anyNumber(arg)
	})
}

// list outputs the names of files, as ls does.
func list(_ *reader, c invocation) value {
	if !c.pipes.want {
		return unknownValue // nobody uses its output
	}
	line := c.line()
	var operands []string
	for _, operand := range line.Operands() {
		operands = append(operands, operand.Text)
	}
	switch {
	case line.Has("l", "s", "i", "R", "n", "o", "g", "format") != truth.No:
		return unknownValue
	case line.Has("d") != truth.No:
		return value{strings.Join(operands, "\n") + "\n"}
	}
	names := fileRun + "\n"
	for _, operand := range operands[:min(len(operands), maxAlternatives)] {
		// Programs that use these names mostly mean the files of that folder.
		names += below(operand) + "/" + fileRun + "\n"
		if strings.Contains(operand, fileRun) {
			names += quoteHoles.Replace(operand) + "\n"
		}
	}
	return value{names}
}

// searchedFiles outputs the files that rg would search in.
func searchedFiles(r *reader, c invocation) value {
	line := c.line()
	if line.Has("files") == truth.No || !c.pipes.want {
		return known(r, c)
	}
	names := ""
	for _, operand := range line.Operands()[:min(len(line.Operands()), maxAlternatives)] {
		names += below(operand.Text) + "/" + treeRun + "\n"
	}
	if names == "" {
		return unknownValue
	}
	return value{names}
}

// located outputs the files whose paths have one of the words of locate.
func located(_ *reader, c invocation) value {
	names := ""
	for _, arg := range c.args[:min(len(c.args), maxAlternatives)] {
		if !strings.HasPrefix(arg, "-") && !hasHole(arg) {
			names += "/" + treeRun + "/" + strings.Trim(strings.ReplaceAll(arg, "*", fileRun), "/") + "\n"
		}
	}
	return value{names}
}

// below returns a folder as the beginning of paths.
func below(folder string) string {
	return strings.TrimRight(quoteHoles.Replace(folder), "/")
}

// listItems outputs the files of a folder, as PowerShell does: with the folder.
func listItems(_ *reader, c invocation) value {
	folder, name := ".", fileRun
	deep := false
	for i := 0; i < len(c.args); i++ {
		arg := c.args[i]
		option := strings.TrimLeft(fold(arg), "-")
		switch {
		case !strings.HasPrefix(arg, "-"):
			folder = strings.TrimSpace(arg)
		case slices.Contains([]string{"path", "literalpath", "lp"}, option) && i+1 < len(c.args):
			i++
			folder = strings.TrimSpace(c.args[i])
		case slices.Contains([]string{"filter", "include"}, option) && i+1 < len(c.args):
			i++
			name = globHoles(quoteHoles.Replace(c.args[i]))
		case slices.Contains([]string{"exclude", "depth", "attributes", "erroraction", "ea"}, option):
			i++
		default:
			deep = deep || strings.HasPrefix("recurse", option)
		}
	}
	folder = below(strings.TrimRight(folder, `\`))
	if deep && name == fileRun {
		return value{folder + "/" + fileRun + "\n" + folder + "/" + treeRun + "\n"}
	}
	if deep {
		name = treeRun + "/" + name
	}
	return value{folder + "/" + name + "\n"}
}

// inputLines returns the lines of an input that a loop reads one by one. There must be few, and they must be known, or be a list of
// files.
func inputLines(in value) (value, bool) {
	lines, ok := listedWords(in)
	if !ok && len(in) == 1 && !hasHole(in[0]) && strings.Count(in[0], "\n") > 1 {
		lines, ok = strings.Split(strings.TrimSuffix(in[0], "\n"), "\n"), true
	}
	if len(lines) == 0 || len(lines) > maxAlternatives {
		return nil, false
	}
	return union(nil, value(lines)), ok
}

// listedWords returns the words of an input that is a list of files, one per line.
func listedWords(in value) ([]string, bool) {
	if len(in) != 1 {
		return nil, false
	}
	listed := false
	for i := range len(in[0]) {
		switch in[0][i] {
		case fileRun[0], oneChar[0], treeRun[0]:
			listed = true
		case anyWords[0], unsetWords[0]:
			return nil, false
		}
	}
	if !listed {
		return nil, false
	}
	lines := strings.Split(strings.ReplaceAll(in[0], "\x00", "\n"), "\n")
	return slices.DeleteFunc(lines, func(s string) bool { return s == "" }), true
}
