package warn_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/warn"
	"github.com/weir-gate/weir/internal/text/when"
)

// compared is what is found in a policy after 30 calls of git, and some of another tool.
func compared(t *testing.T, text string, calls int) warn.Report {
	t.Helper()
	f := warn.New(mustParse(t, text))
	meet := f.Compare()
	for i := range calls {
		meet(policy.Query{Tools: []string{"Bash"}, Args: jsontext.Value(fmt.Sprintf(`{"command":"git log -%d"}`, i))})
	}
	meet(policy.Query{Tools: []string{"Pay"}, Args: jsontext.Value(`{}`)})
	return f.Find(when.Moment{})
}

func TestNeverMet(t *testing.T) {
	for _, c := range []struct {
		text  string
		calls int
		never int // warnings
	}{
		{denying(allow + "tool: Bash, conditions: {operator: runs, value: npm}"), 30, 1},
		{denying(allow + "tool: Bash, conditions: {all: [{operator: runs, value: git}, {operator: runs, value: npm}]}"), 30, 1},
		{denying(allow + "tool: Bash, conditions: {any: [{operator: runs, value: git}, {operator: runs, value: npm}]}"), 30, 0},
		{denying(allow + "tool: Bash, conditions: {operator: runs, value: git}"), 30, 0},
		{denying(allow + "tool: Bash, conditions: {operator: runs, value: npm}"), 5, 0},
		{denying(allow + "tool: Read, conditions: {operator: reads, value: a}"), 30, 0},
		{allowing(deny + "tool: Bash, conditions: {param_path: [cmdline, script], operator: contains, value: x}, silence: [{warning: unknown-parameter, reason: x}]"), 30, 1},
		// To refuse nothing is what a rule that refuses usually does.
		{allowing(deny + "tool: Bash, conditions: {operator: runs, value: rm}"), 30, 0},
		{allowing(deny + "tool: Bash, conditions: {param_path: command, operator: contains, value: rm}"), 30, 0},
		{allowing(deny + `tool: "*", conditions: {param_path: url, operator: contains, value: rm}`), 30, 0},
		{denying(allow + "tool: Bash, conditions: {operator: runs, value: npm}, silence: [{warning: never-met, reason: New.}]"), 30, 0},
	} {
		r := compared(t, c.text, c.calls)
		met := func(w warn.Warning) bool { return w.ID == policy.WarnNeverMet }
		n := len(r.Warnings) - len(slices.DeleteFunc(slices.Clone(r.Warnings), met))
		if n != c.never || n != len(r.Warnings) || r.Calls != c.calls+1 {
			t.Errorf("%d never met, want %d; %d calls; %v\n%s", n, c.never, r.Calls, r.Warnings, c.text)
		}
	}
}

// Rules that refused nothing are named, without a warning. A tool that was called exists.
func TestComparedWithTheRecord(t *testing.T) {
	r := compared(t, allowing(deny+"tool: Bash, conditions: {operator: runs, value: rm}", deny+"tool: Bash, conditions: {operator: runs, value: git}",
		"tool: Pay, verdict: deny"), 30)
	if len(r.Warnings) > 0 || !slices.Equal(r.Unmet, []string{"r0"}) {
		t.Errorf("unmet: %v, warnings: %v", r.Unmet, r.Warnings)
	}
	// A silence of what was looked for and not found is one too many.
	r = compared(t, denying(allow+"tool: Bash, conditions: {operator: runs, value: git}, silence: [{warning: never-met, reason: New.}]"), 30)
	if len(r.Warnings) != 1 || r.Warnings[0].ID != policy.WarnUnusedSilence {
		t.Error(r.Warnings)
	}
}

// A warning is where the policy speaks of a rule, and rules of presets are not warned of.
func TestWarningsInLayers(t *testing.T) {
	base := policy.Text{Name: "p/base.yaml", Data: []byte(
		"version: 1\nextends: open\nsilence: [{warning: host-glob, reason: For those that extend it.}]\nrules:\n  - {id: b, tool: Pay, verdict: deny}\n")}
	own := policy.Text{Name: "p/own.yaml", Data: []byte(`version: 1
extends: base.yaml
silence: [{warning: rule-without-effect, rule: o, reason: It shows something.}]
rules:
  - {id: o, tool: Bash, verdict: allow}
  - id: protect-weir
    verdict: allow
`)}
	p, err := policy.ParseSources(policy.Sources{Files: []policy.Text{own}, Bases: []policy.Text{base}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	r := warn.New(p).Find(when.Moment{})
	for _, w := range r.Warnings {
		got = append(got, fmt.Sprintf("%s:%d %s %s", w.File, w.Line, w.ID, w.Rule))
	}
	want := []string{"p/base.yaml:5 unknown-tool b", "p/own.yaml:6 rule-without-effect protect-weir", "p/own.yaml:6 text-match protect-weir"}
	if !slices.Equal(got, want) || r.Silenced != 1 {
		t.Errorf("%d silenced, got %q, want %q", r.Silenced, got, want)
	}
}
