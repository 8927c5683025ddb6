package verify

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// connection is one on record.
func connection(act call.Act, remote string, blocked bool) record.Event {
	return record.Event{
		ID: remote + string(act), Time: time.Now(), Type: record.Types.Connection, Surface: call.Egress, Tool: string(act),
		Ruling: record.Ruling{Blocked: blocked},
		Args:   []byte(`{"host":"` + policy.CanaryHost + `"}`), Detail: record.Connection{RemoteAddr: remote},
	}
}

func TestConnectionsMustBeStoppedAndOnRecord(t *testing.T) {
	seen := []record.Event{connection(call.Connect, "192.0.2.1:443", true)}
	tests := []struct {
		name   string
		result Result
		events []record.Event
		mode   string
		want   Status
	}{
		{"refused", Stopped, seen, enforcing, Covered},
		{"refused by whom?", Stopped, nil, enforcing, NotCovered},
		{"another one is on record", Stopped, []record.Event{connection(call.Connect, "192.0.2.2:443", true)}, enforcing, NotCovered},
		{"another act is on record", Stopped, []record.Event{connection(call.Resolve, "192.0.2.1:443", true)}, enforcing, NotCovered},
		{"on record as released", Stopped, []record.Event{connection(call.Connect, "192.0.2.1:443", false)}, enforcing, NotCovered},
		{"made", Done, seen, enforcing, NotCovered},
		{"no answer", Unclear, seen, enforcing, Untold},
		{"shadow", Done, []record.Event{connection(call.Connect, "192.0.2.1:443", false)}, "shadow", Warning},
		{"shadow, and unseen", Done, nil, "shadow", NotCovered},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := &fake{events: test.events}
			v := f.verifier(t)
			v.Running.Enforcement = test.mode
			s := &trialRun{findings: Findings{Trials: []Finding{{trialTCP4, test.result, "x"}}}}
			got := s.connectionRow(t.Context(), v, trialTCP4, "a connection", "192.0.2.1:", call.Connect)
			if got.Status != test.want || !got.Promised {
				t.Errorf("%+v", got)
			}
		})
	}
}

// What the probe does not speak of is not covered, nor is what it could do.
func TestTrialsThatAreMissingAreNotCovered(t *testing.T) {
	path := filepath.Join(t.TempDir(), "policy.yaml")
	expect.OK(t, os.WriteFile(path, []byte("version: 1\n"), 0o600))
	before, err := os.Stat(path)
	expect.OK(t, err)
	for result, want := range map[Result]Status{"": Untold, Done: NotCovered, Stopped: Covered} {
		s := &trialRun{plan: Plan{Policy: path}, before: before}
		if result != "" {
			for _, trial := range []string{trialHidden, trialProcess, trialNested, trialWrite, trialFolder, trialPort, trialSockets, trialControl, trialUDP} {
				s.findings.Trials = append(s.findings.Trials, Finding{trial, result, "x"})
			}
		}
		v := (&fake{}).verifier(t)
		var got []Status
		for _, r := range []Row{s.datagramRow(), s.plainRow(trialSockets, "s", ""), s.plainRow(trialControl, "c", "")} {
			got = append(got, r.Status)
		}
		for _, r := range s.fileRows(v) {
			if r.Tried != "replace the policy" {
				got = append(got, r.Status)
			}
		}
		if port := s.portRow(v); port.Status == Covered != (want == Covered) {
			t.Errorf("%q: %+v", result, port)
		}
		all := []Status{want, want, want, want, want, want, want, want}
		expect.NoDiff(t, cmp.Diff(all, got), "%q", result)
	}
}

// The truth about the policy is outside: a probe that says nothing about what it did does not hide it.
func TestAReplacedPolicyIsSeenFromOutside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "policy.yaml")
	expect.OK(t, os.WriteFile(path, []byte("version: 1\n"), 0o600))
	before, err := os.Stat(path)
	expect.OK(t, err)
	s := &trialRun{plan: Plan{Policy: path}, before: before, findings: Findings{Trials: []Finding{{trialReplace, Stopped, "x"}}}}
	status := func() Status {
		for _, r := range s.fileRows((&fake{}).verifier(t)) {
			if r.Tried == "replace the policy" {
				return r.Status
			}
		}
		return ""
	}
	expect.Equal(t, status(), Covered, "left alone")
	expect.OK(t, os.WriteFile(path+".new", []byte("version: 1\n"), 0o600))
	expect.OK(t, os.Rename(path+".new", path))
	expect.Equal(t, status(), NotCovered, "replaced")
}

func TestThePolicysFile(t *testing.T) {
	for _, test := range []struct {
		source, want string
		fix          []string
	}{
		{"/a/policy.yaml", "/a/policy.yaml", []string{"/b/prices.yaml", "/a/policy.yaml"}},
		{"rules/policy.yaml", "/a/rules/policy.yaml", []string{"/b/policy.yaml", "/a/rules/policy.yaml"}},
		{"", "", []string{"/a/policy.yaml"}},
		{"/a/weir.yaml", "", []string{"/a/prices.yaml"}},
	} {
		v := &verifier{Config: Config{Running: control.SessionResponse{Source: test.source, Fix: test.fix}}}
		expect.Equal(t, v.policyFile(), test.want, "%q", test.source)
	}
}
