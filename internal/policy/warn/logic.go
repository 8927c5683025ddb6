package warn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// exclusive are the operators of which a value can satisfy only one, if they have different values.
var exclusive = strings.Fields("equals in starts_with ends_with within host_in")

// checkLogic warns of blocks that always hold, or never: a value is always different from one of two, and never equal to both.
// One value of several may be enough (some): then a test of texts and its like is about each of them.
func (f *Finder) checkLogic(r *rule, block *test, some bool) {
	if block.block != blockAny && block.block != blockAll {
		return
	}
	for i, a := range block.of {
		for _, b := range block.of[:i] {
			if !a.excludes(b) {
				continue
			}
			op := a.node.Get("operator")
			scalar := a.operator == "equals" || a.operator == "in" // they compare the value itself, which is one
			switch {
			case block.block == blockAny && a.negated && (some || scalar):
				f.add(policy.WarnAlways, r, op,
					fmt.Sprintf("any of these always holds: no value is both, so one %s is true (%s)", op.Text, place(b.node, a.node)),
					"write them as one condition with a list of values, or put them under all")
			case block.block == blockAll && !a.negated && scalar:
				f.add(policy.WarnNever, r, op,
					fmt.Sprintf("all of these never hold: no value is both (%s)", place(b.node, a.node)),
					"write them as one condition with a list of values, or put them under any")
			}
			return
		}
	}
}

// excludes says whether no value satisfies both tests, without their negations.
func (t *test) excludes(other *test) bool {
	if t.block != "" || other.block != "" || t.operator != other.operator || t.negated != other.negated ||
		!slices.Equal(t.paths, other.paths) || !single(t.paths) || !slices.Contains(exclusive, t.operator) {
		return false
	}
	for _, v := range t.values {
		for _, w := range other.values {
			if mayBoth(t.operator, v, w) {
				return false
			}
		}
	}
	return true
}

// mayBoth says whether a value may satisfy an operator with each of two values.
func mayBoth(operator string, v, w *yamlfile.Node) bool {
	if v.Kind != w.Kind {
		return false
	}
	a, b := v.Text, w.Text
	switch operator {
	case "starts_with", "within":
		return strings.HasPrefix(a, b) || strings.HasPrefix(b, a) || strings.Contains(a+b, "~") || strings.Contains(a+b, "$")
	case "ends_with":
		return strings.HasSuffix(a, b) || strings.HasSuffix(b, a)
	case "host_in":
		return strings.EqualFold(a, b) || strings.Contains(a+b, "*")
	default:
		return a == b || v.Kind == yamlfile.Number
	}
}

// single says whether a path selects one value at most.
func single(paths []string) bool {
	return len(paths) == 1 && !strings.ContainsAny(paths[0], "*$")
}
