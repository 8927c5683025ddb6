package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// silenced are the warnings that a policy silences, each with its rule and reason.
func silenced(p *Policy) (out []string) {
	for _, s := range p.Written().Silences {
		out = append(out, s.Warning+"|"+s.Rule+"|"+s.Reason)
	}
	return out
}

func TestSilence(t *testing.T) {
	p := mustParse(t, `
version: 1
default: allow
silence:
  - {warning: unknown-tool, reason: Our own agent has it.}
  - {warning: folder-only, rule: r, reason: The folder is meant.}
rules:
  - {id: r, tool: x, verdict: deny, silence: [{warning: never-met, reason: It is new.}]}
  - {id: off, tool: x, verdict: deny, disabled: true, silence: [{warning: never-met, reason: It is new.}]}
`)
	want := []string{"never-met|r|It is new.", "unknown-tool||Our own agent has it.", "folder-only|r|The folder is meant."}
	if diff := cmp.Diff(want, silenced(p)); diff != "" {
		t.Error(diff)
	}
}

// What is silenced in a policy that is extended stays so, and a rule of a preset can be silenced without another change.
func TestSilenceInLayers(t *testing.T) {
	base := Text{Name: "p/base.yaml", Data: []byte(`
version: 1
extends: open
silence: [{warning: unknown-tool, reason: Ours.}]
rules:
  - {id: r, tool: x, verdict: deny, silence: [{warning: never-met, reason: New.}]}
`)}
	one := Text{Name: "p/one.yaml", Data: []byte("version: 1\nextends: base.yaml\nsilence: [{warning: host-glob, reason: One.}]\n")}
	two := Text{Name: "p/two.yaml", Data: []byte(`
silence: [{warning: text-match, reason: Two.}]
rules:
  - {id: r, silence: [{warning: folder-only, reason: Meant.}]}
  - {id: protect-weir, silence: [{warning: literal-star, reason: Meant.}]}
`)}
	p, err := ParseSources(Sources{Files: []Text{one, two}, Bases: []Text{base}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"literal-star|protect-weir|Meant.", "never-met|r|New.", "folder-only|r|Meant.",
		"unknown-tool||Ours.", "host-glob||One.", "text-match||Two.",
	}
	if diff := cmp.Diff(want, silenced(p)); diff != "" {
		t.Error(diff)
	}
	if where := p.Origin("protect-weir"); strings.Contains(where, "changed") {
		t.Errorf("protect-weir is %s: a silence is no change", where)
	}
	for _, s := range p.Written().Silences {
		if ofBase := strings.HasSuffix(s.At.File(), "base.yaml"); p.Written().OfBase(s.At) != ofBase {
			t.Errorf("%s is of a base: %v", s.At.File(), !ofBase)
		}
	}
}

// What is wrong with an entry is an error, for the loader and for the schema.
func TestSilenceIsStrict(t *testing.T) {
	c := newChecker(t)
	for entry, fits := range map[string]bool{
		"{warning: never-met, reason: It is new.}":           true,
		"{warning: never-met}":                               false,
		"{warning: never-met, reason: ''}":                   false,
		"{reason: It is new.}":                               false,
		"{warning: never-mat, reason: It is new.}":           false,
		"{warning: unused-silence, reason: I like it.}":      false,
		"{warning: never-met, reason: It is new., until: x}": false,
	} {
		for _, text := range []string{
			"version: 1\ndefault: allow\nsilence: [" + entry + "]\n",
			"version: 1\ndefault: allow\nrules: [{id: r, tool: x, verdict: deny, silence: [" + entry + "]}]\n",
			"version: 1\nextends: open\nrules: [{id: protect-weir, silence: [" + entry + "]}]\n",
		} {
			if _, err := Parse("policy.yaml", []byte(text)); (err == nil) != fits {
				t.Errorf("the loader says %v of\n%s", err, text)
			}
			if err := c.CheckFile("policy.yaml", []byte(text)); (err == nil) != fits {
				t.Errorf("the schema says %v of\n%s", err, text)
			}
		}
	}
	// Only an entry of the policy names its rule.
	const inRule = "version: 1\ndefault: allow\nrules: [{id: r, tool: x, verdict: deny, silence: [{warning: never-met, rule: r, reason: New.}]}]\n"
	if _, err := Parse("policy.yaml", []byte(inRule)); err == nil || c.CheckFile("policy.yaml", []byte(inRule)) == nil {
		t.Errorf("got %v", err)
	}
	_, err := Parse("p.yaml", []byte("version: 1\ndefault: allow\nsilence: [{warning: never-met}]\n"))
	if want := `p.yaml:3:11: silence[0]: the key "reason" is missing; add it`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A reason of blanks is none.
func TestSilenceNeedsAReason(t *testing.T) {
	for _, text := range []string{
		"version: 1\ndefault: allow\nsilence: [{warning: host-glob, reason: \" \"}]\n",
		"version: 1\ndefault: allow\nrules: [{id: r, tool: x, verdict: deny, silence: [{warning: never-met, reason: \"\\t\"}]}]\n",
	} {
		if _, err := Parse("p.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), "the reason is empty") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
