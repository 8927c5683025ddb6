package shell

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/truth"
)

// AllSurely says whether each of the commands of a text surely is one that the set names, for those who must be sure. Then a program is
// the one that a pattern names without a folder only if it has none either, or is where programs usually are. No variable may change
// what it is or what it loads. A command that the text only comes to by leaving out options before the subcommand needs no pattern of
// its own if one names these options: "git -C web status" is meant with them. A shell that only runs a text needs none, either.
func (s PatternSet) AllSurely(commands []Command) bool {
	for i := range commands {
		if c := &commands[i]; !c.surely(commands[:i], s) && !c.isReading(commands[:i], s) && !c.isAround(commands[i+1:]) {
			return false
		}
	}
	return true
}

// isAround reports a shell that does nothing but run a text, as agents write every command of theirs: bash -lc '…'. What is in the text
// comes after it.
func (c *Command) isAround(after []Command) bool {
	if len(c.Words) != 3 || len(after) == 0 || c.altered != 0 || c.Elsewhere() || len(c.Redirects) > 0 || c.doubt != "" {
		return false
	}
	shell, option := c.Words[0], c.Words[1]
	return shell.Known && textShells[shell.Text] && option.Known && (option.Text == "-c" || option.Text == "-lc") && c.Words[2].Known
}

// surely reports that the command is surely one that the set names.
func (c *Command) surely(before []Command, s PatternSet) bool {
	if c.altered != 0 {
		return false
	}
	elsewhere := c.Elsewhere() && !c.isPackage(before)
	return slices.ContainsFunc(s.candidates(c), func(p Pattern) bool { return (p.path || !elsewhere) && c.surelyRuns(p) })
}

// isPackage reports a program that a command before it names as a package, such as npx @biomejs/biome.
func (c *Command) isPackage(before []Command) bool {
	if !strings.HasPrefix(c.Path.Text, "@") || strings.Count(c.Path.Text, "/") != 1 {
		return false
	}
	named := func(w Word) bool { return w.marked == c.Path.marked }
	return slices.ContainsFunc(before, func(by Command) bool { return slices.ContainsFunc(by.Words[1:], named) })
}

// surelyRuns is surely for one pattern. If that has options before the subcommand, the command must have them there, too.
func (c *Command) surelyRuns(p Pattern) bool {
	switch {
	case p.glob == "":
		return false
	case len(p.readings) > 0:
		return slices.ContainsFunc(c.programs(p), func(program string) bool {
			return match(p.glob, joinWords(program, c.Words[1:])) == truth.Yes
		})
	default:
		return c.Runs(p) == truth.Yes
	}
}

// isReading reports a command that is another one without options before the subcommand, where a pattern that names these options names
// the other one.
func (c *Command) isReading(before []Command, s PatternSet) bool {
	if len(c.Folders) > 0 || c.doubt != "" {
		return false
	}
	for i := range before {
		of := &before[i]
		if len(of.Folders) == 0 || !endsWith(of.Words, c.Words[1:]) || !of.surely(before[:i], s) {
			continue
		}
		for _, p := range s.candidates(of) {
			named := func(reading Pattern) bool { return c.Runs(reading) == truth.Yes }
			if of.surelyRuns(p) && slices.ContainsFunc(p.readings, named) {
				return true
			}
		}
	}
	return false
}

// endsWith reports that the last of some words are these, and that there are more.
func endsWith(words, last []Word) bool {
	same := func(a, b Word) bool { return a.marked == b.marked }
	return len(words) > len(last)+1 && slices.EqualFunc(words[len(words)-len(last):], last, same)
}

// candidates are the patterns of the set that could name a command.
func (s PatternSet) candidates(c *Command) []Pattern {
	name := fold(c.Words[0].Text)
	if !c.Words[0].Known || strings.Contains(name, " ") {
		return s.all
	}
	return slices.Concat(s.byProgram[name], s.byProgram[strings.TrimSuffix(name, ".exe")], s.others)
}
