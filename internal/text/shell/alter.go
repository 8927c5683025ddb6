package shell

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// An alteration says that a command may be another than its words say. It is no doubt for those who look for a command, but for those who
// must be sure of it.
type alteration uint8

const (
	// otherPath: the text has programs looked for where it says.
	otherPath alteration = 1 << iota
	// otherVariable: the text sets a variable that changes what the program is, what it loads or on what it works.
	otherVariable
)

// alteredBy is what setting a variable does to the commands that follow.
func alteredBy(name string, v variable) (out alteration) {
	if name == "PATH" || name == "Path" {
		if v.lists != nil || v.ref != "" || slices.ContainsFunc(v.text, strays) {
			return otherPath | otherVariable
		}
		return 0
	}
	for _, list := range v.asLists() {
		for _, text := range list {
			if loadsValue(name) || hasHole(text) && runsValue(name) || program.Alters(name, hereHoles.Replace(text)) {
				return otherVariable
			}
		}
	}
	return 0
}

// hereHoles writes what is known of the folders in a list. What a variable of the environment holds was there before.
var hereHoles = strings.NewReplacer(hereWord, ".", hereWords, ".", unsetWord, "", unsetWords, "")

// loadsValue reports a variable whose value has a program load code that is not read.
func loadsValue(name string) bool {
	return hookOf(name) == hookCode || hooks[name] == hookScript && name != "ENV"
}

// runsValue reports a variable whose value a program runs. Its command is read for itself if it is known.
func runsValue(name string) bool {
	switch hookOf(name) {
	case hookNone, hookNoted:
		return false
	}
	return name != "ENV" // it is often the name of a stage
}

// strays reports a search path with a folder in which programs usually are not. A variable that the text never sets is what it was.
func strays(searchPath string) bool {
	for folder := range strings.SplitSeq(searchPath, ":") {
		switch {
		case folder == unsetWord || folder == unsetWords:
		case strings.HasPrefix(folder, "/") || strings.HasPrefix(folder, "~/") || strings.HasPrefix(folder, homeWord) ||
			strings.HasPrefix(folder, homeWords):
			if folder = inHome(folder); hasHole(folder) || !program.UsualFolder(folder) {
				return true
			}
		case strings.HasPrefix(folder, hereWord+"/") || strings.HasPrefix(folder, hereWords+"/"):
			if below := folder[2:]; hasHole(below) || !program.UsualFolder(below) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// inHome writes the user's folder as ~.
func inHome(path string) string {
	for _, home := range []string{homeWord, homeWords} {
		if rest, ok := strings.CutPrefix(path, home); ok {
			return "~" + rest
		}
	}
	return path
}

// altered is what the text did before a command of this scope.
func (s *scope) altered() (out alteration) {
	for ; s != nil; s = s.parent {
		out |= s.alters
	}
	return out
}

// Elsewhere reports a program that is named by a path to a folder in which programs usually are not: its name alone means another one.
func (c *Command) Elsewhere() bool {
	written := c.Path.marked
	i := strings.LastIndexAny(written, `/\`)
	if i < 0 {
		return false
	}
	folder := inHome(written[:max(i, 1)])
	if below, ok := strings.CutPrefix(folder, hereWord+"/"); ok {
		folder = below
	}
	return hasHole(folder) || !program.UsualFolder(folder)
}
