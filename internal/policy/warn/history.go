package warn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

const (
	// enoughCalls is how many calls of its tools a rule must have met before what never happened says something.
	enoughCalls = 20
	// maxQuestions bounds the work for each call.
	maxQuestions = 400
)

// A history is what the calls on record say to questions about the policy.
type history struct {
	asked     *policy.Policy // with a rule for each question
	questions []question
	answers   []int // by question: how many calls say yes
	calls     int
	tools     map[string]bool // names of tools that rules name: a call has it
}

// A question is a part of a rule that calls may meet.
type question struct {
	rule *rule
	kind questionKind
	test *test // nil: it is about the whole rule
}

// A questionKind says what is asked of a call.
type questionKind int

const (
	isAbout   questionKind = iota // whether the rule is about it, whatever its arguments are
	meetsRule                     // whether it meets the conditions of the rule
	meetsTest                     // whether it meets one test of a rule that allows
	hasPath                       // whether it has the parameter of a test
)

// Compare compares the policy with calls on record. The function that it returns is to be called with each of them, before Find.
func (f *Finder) Compare() func(q policy.Query) {
	h := &history{tools: map[string]bool{}}
	var rules []string
	for _, r := range f.rules {
		if r.At == nil || !r.ofCalls() {
			continue
		}
		for _, n := range r.tools {
			h.tools[toolname.Fold(n.Text)] = false
		}
		for _, q := range r.questions() {
			if len(rules) < maxQuestions {
				h.questions = append(h.questions, q)
				rules = append(rules, q.text(len(rules)))
			}
		}
	}
	h.answers = make([]int, len(h.questions))
	// The rules are written anew from rules that are compiled already, so there is no error.
	h.asked, _ = policy.Parse("record", []byte(`{"version":1,"default":"deny","rules":[`+strings.Join(rules, ",")+`]}`))
	f.met = h
	return h.meet
}

// questions are what calls are asked about a rule with conditions.
func (r *rule) questions() []question {
	if r.conditions == nil {
		return nil
	}
	out := []question{{rule: r, kind: isAbout}, {rule: r, kind: meetsRule}}
	exact := !slices.ContainsFunc(r.tools, func(n *yamlfile.Node) bool { return strings.ContainsAny(n.Text, "*%") })
	r.conditions.each(position{}, func(t *test, at position) {
		switch {
		case at.none || t.operator == opTime || t.operator == opModel || t.operator == opExpr || t.operator == "exists":
		case r.verdict == policy.Allow && !t.negated:
			out = append(out, question{r, meetsTest, t})
		case r.verdict != policy.Allow && exact && t.paths != nil && !slices.Contains(t.paths, "$"):
			out = append(out, question{r, hasPath, t})
		}
	})
	return out
}

// text is the question as a rule, which the calls match that say yes.
func (q question) text(at int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"id":"q%d"`, at)
	for _, e := range q.rule.Entries {
		if slices.Contains([]string{"tool", "not_tool", "server", "hints", "who", "surface"}, e.Name) {
			b.WriteString("," + quoted(e.Name) + ":" + string(e.Value.JSON()))
		}
	}
	verdict := policy.Audit // for which one value is enough
	if q.rule.verdict == policy.Allow {
		verdict = policy.Allow
	}
	switch q.kind {
	case meetsRule:
		b.WriteString(`,"conditions":` + string(q.rule.conditions.json()))
	case meetsTest:
		b.WriteString(`,"conditions":` + string(q.test.asCondition()))
	case hasPath:
		b.WriteString(`,"conditions":{"operator":"exists","param_path":` + string(q.test.node.Get("param_path").JSON()) + `}`)
	}
	return b.String() + `,"verdict":"` + string(verdict) + `"}`
}

// meet takes note of a call.
func (h *history) meet(q policy.Query) {
	h.calls++
	for _, name := range q.Tools {
		if folded := toolname.Fold(name); !h.tools[folded] {
			if _, named := h.tools[folded]; named {
				h.tools[folded] = true
			}
		}
	}
	if h.asked == nil {
		return
	}
	places, _ := h.asked.Meets(q)
	slices.Sort(places)
	for _, place := range slices.Compact(places) {
		if place < len(h.answers) {
			h.answers[place]++
		}
	}
}

// saw says whether a call on record has a tool that a rule names.
func (h *history) saw(tool string) bool { return h != nil && h.tools[toolname.Fold(tool)] }

// answer is how many calls said yes to a question about a rule.
func (h *history) answer(r *rule, kind questionKind) int {
	for i, q := range h.questions {
		if q.rule == r && q.kind == kind {
			return h.answers[i]
		}
	}
	return 0
}

// unmet are the rules that refuse calls and met none, though there were calls of their tools.
func (h *history) unmet() (out []string) {
	for i, q := range h.questions {
		if q.kind == meetsRule && q.rule.refuses() && h.answers[i] == 0 && h.answer(q.rule, isAbout) >= enoughCalls {
			out = append(out, q.rule.id)
		}
	}
	return out
}

// checkHistory warns of conditions that no call on record ever met. That a rule refused nothing is usual, so of rules that refuse only
// parameters count that no call has.
func (f *Finder) checkHistory() {
	if f.met == nil {
		return
	}
	for i, q := range f.met.questions {
		calls := f.met.answer(q.rule, isAbout)
		if f.met.answers[i] > 0 || calls < enoughCalls {
			continue
		}
		switch {
		case q.kind == meetsTest && f.met.answer(q.rule, meetsRule) == 0:
			f.add(policy.WarnNeverMet, q.rule, q.test.node.Get("operator"),
				fmt.Sprintf("of the last %d calls of its tools on record, none met this, so the rule allowed none of them", calls),
				"compare the condition with a call: weir policy explain --call ID")
		case q.kind == hasPath:
			f.add(policy.WarnNeverMet, q.rule, q.test.node.Get("param_path"),
				fmt.Sprintf("of the last %d calls of its tools on record, none has this parameter", calls),
				"see what the calls have: weir calls show ID")
		}
	}
}
