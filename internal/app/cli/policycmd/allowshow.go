package policycmd

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/study"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/linediff"
	"github.com/weir-gate/weir/internal/text/quantity"
)

// replayedSpan is how far back calls are replayed.
const replayedSpan = 7 * 24 * time.Hour

// others are other calls on record that an exception would have let pass.
type others struct {
	calls    int // that were replayed
	same     int // equal calls, this one included, that would have passed
	passed   int
	examples []string
	inexact  int // calls that the record does not have exactly
}

// maxOthers is how many other calls are shown.
const maxOthers = 10

// add replays one call. An exception holds at the time of that call, if it has no beginning.
func (o *others) add(w allowance, a act, before, after *foresight) {
	if a.event.Surface == call.Egress || a.refusedAnyway() {
		return
	}
	if a.partial() != "" {
		o.inexact++
		return
	}
	o.calls++
	was, now := settled(before.ruleAct(a)[0]), settled(after.ruleAct(a)[0])
	if !isRefused(was) || isRefused(now) {
		return
	}
	e := a.event
	if e.Server == w.act.event.Server && e.Tool == w.act.event.Tool && string(e.Args) == string(w.act.event.Args) {
		o.same++
		return
	}
	if o.passed++; len(o.examples) < maxOthers {
		o.examples = append(o.examples, fmt.Sprintf("%s  %s  %s  %s", e.Time.Local().Format(time.DateTime), inert.Name(string(e.CallID), 80),
			toolText(e.Server, e.Tool), inert.Text(string(e.Args), 160)))
	}
}

func isRefused(s study.Settled) bool {
	return s.Verdict == policy.Deny || s.Verdict == policy.PendingApproval
}

// print shows what would be written, and what it would do.
func (w allowance) print(out io.Writer) error {
	var b strings.Builder
	e := w.act.event
	fmt.Fprintf(&b, "call:     %s %s\n", toolText(e.Server, e.Tool), inert.Text(string(e.Args), 4000))
	for _, id := range w.plan.Rules {
		fmt.Fprintf(&b, "rule:     %s gets an exception\n", inert.Name(id, 80))
	}
	for i, id := range w.plan.Added {
		of := "the call"
		if i > 0 {
			of = "a call in its arguments"
		}
		fmt.Fprintf(&b, "rule:     %s is added, because no rule allows %s\n", inert.Name(id, 80), of)
	}
	fmt.Fprintf(&b, "for:      %s\n", w.spanText())
	fmt.Fprintf(&b, "who:      %s\n", w.whoText())
	if len(w.plan.Loose) > 0 {
		fmt.Fprintf(&b, "note:     these may differ, because they are not what is refused: %s\n", strings.Join(w.plan.Loose, ", "))
	}
	if len(w.plan.Content) > 0 {
		fmt.Fprintf(&b, "note:     any content passes, because of --any-content: %s\n", strings.Join(w.plan.Content, ", "))
	}
	if w.fresh {
		b.WriteString("note:     the policy has no file yet; the new one extends balanced, which is in use\n")
	}
	b.WriteString("\n")
	for _, c := range w.plan.Changed {
		before := c.Before
		from := c.Path
		if w.fresh {
			before, from = nil, ""
		}
		linediff.WriteNames(&b, from, c.Path)
		linediff.Of(before, c.After).WriteHunks(&b)
	}
	w.others.write(&b)
	return inert.WriteLines(out, b.String())
}

func (w allowance) spanText() string {
	if w.terms.Until == "" {
		return "always; it has no end"
	}
	return w.span + ", until " + w.terms.Until
}

func (w allowance) whoText() string {
	a := w.act.event.Actor
	if w.terms.Session {
		return "session " + inert.Name(a.Session, 80)
	}
	a.Session = ""
	if who := whoText(a); who != "" {
		return who
	}
	return "everybody who uses this policy"
}

func (o others) write(b *strings.Builder) {
	fmt.Fprintf(b, "\nOf %s in the last 7 days", quantity.Count(o.calls, "call"))
	switch {
	case o.passed == 0 && o.same <= 1:
		b.WriteString(" no other would have passed.\n")
	case o.passed == 0:
		fmt.Fprintf(b, " %d that are the same would have passed, and no other.\n", o.same)
	default:
		fmt.Fprintf(b, " %s would have passed:\n", quantity.Count(o.passed, "other"))
	}
	for _, line := range o.examples {
		fmt.Fprintf(b, "  %s\n", line)
	}
	if more := o.passed - len(o.examples); more > 0 {
		fmt.Fprintf(b, "  and %d more\n", more)
	}
	if o.inexact > 0 {
		fmt.Fprintf(b, "%s cannot be replayed: the record does not have all arguments.\n", quantity.Count(o.inexact, "more call"))
	}
}
