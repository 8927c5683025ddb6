package judge_test

import (
	"os"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/preset"
	"github.com/weir-gate/weir/internal/policy/study"
)

// preset compiles a policy that comes with weir.
func mustPreset(t *testing.T, name string) *policy.Policy {
	t.Helper()
	source, err := preset.Text(name)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, string(source))
}

// presetCases are calls in the format of weir policy test. They go through a judge, since it is the judge that finds calls in
// code.
func presetCases(t *testing.T, name string, least int) (file string, cases []study.Case) {
	t.Helper()
	file = "../policy/preset/testdata/" + name
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if cases, err = study.ParseCases(file, data); err != nil {
		t.Fatal(err)
	}
	if len(cases) < least {
		t.Errorf("%s has %d cases, want at least %d", file, len(cases), least)
	}
	return file, cases
}

// ruledBy has a judge rule the call of a case, and returns the verdict that is on record with the ruling.
func ruledBy(t *testing.T, p *policy.Policy, c study.Case) (call.Ruling, policy.Verdict) {
	t.Helper()
	r := &notebook{}
	j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: r})
	asked := aCall(c.Tool, string(c.Args))
	asked.Actor = c.Actor
	ruling := ruled(t, j, asked)
	verdict := policy.Allow
	for _, e := range r.events {
		if e.Verdict != string(policy.Allow) {
			verdict = policy.Verdict(e.Verdict)
		}
	}
	return ruling, verdict
}

func TestBalancedLetsEverydayWorkPass(t *testing.T) {
	p := mustPreset(t, "balanced")
	file, cases := presetCases(t, "everyday.yaml", 200)
	for _, c := range cases {
		ruling, verdict := ruledBy(t, p, c)
		if asked := c.Expect == policy.PendingApproval; ruling.Released == asked || ruling.Args != nil || verdict != c.Expect {
			t.Errorf("%s:%d: %s: %s, ruled %+v", file, c.Line, c.Name, verdict, ruling)
		}
	}
}

func TestPresetsRefuseDestruction(t *testing.T) {
	file, cases := presetCases(t, "destructive.yaml", 100)
	for _, name := range []string{"balanced", "tight"} {
		p := mustPreset(t, name)
		for _, c := range cases {
			if ruling, _ := ruledBy(t, p, c); ruling.Released || c.Expect != policy.Deny {
				t.Errorf("%s:%d: %s lets pass: %s", file, c.Line, name, c.Name)
			}
		}
	}
}

// In shadow every preset delivers what a policy that allows everything delivers, also where it would replace secrets.
func TestPresetsInShadowDeliverEverything(t *testing.T) {
	everything := parse(t, "version: 1\ndefault: allow\n")
	for _, name := range preset.Names() {
		p := mustPreset(t, name)
		for _, file := range []string{"everyday.yaml", "destructive.yaml", "starter-cases.yaml"} {
			_, cases := presetCases(t, file, 1)
			for _, c := range cases {
				shadow := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: &notebook{}, Mode: judge.Shadow})
				want, _ := ruledBy(t, everything, c)
				if got := ruled(t, shadow, aCall(c.Tool, string(c.Args))); got.Released != want.Released || string(got.Args) != string(want.Args) {
					t.Errorf("%s, %s: %s: ruled %+v, want %+v", name, file, c.Name, got, want)
				}
			}
		}
	}
}

// A secret in what is fetched does not leave, and the reason says what to do.
func TestBalancedKeepsSecrets(t *testing.T) {
	c := study.Case{Tool: "WebFetch", Args: []byte(`{"url":"https://example.com/?k=AKIAIOSFODNN7EXAMPLE&x=1","prompt":"look"}`)}
	ruling, _ := ruledBy(t, mustPreset(t, "balanced"), c)
	if want := `The call would send a secret. Say it without the secret. The tool itself is allowed; this use of it is not: "(redacted:aws_access_key)".`; ruling.Released || ruling.Reason != want {
		t.Errorf("ruled %+v", ruling)
	}
}
