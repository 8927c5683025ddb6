package condition

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/truth"
)

// maxFound is how many characters of a deed are shown.
const maxFound = 120

// maxSeen is how many values of a test are shown.
const maxSeen = 5

// A Trace is the evaluation of one block or one test of a rule.
type Trace struct {
	Held  bool    `json:"held"`
	Block string  `json:"block,omitzero"` // any, all or none; "" for a test
	Of    []Trace `json:"of,omitzero"`

	Path       string   `json:"param_path,omitzero"`
	Operator   string   `json:"operator,omitzero"`
	Value      string   `json:"value,omitzero"`      // the policy's value, as JSON
	Quantifier string   `json:"quantifier,omitzero"` // any: one value is enough; all: there is at least one, and all satisfy it
	Seen       []string `json:"seen,omitzero"`       // the compared values, shortened
	More       int      `json:"more,omitzero"`       // how many more values were compared
	Found      []string `json:"found,omitzero"`      // the deeds of commands that matched, shortened

	// left is how many parts were left out, because they do not matter.
	left int
}

// Essence is the trace without parts that do not matter: those of any that do not hold beside one that does, and the like.
func (t Trace) Essence() Trace {
	if t.Block == "" {
		return t
	}
	// The parts that settle a block are those that hold, or do not, as one of them is enough for it.
	settles := t.Block != blockAll
	settled := t.Held == (t.Block == blockAny)
	var of []Trace
	for _, part := range t.Of {
		if settled && part.Held != settles {
			continue
		}
		of = append(of, part.Essence())
	}
	if t.Block == blockNone && t.Held {
		of = nil // that nothing of it holds says enough
	}
	t.Of, t.left = of, len(t.Of)-len(of)
	return t
}

// part returns the trace of one of n parts; it is nil for a nil trace.
func (t *Trace) part(n, i int) *Trace {
	if t == nil {
		return nil
	}
	if t.Of == nil {
		t.Of = make([]Trace, n)
	}
	return &t.Of[i]
}

func (t *Trace) noteTest(c *Condition, f *Facts, q quantifier, held bool) {
	t.Held, t.Operator, t.Value = held, c.op.name, c.want
	if c.op.kind == opExpr {
		return // it looks at the whole call
	}
	if c.op.kind == opCircumstance {
		_, seen := c.under(f.Circumstances)
		t.Seen = []string{inert.Text(argument.Clip(seen), maxFound)}
		return
	}
	t.Path, t.Quantifier = f.paths[c.path].text, string(q)
	s := f.selection(c.path)
	if c.op.kind == opText {
		for _, text := range s.Texts[:min(len(s.Texts), maxSeen)] {
			t.Seen = append(t.Seen, argument.Shorten(fmt.Sprintf("%q", argument.Clip(text))))
		}
		t.More = len(s.Texts) - len(t.Seen)
	} else {
		for _, v := range s.Values[:min(len(s.Values), maxSeen)] {
			t.Seen = append(t.Seen, v.Describe())
		}
		t.More = len(s.Values) - len(t.Seen)
	}
	if c.op.ofTool {
		t.Found = f.foundActs(c)
	}
	for _, v := range s.Values {
		if c.op.verb == "" || len(t.Found) >= maxSeen {
			break
		}
		t.Found = append(t.Found, f.matched(c, v)...)
	}
	if s.Hole {
		t.Seen = append(t.Seen, "(what code computes)")
	}
}

// foundActs are what the tool does of what a condition asks for, for people.
func (f *Facts) foundActs(c *Condition) (out []string) {
	for _, act := range (f.actsOf(&f.args) & c.test.acts).Each() {
		out = append(out, act.String())
	}
	return out
}

// matched are the deeds of a value's commands that satisfy the operator of a condition, for people.
func (f *Facts) matched(c *Condition, v *argument.Value) (out []string) {
	deeds := f.deedsOf(v)
	for i := range deeds {
		if d := &deeds[i]; c.test.deeds.Match(d) != truth.No && len(out) < maxSeen {
			out = append(out, inert.Text(argument.Clip(d.String()), maxFound))
		}
	}
	return out
}

// Write renders the trace for a terminal.
func (t Trace) Write(b *strings.Builder, depth int) {
	mark := "no "
	if t.Held {
		mark = "yes"
	}
	fmt.Fprintf(b, "%s%s  ", strings.Repeat("  ", depth), mark)
	if t.Block != "" {
		fmt.Fprintf(b, "%s of:", t.Block)
		if t.left > 0 {
			fmt.Fprintf(b, " (%d more)", t.left)
		}
		b.WriteString("\n")
		for _, part := range t.Of {
			part.Write(b, depth+1)
		}
		return
	}
	b.WriteString(strings.TrimSpace(t.Path + " " + t.Operator))
	if t.Value != "" {
		b.WriteString(" " + argument.Shorten(t.Value))
	}
	if len(t.Found) > 0 {
		b.WriteString("; found " + strings.Join(t.Found, ", ") + "\n")
		return
	}
	switch {
	case t.Path == "" && len(t.Seen) == 0:
		b.WriteString("\n")
	case len(t.Seen) == 0:
		b.WriteString("; nothing there to compare\n")
	case t.More > 0:
		fmt.Fprintf(b, "; %s of %s and %d more\n", t.Quantifier, strings.Join(t.Seen, ", "), t.More)
	case len(t.Seen) == 1:
		fmt.Fprintf(b, "; saw %s\n", t.Seen[0])
	default:
		fmt.Fprintf(b, "; %s of %s\n", t.Quantifier, strings.Join(t.Seen, ", "))
	}
}
