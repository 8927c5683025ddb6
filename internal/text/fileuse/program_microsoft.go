package fileuse

import (
	"slices"
	"strings"
)

// microsoft returns the commands of cmd and PowerShell.
func microsoft() map[string]program {
	return map[string]program{
		methods("file", "readalltext readallbytes readalllines readlines opentext openread "+
			"open"): windowsPlan{deed: Reads, single: true}.program(),
		methods("file", "writealltext writeallbytes writealllines appendalltext appendalllines create openwrite "+
			"createtext"): windowsPlan{deed: Writes, single: true}.program(),
		methods("file", "copy"): windowsPlan{deed: Reads, target: true}.program(),
		methods("file", "move") + " " + methods("directory", "move"): windowsPlan{deed: Removes, target: true}.program(),
		methods("file", "delete"):                                    windowsPlan{deed: Removes, single: true}.program(),
		methods("directory", "delete"):                               windowsPlan{deed: Removes, single: true, tree: true}.program(),
		"remove-item ri del erase rd":                                windowsPlan{deed: Removes}.program(),
		"get-content gc type":                                        windowsPlan{deed: Reads}.program(),
		"select-string sls":                                          windowsPlan{deed: Reads, skip: 1}.program(),
		"findstr":                                                    windowsPlan{deed: Reads, skip: 1}.program(),
		"set-content sc add-content ac clear-content clc out-file tee-object": windowsPlan{deed: Writes, single: true}.program(),
		"new-item ni md":                              windowsPlan{deed: Writes}.program(),
		"copy-item cpi copy xcopy robocopy":           windowsPlan{deed: Reads, target: true}.program(),
		"move-item mi move rename-item rni ren":       windowsPlan{deed: Removes, target: true}.program(),
		"invoke-webrequest iwr invoke-restmethod irm": windowsPlan{deed: Reads, optionsOnly: true}.program(),
	}
}

// methods returns the names by which PowerShell calls methods of the class for files, or of that for folders.
func methods(class, names string) string {
	var out []string
	for _, name := range strings.Fields(names) {
		out = append(out, "[io."+class+"]::"+name, "[system.io."+class+"]::"+name)
	}
	return strings.Join(out, " ")
}

// powerShellNames are the PowerShell commands for names that other shells use too.
var powerShellNames = map[string]string{
	"rm": "remove-item", "rmdir": "remove-item", "cp": "copy-item", "mv": "move-item", "cat": "get-content", "tee": "tee-object",
	"mkdir": "new-item",
}

// isParameter reports a parameter that only PowerShell has.
func isParameter(arg string) bool {
	switch strings.ToLower(arg) {
	case "-path", "-literalpath", "-destination", "-recurse", "-force", "-filter", "-include", "-exclude", "-raw", "-itemtype", "-filepath",
		"-erroraction":
		return true
	}
	return false
}

// A windowsPlan describes a command of Windows. Its parameters begin with a dash and have whole names, or with a slash and have one
// letter.
type windowsPlan struct {
	deed   Deed
	skip   int
	single bool // only the first operand is a file
	tree   bool // everything below always counts
	target bool // the last operand is the target

	optionsOnly bool // operands are no files
}

// windowsValues are the parameters with a value that is no file, and windowsFiles those that name a file.
var (
	windowsValues = wordSet(`filter include exclude value encoding erroraction ea itemtype type name totalcount tail readcount stream width
		pattern context
		inputobject variable uri method body headers contenttype credential destinationtype delimiter first last head`)
	windowsFiles = map[string]string{
		"path": "", "literalpath": "", "filepath": "", "lp": "", "destination": "to", "outfile": "to",
		"infile": "from", "target": "",
	}
)

// windowsWild marks wildcards. The commands expand them themselves, so quotes do not matter.
var windowsWild = strings.NewReplacer("*", runMark, "?", charMark)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

func (p windowsPlan) program() program {
	return func(l line) {
		var operands, targets []string
		tree := p.tree || l.loose || l.name == "rd" || l.name == "robocopy" || p.deed == Removes && p.target
		for i := 0; i < len(l.args); i++ {
			arg := windowsWild.Replace(l.args[i])
			name := strings.ToLower(strings.TrimLeft(arg, "-"))
			where, isFile := windowsFiles[name]
			dashed := strings.HasPrefix(arg, "-") && len(arg) > 1
			switch {
			case dashed && isFile && i+1 < len(l.args):
				i++
				switch where {
				case "to":
					targets = append(targets, l.args[i])
				case "from":
					l.use(Reads, l.args[i])
				default:
					operands = append(operands, windowsWild.Replace(l.args[i]))
				}
			case dashed && windowsValues[name]:
				i++
			case dashed:
				tree = tree || strings.HasPrefix(name, "r") && strings.HasPrefix("recurse", name)
			case isSwitch(arg):
				tree = tree || strings.EqualFold(arg, "/s") || strings.EqualFold(arg, "/e") || strings.EqualFold(arg, "/mir")
			default:
				operands = append(operands, strings.Split(arg, ",")...)
			}
		}
		p.note(l, operands, targets, tree)
	}
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

// isSwitch reports a slash and a short word, an option of cmd.
func isSwitch(arg string) bool {
	return len(arg) > 1 && arg[0] == '/' && (len(arg) == 2 || strings.EqualFold(arg, "/mir") || arg[2] == ':')
}

func (p windowsPlan) note(l line, operands, targets []string, tree bool) {
	if operands = operands[min(p.skip, len(operands)):]; p.optionsOnly {
		operands = nil
	}
	if len(operands) == 0 && !p.optionsOnly && !p.single {
		operands = l.lines()
	}
	if p.target && len(targets) == 0 && len(operands) > 1 {
		operands, targets = operands[:len(operands)-1], operands[len(operands)-1:]
	}
	for i, operand := range operands {
		if p.single && i > 0 {
			break
		}
		l.note(p.deed, operand, tree)
		for _, target := range targets {
			l.into(target, operand, tree)
		}
	}
	if len(operands) == 0 {
		l.each(Writes, targets, tree)
	}
}
