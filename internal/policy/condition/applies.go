package condition

import (
	"slices"

	"github.com/weir-gate/weir/internal/policy/toolname"
)

// A Subjects says where an operator looks if it has no param_path.
type Subjects int

// These are the subjects of operators.
const (
	OfParameter Subjects = iota // it needs a param_path, or looks at the whole call
	OfCommands                  // at commands
	OfUses                      // at commands, and at the files that tools for files name
)

// SubjectsOf says where the operator of a name looks if it has no param_path.
func SubjectsOf(operator string) Subjects {
	if !slices.Contains(operatorWords.Words, operator) {
		return OfParameter
	}
	switch operatorNamed(operator).usual {
	case commandPaths:
		return OfCommands
	case usePaths:
		return OfUses
	default:
		return OfParameter
	}
}

// Negates says whether an operator is the negation of another one.
func Negates(operator string) bool {
	return slices.Contains(operatorWords.Words, operator) && operatorNamed(operator).negated
}

// RunsCommands says whether a tool could have commands among its parameters: one is where commands usually are, or the name says that the
// tool runs what it is told, or has another agent run it.
func RunsCommands(tool string, params []string) bool {
	f := Facts{As: Subject{Tool: tool}}
	return slices.ContainsFunc(params, hasCommands) || f.is(runTools) || f.is(agentTools)
}

// UsesFiles says whether a tool is one for files.
func UsesFiles(tool string) bool {
	folded := toolname.Fold(tool)
	return slices.ContainsFunc(fileTools, func(t compiledTool) bool { return t.named(folded) })
}
