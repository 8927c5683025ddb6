package warn

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A probe asks the engine about conditions: whether they hold for a call.
type probe struct{ policy *policy.Policy }

// probeOf makes a probe of a condition in a rule with a verdict: deny holds if one value does, allow if all do.
func probeOf(condition jsontext.Value, verdict policy.Verdict) probe {
	fallback := policy.Allow
	if verdict == policy.Allow {
		fallback = policy.Deny
	}
	text := `{"version":1,"default":"` + string(fallback) + `","rules":[{"id":"probe","tool":"*","verdict":"` + string(verdict) +
		`","conditions":` + string(condition) + `}]}`
	p, err := policy.Parse("probe", []byte(text))
	if err != nil {
		return probe{} // the condition is compiled already, so there is no error
	}
	return probe{p}
}

// holds says whether the condition holds for a call.
func (p probe) holds(tool, args string) bool {
	return p.policy != nil && p.policy.Decide(policy.Query{Tools: []string{tool}, Args: jsontext.Value(args)}).Rule == "probe"
}

// decides says whether a rule decides a call, of somebody who is not known.
func (f *Finder) decides(r *rule, tool, args string) bool {
	return f.policy.Decide(policy.Query{Tools: []string{tool}, Args: jsontext.Value(args)}).Rule == r.id
}

// passes says whether a call passes. The decision depends on more than is known if a rule names an actor or a server: then it does for all
// that can be told.
func (f *Finder) passes(r *rule, tool, args string) bool {
	if r.who != nil || r.servers != nil || r.hints != nil || !r.names(tool) {
		return len(r.unless) == 0
	}
	return !f.policy.Decide(policy.Query{Tools: []string{tool}, Args: jsontext.Value(args)}).Refused()
}

// never is a condition that never holds, and is in the place of another one.
const never = `{"none":[{"param_path":"a","operator":"exists"},{"param_path":"a","operator":"not_exists"}]}`

// without is a condition with one of its tests replaced by one that never holds.
func (t *test) without(part *test) jsontext.Value {
	if t == part {
		return jsontext.Value(never)
	}
	if t.block == "" {
		return t.asCondition()
	}
	parts := make([]string, len(t.of))
	for i := range t.of {
		parts[i] = string(t.of[i].without(part))
	}
	return jsontext.Value(`{"` + t.block + `":[` + strings.Join(parts, ",") + `]}`)
}

// asCondition is a single test as it can be written alone.
func (t *test) asCondition() jsontext.Value {
	if t.operator == opTime || t.operator == opModel {
		return jsontext.Value(`{"` + t.operator + `":` + string(t.node.JSON()) + `}`)
	}
	return t.node.JSON()
}

// json is a condition as it can be written alone.
func (t *test) json() jsontext.Value { return t.without(nil) }

// argsAt are arguments that have a text at a path; "": the path is too unusual.
func argsAt(path, text string) string {
	value := quoted(text)
	steps := strings.Split(path, ".")
	for _, step := range slices.Backward(steps) {
		if step == "**" {
			continue
		}
		name, index, listed := strings.Cut(step, "[")
		if name == "" || strings.ContainsAny(name, `$"*`) || listed && index != "*]" && index != "0]" {
			return ""
		}
		if listed {
			value = "[" + value + "]"
		}
		value = "{" + quoted(name) + ":" + value + "}"
	}
	return value
}

// quoted is a text as JSON.
func quoted(text string) string {
	return string((&yamlfile.Node{Kind: yamlfile.String, Text: text}).JSON())
}
