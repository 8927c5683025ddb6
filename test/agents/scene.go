package agents

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/weirtest/scripted"
	"github.com/weir-gate/weir/test/agents/model"
)

// A Scene is an answer of the model and the policy that it meets.
type Scene struct {
	Name   string
	Policy string // as YAML; "": everything is allowed
	Begin  []model.Answer
	Then   []model.Call // what the model asks for in the next turn, which is allowed; none: it says that all is done
	// Live holds the end of the first answer back until all that it releases has been done.
	Live bool
	// Retries is how often the agent says that it has to ask again.
	Retries int
	// Control plays the scene without its policy too. What that refuses happens then, so it is the policy that keeps it
	// from happening.
	Control bool

	once bool // there is no next turn

	// policyFile is where the policy is, if not among the settings.
	policyFile string
	// meanwhile is what happens before the model says that all is done; nil: nothing.
	meanwhile scripted.Step
}

// Asks is an answer of calls alone.
func Asks(calls ...model.Call) []model.Answer { return []model.Answer{{Calls: calls}} }

// Deny is a policy that refuses by one rule and allows the rest, as YAML. condition is one on the arguments; "": none.
func Deny(id, tool, condition string) string {
	if condition != "" {
		condition = "conditions: {any: [" + condition + "]}, "
	}
	const policy = "version: 1\ndefault: allow\nrules: [{id: %s, tool: %s, %sverdict: deny, reason: %s}]\n"
	return fmt.Sprintf(policy, id, tool, condition, model.NotHere)
}

// WithControls are the scenes, and those that have a control once more without their policy.
func WithControls(scenes []Scene) []Scene {
	for _, s := range slices.Clone(scenes) {
		if s.Control {
			scenes = append(scenes, s.unhindered())
		}
	}
	return scenes
}

// unhindered is the scene where everything is allowed.
func (s Scene) unhindered() Scene {
	s.Name, s.Policy, s.once = s.Name+", without rules", "", true
	s.Begin = slices.Clone(s.Begin)
	for i, a := range s.Begin {
		s.Begin[i].Calls = nil
		for _, c := range a.Calls {
			if !a.Cut {
				c = c.Unhindered()
			}
			s.Begin[i].Calls = append(s.Begin[i].Calls, c)
		}
	}
	return s
}

// settings are those of weir for the scene, as YAML.
func (s Scene) settings(upstream, url string) string {
	policy := s.Policy
	if policy == "" {
		policy = "version: 1\ndefault: allow\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "upstreams: {%s: {url: %q}}\n", upstream, url)
	if s.policyFile != "" {
		fmt.Fprintf(&b, "policy: %q\n", s.policyFile)
		return b.String()
	}
	b.WriteString("policy:\n")
	for line := range strings.Lines(policy) {
		b.WriteString("  " + line)
	}
	return b.String()
}

// next is what the model answers in the next turn.
func (s Scene) next() []model.Answer {
	switch {
	case s.once:
		return nil
	case len(s.Then) > 0:
		return Asks(s.Then...)
	default:
		return []model.Answer{{Text: model.AllDone}}
	}
}

// calls are all that the model asks for.
func (s Scene) calls() []model.Call { return callsOf(slices.Concat(s.Begin, s.next())) }

// callsOf are the calls in answers.
func callsOf(answers []model.Answer) []model.Call {
	var calls []model.Call
	for _, a := range answers {
		calls = append(calls, a.Calls...)
	}
	return calls
}
