// Package exemption makes the narrowest exceptions that let a refused call pass, and writes them into the files of a policy.
package exemption

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/inert"
)

// Terms say for whom and how long an exception holds.
type Terms struct {
	// Session says that it holds only in the session of the call. Otherwise it holds for the client that made the call.
	Session bool
	Until   string // a date or a time, as a policy has it; "": it has no end
	Reason  string // why there is the exception, for people
	// Name ends the id of a rule that has to be added.
	Name string
	// AnyContent says that a file may get any content. It is possible only where rules refuse the call for the path of the file.
	AnyContent bool
}

// A Plan is a policy with exceptions, as it would be.
type Plan struct {
	Sources policy.Sources
	Policy  *policy.Policy
	Changed []Change
	// Rules are the rules that get an exception. Added are the ids of rules that allow calls that the default refuses.
	Rules []string
	Added []string
	// Loose are the arguments that may differ because they are not what is refused, by name. Content are those that may differ because the
	// terms let any content pass.
	Loose, Content []string
}

// A Change is a file of a policy that changes.
type Change struct {
	Path          string
	Before, After []byte
}

// ErrNotRefused says that a policy does not refuse the call.
var ErrNotRefused = errors.New("the policy does not refuse this call")

// Make plans exceptions for calls that are refused together: a call, and the calls in its arguments. An error says why there can be none.
// The plan lets pass no other call that the policy refuses than one of the same tool with the same arguments, except for those in Loose and
// Content.
func Make(s policy.Sources, calls []policy.Query, terms Terms) (*Plan, error) {
	p, err := policy.ParseSources(s)
	if err != nil {
		return nil, err
	}
	plan := &Plan{Sources: s, Policy: p}
	for _, q := range calls {
		if !plan.Policy.Decide(q).Refused() {
			continue
		}
		var x exception
		if plan, x, err = plan.with(q, terms); err != nil {
			return nil, err
		}
		if err := checkNarrow(p, plan, q, x); err != nil {
			return nil, err
		}
	}
	if plan.Policy == p {
		return nil, ErrNotRefused
	}
	for i, f := range plan.Sources.Files {
		if before := s.Files[i].Data; string(before) != string(f.Data) {
			plan.Changed = append(plan.Changed, Change{Path: f.Name, Before: before, After: f.Data})
		}
	}
	return plan, nil
}

// with returns a plan that lets one more call pass. Whose tool a name means is not always certain: then the exception names the tool as the
// call does.
func (p *Plan) with(q policy.Query, terms Terms) (*Plan, exception, error) {
	why, err := whyRefused(p.Policy, q)
	if err != nil {
		return nil, exception{}, err
	}
	if q.Beside != nil {
		bare := q
		bare.Beside = nil
		if got, err := whyRefused(p.Policy, bare); err != nil || !got.is(why) {
			return nil, exception{}, errors.New("what is refused is beside the arguments of the call, where an exception cannot look; " +
				"change the rule by hand")
		}
	}
	x, err := exceptionFor(p.Policy, q, terms, why)
	if err != nil {
		return nil, exception{}, err
	}
	for _, x.named = range namings(q) {
		out, err := p.apply(q, x, why)
		if err != nil {
			return nil, exception{}, err
		}
		if out != nil {
			out.Loose, out.Content = union(out.Loose, x.loose), union(out.Content, x.any)
			return out, x, nil
		}
	}
	d := p.Policy.Decide(q)
	return nil, x, fmt.Errorf("an exception would not surely hold for this call, so %s would still refuse it; change the rule by hand",
		ruleText(d.Rule))
}

func union(a, b []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
}

// maxRounds bounds how often a plan is extended for one call: rules are found at once, then the default, then what a name may mean besides.
const maxRounds = 4

// apply adds an exception to all rules that refuse a call; nil: the call would still be refused.
func (p *Plan) apply(q policy.Query, x exception, why refusal) (*Plan, error) {
	out := *p
	for range maxRounds {
		before := out.Sources
		if err := out.write(x, why); err != nil {
			return nil, err
		}
		changed, err := policy.ParseSources(out.Sources)
		if err != nil {
			return nil, fmt.Errorf("the exception cannot be written: %w", err)
		}
		out.Policy = changed
		if !changed.Decide(q).Refused() {
			return &out, nil
		}
		next, err := whyRefused(changed, q)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(next.rules, func(id string) bool { return slices.Contains(out.Rules, id) }) || same(before, out.Sources) {
			return nil, nil
		}
		why = next
	}
	return nil, nil
}

func same(a, b policy.Sources) bool {
	return slices.EqualFunc(a.Files, b.Files, func(a, b policy.Text) bool { return string(a.Data) == string(b.Data) })
}

// A refusal is what refuses a call.
type refusal struct {
	rules     []string // in the order of the policy
	byDefault bool
}

// whyRefused returns everything that refuses a call. It fails for what no exception can change.
func whyRefused(p *policy.Policy, q policy.Query) (out refusal, err error) {
	switch {
	case q.Surface == call.Inbound || q.Surface == call.Egress || q.Method || q.Open:
		return out, errors.New("this is no call of a tool; write an exception by hand, under unless of the rule")
	case q.Unknown || len(q.Holes) > 0:
		return out, errors.New("code computes the arguments of this call, so no exception can be exact; let the agent write them out")
	case len(q.Tools) == 0:
		return out, errors.New("the call names no tool")
	}
	add := func(id string) {
		if !slices.Contains(out.rules, id) {
			out.rules = append(out.rules, id)
		}
	}
	e := p.Explain(q)
	for _, reading := range e.Readings {
		for _, r := range reading.Rules {
			if r.Matched && !r.Shadow && (r.Verdict == policy.Deny || r.Verdict == policy.PendingApproval) {
				add(r.ID)
			}
		}
		switch o := reading.Outcome; {
		case o.Refused() && o.Rule != "":
			add(o.Rule) // also one that only cannot be evaluated
		case o.Refused():
			out.byDefault = true
		}
	}
	if i := slices.IndexFunc(out.rules, policy.IsOwnRule); i >= 0 {
		return out, ownRule(out.rules[i])
	}
	if slices.Contains(out.rules, protecting) {
		return out, fmt.Errorf("%s refuses the call, which keeps agents from changing weir itself; change it by hand if you must",
			ruleText(protecting))
	}
	d := e.Decision
	switch unread := d.Code == call.CodeArgsUnreadable && d.Rule == ""; {
	case unread, d.Code == call.CodeTooCostly, len(out.rules) == 0 && !out.byDefault:
		return out, fmt.Errorf("the call is refused as %s, whatever the policy says", d.Code)
	}
	return out, nil
}

// protecting is the rule of the presets that protects weir. One exception in it could let an agent write all others.
const protecting = "protect-weir"

// ownRule says what can be done about a refusal by one of weir's own rules.
func ownRule(id string) error {
	cure := "no exception can change that"
	switch {
	case id == "mcp.version_pinning":
		cure = "see weir mcp pins diff, and weir mcp pins trust"
	case strings.HasPrefix(id, "mcp."):
		cure = "change the block mcp of the policy by hand"
	}
	return fmt.Errorf("%s refuses the call, which is weir's own: %s", ruleText(id), cure)
}

func ruleText(id string) string {
	if id == "" {
		return "the default"
	}
	return "the rule " + inert.Name(id, 80)
}
