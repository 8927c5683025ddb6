package policycmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/inert"
)

// print writes the decision first, then the rules that matter, or all.
func (e explained) print(out io.Writer, name string, all bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "policy: %s\n", name)
	if e.InForce != "" {
		fmt.Fprintf(&b, "in force: %s\n", e.InForce)
	}
	if c := e.Call; c != nil {
		c.write(&b)
	}
	e.writeAll(&b, all)
	return inert.WriteLines(out, b.String())
}

// writeAll writes the decision and the rules, also of the calls in the arguments.
func (e explained) writeAll(b *strings.Builder, all bool) {
	e.writeDecision(b)
	b.WriteString(e.RulesText(all))
	for _, inside := range e.Inside {
		b.WriteString("\ninside the arguments\n")
		inside.writeDecision(b)
		b.WriteString(inside.RulesText(all))
	}
	if len(e.Inside) > 0 {
		b.WriteString("\nif one is refused, all are refused\n")
	}
}

// writeDecision writes what is decided, and what was, without the rules.
func (e explained) writeDecision(b *strings.Builder) {
	if e.Ruling != nil {
		fmt.Fprintf(b, "ruling:   %s\n", e.Ruling)
	}
	b.WriteString(e.DecisionText())
	if e.Duties != nil {
		e.Duties.write(b, e.Decision)
	}
	if e.Then != nil {
		fmt.Fprintf(b, "then:     %s, by policy %s\n", e.Then, e.Then.Policy)
	}
	if e.Note != "" {
		fmt.Fprintf(b, "note:     %s\n", inert.Text(e.Note, 300))
	}
}

// maxReason is how many characters of a reason on record are shown.
const maxReason = 600

// String returns a ruling on one line.
func (r *ruling) String() string {
	text := string(r.Verdict)
	if r.Rule != "" {
		text += " (rule " + inert.Name(r.Rule, 80) + ")"
	}
	for _, part := range []string{r.Code, r.Reason} {
		if part != "" {
			text += ", " + inert.Text(part, maxReason)
		}
	}
	return text
}

func (c *recordedCall) write(b *strings.Builder) {
	for _, m := range [][2]string{
		{"call", nameIf(c.CallID)},
		{"wire id", nameIf(c.WireID)},
		{"time", c.Time.Local().Format("2006-01-02 15:04:05.000")},
		{"surface", string(c.Surface)},
		{"server", nameIf(c.Server)},
		{"who", whoText(c.Actor)},
		{"args", string(c.Args)},
		{"note", c.Partial},
	} {
		if m[1] != "" {
			fmt.Fprintf(b, "  %-8s %s\n", m[0], inert.Text(m[1], 4000))
		}
	}
}

func (d *duties) write(b *strings.Builder, decision policy.Decision) {
	switch {
	case d.Trouble != "":
		fmt.Fprintf(b, "sanitize: %s; the call is refused\n", d.Trouble)
	case d.Replaced != nil:
		var kinds []string
		for _, r := range d.Replaced {
			kinds = append(kinds, fmt.Sprintf("%d %s", r.Count, r.Name))
		}
		fmt.Fprintf(b, "sanitize: %s replaced: %s\n", strings.Join(kinds, ", "), inert.Text(string(d.Sanitized), 4000))
	case decision.Verdict == policy.Sanitize && decision.Flag != "":
		fmt.Fprintf(b, "sanitize: nothing to replace; the call is released unchanged, flagged by rule %s\n", decision.Flag)
	case decision.Verdict == policy.Sanitize:
		b.WriteString("sanitize: nothing to replace; the call is released unchanged\n")
	}
	for _, l := range d.Limits {
		fmt.Fprintf(b, "limit:    %s\n", l)
	}
}
