package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/weir-gate/weir/internal/text/program"
)

// namesOf are the names of variables that ${!PREFIX*} lists, of those that matter by their names. Which others are set is not known.
func namesOf(p *syntax.ParamExp) value {
	out := slices.Clone(unknownValue)
	if p.Names == 0 || p.Param == nil {
		return out
	}
	for name := range strings.FieldsSeq(program.GuardVariables + " " + program.ProxyVariables) {
		if strings.HasPrefix(name, p.Param.Value) {
			out = append(out, name)
		}
	}
	return out
}
