package policy

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// String formats the explanation for a terminal.
func (e Explanation) String() string {
	var b strings.Builder
	for i, r := range e.Readings {
		if len(e.Readings) > 1 {
			fmt.Fprintf(&b, "reading %d of the name\n", i+1)
		}
		r.write(&b)
		if len(e.Readings) > 1 {
			fmt.Fprintf(&b, "  this reading: %s\n", e.because(r.Outcome))
		}
	}
	fmt.Fprintf(&b, "decision: %s\n", e.because(e.Decision))
	d := e.Decision
	if d.Code != "" {
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

func (r ReadingTrace) write(b *strings.Builder) {
	fmt.Fprintf(b, "tool %q", r.Tool)
	if !strings.EqualFold(r.Folded, r.Tool) {
		fmt.Fprintf(b, ", compared as %q", r.Folded)
	}
	if r.State != "" {
		fmt.Fprintf(b, ", known as %s of server %s (%s)", yamlfile.Quote(r.KnownAs), yamlfile.Quote(r.Server), r.State)
	}
	b.WriteString("\n")
	for _, t := range r.Rules {
		mark := "no "
		if t.Matched {
			mark = "yes"
		}
		fmt.Fprintf(b, "  %s  %s (%s, %s", mark, t.ID, t.Verdict, placeText(t.From, t.Line, t.Changed))
		if t.Shadow {
			b.WriteString(", shadow")
		}
		fmt.Fprintf(b, "): %s\n", t.Why)
		if t.Conditions != nil {
			t.Conditions.Write(b, 3)
		}
		for i := range t.Exceptions {
			t.Exceptions[i].write(b)
		}
	}
	if r.ByName {
		b.WriteString("  no arguments could change this refusal\n")
	}
}
