package policy

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/text/quantity"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// String formats the explanation for a terminal, with every rule.
func (e Explanation) String() string { return e.Text(true) }

// Text formats the explanation for a terminal: the decision, then the rules. Without all it shows the rules that match, and of the one
// that decides the parts of its conditions that matter; the others are counted.
func (e Explanation) Text(all bool) string { return e.DecisionText() + e.RulesText(all) }

// DecisionText says what is decided.
func (e Explanation) DecisionText() string {
	var b strings.Builder
	d := e.Decision
	fmt.Fprintf(&b, "decision: %s\n", e.because(d))
	switch {
	case d.Approval != nil:
		fmt.Fprintf(&b, "asks:     %s\n", d.Approval)
	case d.Code != "":
		fmt.Fprintf(&b, "code:     %s\n", d.Code)
	}
	if d.Reason != "" {
		fmt.Fprintf(&b, "reason:   %s\n", d.Reason)
	}
	if d.Flagged {
		b.WriteString("flagged:  the name matched only after it was cleaned or folded\n")
	}
	if d.WouldBe != "" {
		fmt.Fprintf(&b, "would be: %s, if shadow rules were enforced\n", e.because(Decision{Verdict: d.WouldBe, Rule: d.WouldBeRule}))
	}
	fmt.Fprintf(&b, "version:  %s\n", e.Policy)
	return b.String()
}

// RulesText says what the rules say, for each reading of the name.
func (e Explanation) RulesText(all bool) string {
	var b strings.Builder
	for i, r := range e.Readings {
		if len(e.Readings) > 1 {
			fmt.Fprintf(&b, "reading %d of the name\n", i+1)
		}
		r.write(&b, all)
		if len(e.Readings) > 1 {
			fmt.Fprintf(&b, "  this reading: %s\n", e.because(r.Outcome))
		}
	}
	return b.String()
}

// because names the rule that decided, or the default.
func (e Explanation) because(d Decision) string {
	switch {
	case d.Rule != "":
		return fmt.Sprintf("%s (rule %s)", d.Verdict, d.Rule)
	case d.Verdict == e.Default:
		return fmt.Sprintf("%s (the default: no rule decides)", d.Verdict)
	default:
		return string(d.Verdict)
	}
}

func (r ReadingTrace) write(b *strings.Builder, all bool) {
	fmt.Fprintf(b, "tool %q", r.Tool)
	if !strings.EqualFold(r.Folded, r.Tool) {
		fmt.Fprintf(b, ", compared as %q", r.Folded)
	}
	if r.State != "" {
		fmt.Fprintf(b, ", known as %s of server %s (%s)", yamlfile.Quote(r.KnownAs), yamlfile.Quote(r.Server), r.State)
	}
	b.WriteString("\n")
	var near, ended []string
	others := 0
	for i := range r.Rules {
		switch t := &r.Rules[i]; {
		case all || t.Matters(r.Outcome):
			t.write(b, all, all || t.ID == r.Outcome.Rule)
		case t.Ended:
			ended = append(ended, t.ID)
		case t.Near:
			near = append(near, t.ID)
		default:
			others++
		}
	}
	if len(ended) > 0 {
		fmt.Fprintf(b, "  no   %s for this tool, which ended: %s\n", quantity.Count(len(ended), "rule"), shortList(ended))
	}
	if len(near) > 0 {
		fmt.Fprintf(b, "  no   %s for this tool, because of conditions: %s\n", quantity.Count(len(near), "rule"), shortList(near))
	}
	if others > 0 {
		fmt.Fprintf(b, "  no   %s for other tools, servers or people\n", quantity.Count(others, "rule"))
	}
	if len(ended)+len(near)+others > 0 {
		b.WriteString("       (--all shows why)\n")
	}
	if r.ByName {
		b.WriteString("  no arguments could change this refusal\n")
	}
}

// maxNear is how many rules are named that nearly match.
const maxNear = 12

func shortList(names []string) string {
	if more := len(names) - maxNear; more > 0 {
		return strings.Join(names[:maxNear], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}

// Matters says that a rule matches, that it decides, or that an exception kept it from matching.
func (t *RuleTrace) Matters(outcome Decision) bool {
	return t.Matched || outcome.Rule != "" && t.ID == outcome.Rule || len(t.Exceptions) > 0
}

// write writes the rule, with its conditions if they are wanted: all parts of them, or only those that matter.
func (t *RuleTrace) write(b *strings.Builder, all, conditions bool) {
	mark := "no "
	if t.Matched {
		mark = "yes"
	}
	fmt.Fprintf(b, "  %s  %s (%s, %s", mark, t.ID, t.Verdict, placeText(t.From, t.Line, t.Changed))
	if t.Shadow {
		b.WriteString(", shadow")
	}
	fmt.Fprintf(b, "): %s\n", t.Why)
	if t.Conditions != nil && conditions {
		shown := *t.Conditions
		if !all {
			shown = shown.Essence()
		}
		shown.Write(b, 3)
	}
	for i := range t.Exceptions {
		t.Exceptions[i].write(b)
	}
}
