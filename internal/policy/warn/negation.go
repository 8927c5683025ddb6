package warn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// ofHosts are the operators that look for hosts.
var ofHosts = []string{"host_in", "cidr_in", "links_to"}

// checkNegations warns of rules that allow a call only because it is without something. A call that has nothing to compare is without it.
func (f *Finder) checkNegations(r *rule) {
	if r.conditions == nil || !f.lets(r) || !r.conditions.holdsByNegation() {
		return
	}
	r.conditions.each(position{grants: true}, func(t *test, at position) {
		if !at.grants || !t.meansAllBut() {
			return
		}
		op := t.node.Get("operator")
		if slices.Contains(ofHosts, t.operator) {
			f.add(policy.WarnNoHost, r, op, fmt.Sprintf("%s also holds if there is no host, so the rule lets such calls pass, too", op.Text),
				fmt.Sprintf("name the hosts that may be reached, with %s, or deny the others in a rule of its own", t.operator))
			return
		}
		f.add(policy.WarnNegated, r, op,
			fmt.Sprintf("the rule lets everything pass but this: %s holds if no value is one of these, also if there is no value", op.Text),
			fmt.Sprintf("name what may pass, with %s; or write none: [{operator: %s, …}], if you mean it", t.operator, t.operator))
	})
}

// lets says whether the rule can let a call pass that the default refuses.
func (f *Finder) lets(r *rule) bool {
	milder := slices.Contains([]policy.Verdict{policy.Audit, policy.Sanitize, policy.CapCost}, r.verdict)
	return r.ofCalls() && (r.verdict == policy.Allow || milder && f.policy.Default() == policy.Deny)
}

// meansAllBut says whether a test is a negation that names what is not to be. Flags that must not be set are such by nature.
func (t *test) meansAllBut() bool {
	if !t.negated || t.operator == "exists" {
		return false
	}
	return t.operator != "equals" || len(t.values) != 1 || t.values[0].Kind != yamlfile.Bool
}

// holdsByNegation says whether a condition holds if no test holds but the negations, and the circumstances are right.
func (t *test) holdsByNegation() bool {
	switch t.block {
	case "":
		return t.meansAllBut() || t.operator == opTime || t.operator == opModel
	case blockAny:
		return slices.ContainsFunc(t.of, (*test).holdsByNegation)
	case blockAll:
		return !slices.ContainsFunc(t.of, func(part *test) bool { return !part.holdsByNegation() })
	default:
		return !slices.ContainsFunc(t.of, func(part *test) bool { return part.block != "" || part.negated })
	}
}

// maxTried is how many tests of a rule are tried out: for each of them its conditions are compiled again.
const maxTried = 50

// checkMissing warns of rules that refuse calls only because a call has no such parameter, or no host.
func (f *Finder) checkMissing(r *rule) {
	if r.conditions == nil || !r.refuses() || !r.ofCalls() {
		return
	}
	var all *probe
	tried := 0
	r.conditions.each(position{}, func(t *test, at position) {
		if at.grants || !t.meansAllBut() || tried == maxTried {
			return
		}
		tried++
		if all == nil {
			all = &probe{probeOf(r.conditions.json(), policy.Deny).policy}
		}
		for _, k := range knownTools {
			if !r.names(k.name) || !t.seesNothing(k) || !all.holds(k.name, k.probe) {
				continue
			}
			if probeOf(r.conditions.without(t), policy.Deny).holds(k.name, k.probe) {
				continue // another test holds
			}
			if len(r.unless) > 0 && !f.decides(r, k.name, k.probe) {
				continue
			}
			f.addMissing(r, t, k)
			return
		}
	})
}

// seesNothing says whether a harmless call of a tool has nothing that the test compares.
func (t *test) seesNothing(k knownTool) bool {
	if t.paths == nil {
		subjects := condition.SubjectsOf(t.operator)
		return subjects != condition.OfParameter && !condition.RunsCommands(k.name, k.paramsOf()) && !condition.UsesFiles(k.name)
	}
	if slices.Contains(ofHosts, t.operator) && !strings.Contains(k.probe, "://") {
		return true
	}
	if slices.Contains(t.paths, "$") {
		return false
	}
	for _, path := range t.paths {
		if strings.HasPrefix(path, "**") && k.has(lastName(path)) {
			return false
		}
		if first, _, _ := strings.Cut(path, "."); k.has(lastName(first)) {
			return false
		}
	}
	return true
}

func (f *Finder) addMissing(r *rule, t *test, k knownTool) {
	op := t.node.Get("operator")
	if slices.Contains(ofHosts, t.operator) {
		f.add(policy.WarnNoHost, r, op,
			fmt.Sprintf("%s also holds if there is no host, so the rule refuses calls without an address, such as those of %s",
				op.Text, k.name),
			`name only tools that always have an address, or add {param_path: …, operator: host_in, value: "*"} under all`)
		return
	}
	cure := "name only tools that have it, or add {operator: exists} for it under all"
	if t.paths == nil {
		cure = "name only tools that run commands or use files"
	}
	f.add(policy.WarnNoParameter, r, op,
		fmt.Sprintf("%s also holds if there is nothing to compare, so the rule refuses every call of %s, for example", op.Text, k.name), cure)
}
