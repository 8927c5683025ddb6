package shell

// These are the costs of comparing a command with a pattern, in steps of some tens of nanoseconds.
const (
	stepsPerPattern = 4
	bytesPerCompare = 8 // compared in one step; only one if there are holes
)

// Cost is roughly the number of steps to find out whether the command matches one of the patterns.
func (c Command) Cost(s PatternSet) int {
	size, holes := 0, false
	for i := range c.Words {
		size += 1 + len(c.Words[i].Text)
		holes = holes || !c.Words[i].Known
	}
	if !holes {
		size /= bytesPerCompare
	}
	patterns := len(s.all)
	if c.Words[0].Known {
		patterns = len(s.byProgram[fold(c.Words[0].Text)]) + len(s.others)
	}
	return 1 + patterns*(stepsPerPattern+size)
}
