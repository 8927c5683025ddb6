package policy

import (
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy/preset"
	"github.com/weir-gate/weir/internal/strictjson"
)

// costly are texts that take much more work than their size tells: as commands, as statements, as what has hosts and secrets in it.
func costly(size int) map[string]string {
	numbered := func(before, after string) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			b.WriteString(before + strconv.Itoa(i) + after)
		}
		return b.String()
	}
	return map[string]string{
		"brackets":      strings.Repeat("[", size),
		"patch":         "*** Begin Patch\n" + numbered("*** Add File: a", "\n+x\n"),
		"substitutions": strings.Repeat("$(ls $(pwd)) ", size/13),
		"variables":     numbered("a=$b$a; rm $a", "; "),
		"globs":         "rm " + numbered("a*?[a-z]", " "),
		"here":          numbered("cat <<E\n", "\nE\n"),
		"functions":     "f() { g; g; }; g() { rm a; rm b; }; " + strings.Repeat("f; ", size/3),
		"nested":        strings.Repeat("$(", size/2),
	}
}

func mustPreset(t *testing.T, name string) *Policy {
	t.Helper()
	source, err := preset.Text(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse(name+".yaml", source)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func commandOf(text string) Query {
	args := append(strictjson.AppendString([]byte(`{"command":`), text), '}')
	return Query{Tools: []string{"Bash"}, Args: jsontext.Value(args)}
}

// Whatever a call brings, it is decided within the bound, always in the same way, and refused where that is not enough.
func TestWorkIsBounded(t *testing.T) {
	p := mustPreset(t, "balanced")
	for name, text := range costly(8 << 20) {
		d := p.Decide(commandOf(text))
		if d.Code != call.CodeTooCostly || d.Verdict != Deny || d.Reason == "" {
			t.Errorf("8 MiB of %s: %+v", name, d)
		}
		if again := p.Decide(commandOf(text)); again.Code != d.Code {
			t.Errorf("8 MiB of %s, again: %+v", name, again)
		}
		if _, err := p.ForRecord(commandOf(text)); err == nil {
			t.Errorf("8 MiB of %s is written down", name)
		}
	}
	for name, text := range costly(4 << 10) {
		if d := p.Decide(commandOf(text)); d.Code == call.CodeTooCostly {
			t.Errorf("4 KiB of %s: %+v", name, d)
		}
	}
}

// Calls that are decided together have one bound.
func TestWorkIsShared(t *testing.T) {
	p := mustPreset(t, "balanced")
	work := &Work{}
	q := commandOf(strings.Repeat("echo a1; ls -l b; ", 10_000))
	q.Work = work
	for n := range 1000 {
		if p.Decide(q).Code == call.CodeTooCostly {
			if n == 0 {
				t.Error("one call is too costly")
			}
			return
		}
	}
	t.Error("a thousand calls together are not too costly")
}

// A judgement that nobody waits for ends, and the call does not pass. What its name alone refuses reads as ever.
func TestNobodyWaits(t *testing.T) {
	p, err := Parse("p.yaml", []byte(`
version: 1
default: allow
rules:
  - {id: named, tool: rm, verdict: deny}
  - {id: tried, tool: "*", verdict: deny, shadow: true, conditions: {param_path: command, operator: runs, value: "rm *"}}
  - {id: runs, tool: "*", verdict: deny, conditions: {param_path: command, operator: runs, value: "rm *"}}
`))
	if err != nil {
		t.Fatal(err)
	}
	q := commandOf(strings.Repeat("echo a; ", 4<<10)) // not much, but more than the least after which it is asked
	asked := 0
	q.Work = &Work{Gone: func() bool { asked++; return true }}
	if d := p.Decide(q); d.Code != call.CodeCutShort || d.Verdict != Deny || asked != 1 {
		t.Errorf("asked %d times: %+v", asked, d)
	}
	q.Tools, q.Work = []string{"rm"}, &Work{Gone: func() bool { return true }}
	if d := p.Decide(q); d.Code != call.CodeToolDenied || d.Rule != "named" {
		t.Errorf("refused by name: %+v", d)
	}
	q.Work = &Work{Gone: func() bool { return false }}
	if d := p.Decide(q); d.Code != call.CodeToolDenied || d.Rule != "named" {
		t.Errorf("somebody waits: %+v", d)
	}
}
