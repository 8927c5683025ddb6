package policy

import (
	"os"
	"testing"
)

func TestStarter(t *testing.T) {
	p := Starter()
	const file = "testdata/starter-cases.yaml"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := ParseCases(file, data)
	if err != nil {
		t.Fatal(err)
	}
	fired := map[string]bool{}
	for _, r := range p.RunCases(cases) {
		fired[r.Decision.Rule] = true
		if !r.Passed() {
			t.Errorf("%s:%d: %s: %s", file, r.Case.Line, r.Case.Name, r.Problem)
		}
		if r.Decision.Flagged {
			t.Errorf("%s:%d: %s: the name is flagged: list it as agents write it", file, r.Case.Line, r.Case.Name)
		}
	}
	for _, rule := range p.rules {
		if !fired[rule.id] {
			t.Errorf("no case shows that rule %s fires", rule.id)
		}
		if rule.reason == "" {
			t.Errorf("rule %s gives no reason", rule.id)
		}
	}
}
