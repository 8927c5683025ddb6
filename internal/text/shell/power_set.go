package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// powerPreferences are the variables by which PowerShell scripts say what errors and progress do.
var powerPreferences = wordSet("ErrorActionPreference ProgressPreference VerbosePreference WarningPreference " +
	"InformationPreference DebugPreference")

// powerSets reads what sets a variable in PowerShell, where it is typed into another shell: $env:CI = "1". That shell would look for a
// command whose name begins with a colon or an equals sign, and find none, so it counts as what it is meant to be.
func (r *reader) powerSets(args []*syntax.Word, ways [][]string, s *scope) bool {
	if len(args) == 0 || len(args[0].Parts) == 0 {
		return false
	}
	first, ok := args[0].Parts[0].(*syntax.ParamExp)
	if !ok || !first.Short || first.Param == nil {
		return false
	}
	if _, own := s.get(first.Param.Value); own {
		return false // the text has such a variable itself
	}
	if powerPreferences[first.Param.Value] {
		return len(args[0].Parts) == 1 && len(args) > 1 && args[1].Lit() == "="
	}
	if len(args[0].Parts) < 2 || first.Param.Value != "env" {
		return false
	}
	lit, ok := args[0].Parts[1].(*syntax.Lit)
	if !ok || !strings.HasPrefix(lit.Value, ":") {
		return false
	}
	for _, fields := range ways {
		_, text, _ := strings.Cut(strings.Join(fields, " "), ":")
		name, to, set := strings.Cut(text, "=")
		if name = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(name), "+")); !set || !syntax.ValidName(name) {
			return false
		}
		texts := value{strings.TrimSpace(to)}
		s.setText(name, texts)
		r.hook(name, texts, s)
	}
	return true
}
