package shell

import (
	"strings"

	"github.com/weir-gate/weir/internal/text/truth"
)

// A PatternSet is a set of many patterns. Each command is compared only with those that could match it.
type PatternSet struct {
	all       []Pattern
	byProgram map[string][]Pattern // patterns with a literal program
	others    []Pattern            // patterns with a wildcard or a folder in the program
}

// NewPatternSet compiles globs as NewPattern does.
func NewPatternSet(globs []string) PatternSet {
	s := PatternSet{byProgram: map[string][]Pattern{}}
	for _, glob := range globs {
		p := NewPattern(glob)
		s.all = append(s.all, p)
		program := p.first
		if hasWildcard(program) || strings.Contains(program, "/") {
			s.others = append(s.others, p)
		} else {
			s.byProgram[program] = append(s.byProgram[program], p)
		}
	}
	return s
}

// RunsAny is the most certain result of Runs for the patterns of the set.
func (c Command) RunsAny(s PatternSet) truth.Value {
	name := fold(c.Words[0].Text)
	if !c.Words[0].Known || strings.Contains(name, " ") {
		return c.runsOneOf(s.all, truth.No)
	}
	answer := c.runsOneOf(s.byProgram[name], truth.No)
	if short := strings.TrimSuffix(name, ".exe"); short != name {
		answer = c.runsOneOf(s.byProgram[short], answer)
	}
	return c.runsOneOf(s.others, answer)
}

// runsOneOf raises an answer by the results for some patterns.
func (c Command) runsOneOf(patterns []Pattern, answer truth.Value) truth.Value {
	for i := range patterns {
		if answer == truth.Yes {
			break
		}
		answer = max(answer, c.Runs(patterns[i]))
	}
	return answer
}
