package policy

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/text/truth"
)

// An ExceptionTrace says whether an exception of a rule holds for a call, and why.
type ExceptionTrace struct {
	From   string `json:"from,omitzero"`
	Line   int    `json:"line"`
	Held   bool   `json:"held"`
	Doubt  bool   `json:"doubt,omitzero"` // it may hold; that is enough only to take a call from a rule that allows
	Why    string `json:"why"`
	Until  string `json:"until,omitzero"`
	Reason string `json:"reason,omitzero"`
	// Conditions is nil for an exception that has none, or whose conditions were not reached.
	Conditions *condition.Trace `json:"conditions,omitzero"`
}

// explainExceptions tells what the exceptions of a rule do to a call that the rule matches otherwise.
func (rd *reading) explainExceptions(r *rule, f *condition.Facts, t *RuleTrace) {
	if !t.Matched || len(r.unless) == 0 {
		return
	}
	best := truth.No
	for i := range r.unless {
		x := &r.unless[i]
		trace := x.explain(rd, f)
		held := x.holds(rd, f)
		trace.Held, trace.Doubt = held == truth.Yes, held == truth.Maybe
		t.Exceptions = append(t.Exceptions, trace)
		if held > best {
			best = held
			if best == truth.Yes || r.verdict == Allow {
				t.Why = fmt.Sprintf("an exception holds (%s)", Place(x.from, x.line))
				t.Matched = false
			}
			if best == truth.Maybe && r.verdict == Allow {
				t.Why = fmt.Sprintf("an exception may hold (%s), so the rule does not let the call pass", Place(x.from, x.line))
			}
		}
	}
}

// explain says why the exception holds or not.
func (x *exception) explain(rd *reading, f *condition.Facts) ExceptionTrace {
	t := ExceptionTrace{From: x.from, Line: x.line, Reason: x.reason}
	if x.until != nil {
		t.Until = x.until.String()
	}
	over := x.ended(rd.now)
	switch {
	case over == truth.Yes:
		t.Why = "it has ended"
		return t
	case over == truth.Maybe:
		t.Why = "the time is not known, so it may have ended"
		return t
	}
	asked := x.sure
	asked.surfaces = serverSurfaces
	if t.Why = asked.whyNot(rd); t.Why != "" {
		return t
	}
	conditions := x.sure.conditions
	switch {
	case conditions == nil:
		t.Why = "the call is one of those that it names"
		return t
	case f.Unknown:
		t.Why = "the arguments are not known"
		return t
	case !f.Readable():
		t.Why = "the arguments cannot be read"
		return t
	}
	failed := f.Failed
	defer func() { f.Failed = failed }()
	t.Conditions = &condition.Trace{}
	t.Why = "its conditions do not hold for certain"
	if conditions.Holds(f, condition.EveryValue, t.Conditions) {
		t.Why = "its conditions hold"
	}
	return t
}

func (t *ExceptionTrace) write(b *strings.Builder) {
	mark := "no "
	switch {
	case t.Held:
		mark = "yes"
	case t.Doubt:
		mark = "?  "
	}
	fmt.Fprintf(b, "      %s  unless (%s", mark, Place(t.From, t.Line))
	if t.Until != "" {
		fmt.Fprintf(b, ", until %s", t.Until)
	}
	fmt.Fprintf(b, "): %s\n", t.Why)
	if t.Conditions != nil {
		t.Conditions.Write(b, 5)
	}
}

// An ExceptionSummary is an exception of a rule as it is shown to people.
type ExceptionSummary struct {
	From       string   `json:"from,omitzero"`
	Line       int      `json:"line"`
	Tools      []string `json:"tools,omitzero"` // nil: all tools of the rule
	NotTools   []string `json:"not_tools,omitzero"`
	Servers    []string `json:"servers,omitzero"`
	Who        string   `json:"who,omitzero"`
	Conditions string   `json:"conditions,omitzero"` // on one line
	Until      string   `json:"until,omitzero"`
	Reason     string   `json:"reason,omitzero"`
}

// summary is the exception for people.
func (x *exception) summary(p *Policy) ExceptionSummary {
	of := x.sure.summary(p)
	s := ExceptionSummary{
		From: x.from, Line: x.line, Tools: of.Tools, NotTools: of.NotTools, Servers: of.Servers, Who: of.Who, Conditions: of.Conditions,
		Reason: x.reason,
	}
	if len(of.Tools) == 1 && of.Tools[0] == "*" {
		s.Tools = nil
	}
	if x.until != nil {
		s.Until = x.until.String()
	}
	return s
}

// String is the exception on one line.
func (s ExceptionSummary) String() string {
	var parts []string
	for _, part := range []struct{ before, text string }{
		{"tool ", strings.Join(s.Tools, " or ")},
		{"not ", strings.Join(s.NotTools, " or ")},
		{"of server ", strings.Join(s.Servers, " or ")},
		{"for ", s.Who},
		{"if ", s.Conditions},
		{"until ", s.Until},
		{"because: ", s.Reason},
	} {
		if part.text != "" {
			parts = append(parts, part.before+part.text)
		}
	}
	return strings.Join(parts, ", ")
}
