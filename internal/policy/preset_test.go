package policy

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func mustPreset(t *testing.T, name string) *Policy {
	t.Helper()
	source, err := Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return mustParse(t, string(source))
}

func mustCases(t *testing.T, file string) []Case {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := ParseCases(file, data)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// checkCases runs a file of cases and returns which rules fired.
func checkCases(t *testing.T, p *Policy, file string) map[string]bool {
	t.Helper()
	fired := map[string]bool{}
	for _, r := range p.RunCases(mustCases(t, file)) {
		fired[r.Decision.Rule] = true
		if !r.Passed() {
			t.Errorf("%s:%d: %s: %s", file, r.Case.Line, r.Case.Name, r.Problem)
		}
		if r.Decision.Flagged {
			t.Errorf("%s:%d: %s: the name is flagged: list it as agents write it", file, r.Case.Line, r.Case.Name)
		}
	}
	return fired
}

func TestPresets(t *testing.T) {
	for _, name := range PresetNames() {
		for _, r := range mustPreset(t, name).rules {
			if r.reason == "" {
				t.Errorf("%s: rule %s gives no reason", name, r.id)
			}
		}
	}
	_, err := Preset("loose")
	if want := `there is no preset "loose"; use open, balanced or tight`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Every rule of the starter policy stops what it says, and lets pass what merely looks alike.
func TestStarter(t *testing.T) {
	p := Starter()
	fired := checkCases(t, p, "testdata/starter-cases.yaml")
	for _, r := range p.RunCases(mustCases(t, "testdata/destructive.yaml")) {
		fired[r.Decision.Rule] = true
	}
	for _, r := range p.rules {
		if !fired[r.id] {
			t.Errorf("no case shows that rule %s fires", r.id)
		}
	}
}

func TestTight(t *testing.T) {
	p := mustPreset(t, "tight")
	fired := checkCases(t, p, "testdata/tight-cases.yaml")
	for _, r := range p.rules {
		if r.verdict == Allow && !fired[r.id] {
			t.Errorf("no case shows that rule %s fires", r.id)
		}
	}
}

// What the open preset refuses is refused by the others, and what the balanced one refuses by the tight one: in the same words.
func TestPresetsShareTheirRules(t *testing.T) {
	for _, pair := range [][2]string{{"open", "balanced"}, {"balanced", "tight"}} {
		stricter := ruleTexts(t, pair[1])
		for id, text := range ruleTexts(t, pair[0]) {
			if !strings.Contains(text, "\n    verdict: deny\n") {
				continue
			}
			if diff := cmp.Diff(text, stricter[id]); diff != "" {
				t.Errorf("rule %s (-%s +%s):\n%s", id, pair[0], pair[1], diff)
			}
		}
	}
}

// ruleTexts are the rules of a preset as they are written, by their ids.
func ruleTexts(t *testing.T, name string) map[string]string {
	t.Helper()
	source, err := Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, part := range strings.Split(string(source), "\n  - id: ")[1:] {
		id, text, _ := strings.Cut(part, "\n")
		text, _, _ = strings.Cut(text, "\n  #")
		out[id] = strings.TrimRight(text, "\n") + "\n"
	}
	return out
}

// The open preset refuses removing the system and writing over disks, and nothing else.
func TestOpen(t *testing.T) {
	p := mustPreset(t, "open")
	for _, r := range p.RunCases(mustCases(t, "testdata/everyday.yaml")) {
		if r.Decision.Verdict != Allow {
			t.Errorf("%s: %s by %s", r.Case.Name, r.Decision.Verdict, r.Decision.Rule)
		}
	}
	fired := map[string]bool{}
	for _, r := range p.RunCases(mustCases(t, "testdata/destructive.yaml")) {
		fired[r.Decision.Rule] = true
	}
	if diff := cmp.Diff(map[string]bool{"": true, "no-system-removal": true, "no-disk-overwrite": true}, fired); diff != "" {
		t.Errorf("rules that fired (-want +got):\n%s", diff)
	}
}
