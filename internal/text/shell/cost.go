package shell

// These are the costs of comparing a command with a pattern, in steps of some tens of nanoseconds.
const (
	stepsPerPattern = 4
	bytesPerCompare = 64 // copied and compared in one step; only one if there are holes
)

// Cost is roughly the number of steps to find out whether the command matches one of the patterns.
func (c Command) Cost(s PatternSet) int {
	size, words := 0, len(c.Words)
	for i := range c.Words {
		size += 1 + len(c.Words[i].Text)
	}
	if !c.known() {
		patterns := len(s.all)
		if c.Words[0].Known {
			patterns = len(s.byProgram[fold(c.Words[0].Text)]) + len(s.others)
		}
		return 1 + patterns*(stepsPerPattern+size)
	}
	steps, name, path := 1, fold(c.Words[0].Text), fold(c.Path.Text)
	for _, patterns := range [][]Pattern{s.byProgram[name], s.others} {
		for i := range patterns {
			steps += stepsPerPattern + words/bytesPerCompare
			p, program := &patterns[i], name
			if p.path {
				program = path
			}
			if p.options != nil || p.whole && p.begins(program, c.Words[1:]) {
				steps += size / bytesPerCompare
			}
		}
	}
	return steps
}
