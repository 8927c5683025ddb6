package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/text/truth"
	"github.com/weir-gate/weir/internal/text/when"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// An Explanation is a decision with everything that led to it.
type Explanation struct {
	Policy   string         `json:"policy_version"`
	Default  Verdict        `json:"default"`
	Readings []ReadingTrace `json:"readings"`
	Decision Decision       `json:"decision"`
}

// A ReadingTrace says how one reading of the tool's name was decided.
type ReadingTrace struct {
	Tool   string `json:"tool"`
	Server string `json:"server,omitzero"` // the MCP server of the tool in this reading
	Folded string `json:"folded"`          // the form that was compared
	// KnownAs is the tool's own name, and State is how far it is trusted, if the registry knows it.
	KnownAs string         `json:"known_as,omitzero"`
	State   call.ToolState `json:"state,omitzero"`
	Rules   []RuleTrace    `json:"rules"`
	Outcome Decision       `json:"outcome"`
	// ByName says that the call is refused whatever its arguments.
	ByName bool `json:"by_name,omitzero"`
}

// A RuleTrace is one rule that was considered.
type RuleTrace struct {
	ID      string   `json:"id"`
	Line    int      `json:"line"`             // 0: it applies without being in the policy
	From    string   `json:"from,omitzero"`    // its file, if the policy has several
	Changed []string `json:"changed,omitzero"` // what other files change of it
	Verdict Verdict  `json:"verdict"`
	Shadow  bool     `json:"shadow,omitzero"`
	Matched bool     `json:"matched"`
	// Near says that the rule is about the tool, server and person, but does not match because of its conditions or exceptions.
	Near bool `json:"near,omitzero"`
	// Ended says that the rule is near and does not match any more: the time in its conditions is over.
	Ended bool   `json:"ended,omitzero"`
	Why   string `json:"why"`
	// Conditions is nil for a rule that has none, or whose conditions were not reached.
	Conditions *condition.Trace `json:"conditions,omitzero"`
	// Exceptions are those of a rule that would match without them.
	Exceptions []ExceptionTrace `json:"exceptions,omitzero"`
}

// Explain decides a call as Decide does. It reports every considered rule, in the order of the file, and why it did or did not
// match.
func (p *Policy) Explain(q Query) Explanation {
	e := Explanation{Policy: p.version, Default: p.fallbackOn(cmp.Or(q.Surface, call.Response))}
	if q.Surface == call.Egress {
		e.Default = q.connectionFallback()
	}
	e.Decision = p.decide(q, &e)
	return e
}

// reading adds the trace of a reading; for a nil Explanation it returns nil.
func (e *Explanation) reading(r *reading, i int) *ReadingTrace {
	if e == nil {
		return nil
	}
	t := ReadingTrace{Tool: r.tool, Server: r.server.Written, Folded: toolname.Fold(r.tool), State: r.worst()}
	if t.State != "" {
		t.KnownAs = r.toolOfServer
	}
	e.Readings = append(e.Readings, t)
	return &e.Readings[i]
}

// maxListed is how many globs or texts of a list are shown.
const maxListed = 5

// explainRules tries every rule separately, without the index and without shortcuts.
func (p *Policy) explainRules(rd *reading, f *condition.Facts, trace *ReadingTrace) {
	for i := range p.rules {
		r := &p.rules[i]
		t := RuleTrace{ID: r.id, Line: r.line, From: r.from, Changed: r.changed, Verdict: r.verdict, Shadow: r.shadow}
		if t.Why = r.whyNot(rd); t.Why == "" {
			rd.explainConditions(r, f, &t)
			rd.explainExceptions(r, f, &t)
			t.Near = !t.Matched
			t.Ended = t.Near && p.hasEnded(r.id, rd.now)
		}
		trace.Rules = append(trace.Rules, t)
	}
	p.guard.explain(rd, trace)
	p.explainCanary(rd, f, trace)
}

// hasEnded says whether the time in the conditions of a rule is over.
func (p *Policy) hasEnded(id string, now when.Moment) bool {
	return slices.ContainsFunc(p.written.Rules, func(r WrittenRule) bool {
		return r.Get("id") != nil && r.Get("id").Text == id && r.Ended(now)
	})
}

// whyNot says why a rule does not match, whatever the arguments; "": it may match.
func (r *rule) whyNot(rd *reading) string {
	if guessed := r.guessed(rd); !guessed {
		if !r.namesAny(rd.names) {
			return "tool is not " + globTexts(r.tools)
		}
		if !r.serves(rd.server) {
			return fmt.Sprintf("server is %s, not %s", yamlfile.Quote(rd.server.Written), globTexts(r.servers))
		}
	}
	if r.excepts(rd) {
		return "the rule excepts the tool: not_tool is " + globTexts(r.notTools)
	}
	if !r.hinted(rd) {
		return rd.hintText() + ", not " + yamlfile.OneOf(hintTexts(r.hints))
	}
	if !r.covers(rd.surface) {
		return "surface is " + string(rd.surface)
	}
	if w := r.misfit(rd.actor); w != nil {
		return fmt.Sprintf("who: %s is %s, not %s", w.field, yamlfile.Quote(w.of(rd.actor)), globTexts(w.globs))
	}
	return ""
}

// hintText says which hints the tool has.
func (rd *reading) hintText() string {
	var all []call.Hint
	for _, k := range rd.known {
		all = append(all, k.Hints...)
	}
	if len(all) == 0 {
		return "no hint of the tool is known"
	}
	return "the hints of the tool are " + strings.Join(hintTexts(all), ", ")
}

func hintTexts(hints []call.Hint) []string {
	out := make([]string, len(hints))
	for i, h := range hints {
		out[i] = string(h)
	}
	return out
}

func (rd *reading) explainConditions(r *rule, f *condition.Facts, t *RuleTrace) {
	if r.conditions == nil {
		t.Matched, t.Why = true, "tool matches; no conditions"
		return
	}
	if f.Unknown {
		t.Matched = r.verdict != Allow
		t.Why = "tool matches; the arguments are not known"
		return
	}
	if !f.Readable() {
		t.Why = "the arguments cannot be read"
		return
	}
	q := condition.AnyValue
	if r.verdict == Allow {
		q = condition.EveryValue
	}
	// A trace evaluates every part, also parts that the result does not need. Only parts that it needs may make it fail.
	f.Failed = false
	t.Matched = r.conditions.Holds(f, q, nil)
	everyHolds := r.verdict != Deny && r.conditions.Holds(f, condition.EveryValue, nil) && r.excused(rd, f) == truth.No
	if !t.Matched && everyHolds && rd.fallback == Deny {
		q, t.Matched = condition.EveryValue, true
	}
	if r.verdict == Allow && r.restricts() {
		r.conditions.Holds(f, condition.AnyValue, nil)
	}
	failed := f.Failed
	t.Conditions = &condition.Trace{}
	r.conditions.Holds(f, q, t.Conditions)
	switch {
	case failed:
		t.Matched, t.Why = true, "tool matches; a condition cannot be evaluated, which refuses the call"
	case !t.Matched:
		t.Why = "tool matches; the conditions do not hold"
	case r.verdict == Audit && rd.fallback == Deny && !everyHolds:
		t.Why = "tool matches; the conditions hold for some values, which flags the call but does not let it pass"
	default:
		t.Why = "tool matches; the conditions hold"
	}
}

func globTexts(globs []toolname.Glob) string {
	var texts []string
	for _, g := range globs[:min(len(globs), maxListed)] {
		texts = append(texts, yamlfile.Quote(g.Text))
	}
	if more := len(globs) - len(texts); more > 0 {
		texts = append(texts, fmt.Sprintf("%d more", more))
	}
	return yamlfile.OneOf(texts)
}
