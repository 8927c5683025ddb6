package agents

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/weirtest/program"
	"github.com/weir-gate/weir/test/agents/model"
)

// replayed is what weir policy replay --from says, as far as it is looked at.
type replayed struct {
	Refused int `json:"refused"`
	Read    struct {
		BadFiles int `json:"unreadable_files"`
		BadLines int `json:"unreadable_lines"`
	} `json:"transcripts"`
	Groups []struct {
		Server   string `json:"server"`
		Tool     string `json:"tool"`
		Count    int    `json:"count"`
		Examples []struct {
			Args    string `json:"args"`
			Stopped bool   `json:"refused_by_agent"`
		} `json:"examples"`
	} `json:"groups"`
}

// Stops plays a scene of one call without any weir, with an agent whose own permissions refuse the call. Its transcript must say so.
func (r Run) Stops(t *testing.T, strict func(t *testing.T, a Agent, lead string) Agent) {
	t.Helper()
	s := r.Tools.Allowed()
	home, work := t.TempDir(), t.TempDir()
	m := s.model(t, r.Wire, work)
	a := r.Agent(t, home, m.URL())
	a.Home, a.Work = home, work
	a = strict(t, a, m.URL())
	a.run(t, false, beginPrompt)
	call := callsOf(s.Begin)[0]
	if a.made(call.Makes) {
		t.Errorf("%s was made, though the agent's permissions do not allow that", call.Makes)
	}
	report := r.replay(t, a)
	if len(report.Groups) != 1 || report.Refused != 1 || !report.Groups[0].Examples[0].Stopped {
		t.Errorf("of the transcripts: %+v", report)
	}
}

// replay has weir refuse all calls in the transcripts that the agent just wrote.
func (r Run) replay(t *testing.T, a Agent) replayed {
	t.Helper()
	const refusesAll = "version: 1\ndefault: deny\n"
	policy := filepath.Join(t.TempDir(), "policy.yaml")
	Put(t, refusesAll, policy)
	cmd := program.Install{Binary: r.Weir, Home: a.Home}.Command("policy", "replay", "--from", r.Name, "--policy", policy, "--json")
	cmd.Dir = a.Work
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("replay the transcripts: %v\n%s", err, out)
	}
	var report replayed
	decode(t, out, &report)
	return report
}

// checkTranscript wants weir to find in the transcripts that the agent just wrote what it was given to do, and nothing else.
func (r Run) checkTranscript(t *testing.T, a Agent, calls []model.Call) {
	t.Helper()
	report := r.replay(t, a)
	var want, got []string
	for _, c := range calls {
		if server, tool := c.InRecord(); c.Fate == model.Released {
			want = append(want, server+" "+tool+" that makes "+c.Makes)
		}
	}
	for _, g := range report.Groups {
		for _, e := range g.Examples {
			makes := "something else"
			for _, c := range calls {
				if strings.Contains(e.Args, c.Makes) {
					makes = c.Makes
				}
			}
			got = append(got, g.Server+" "+g.Tool+" that makes "+makes)
			if e.Stopped {
				t.Errorf("the call that makes %s seems to be refused by the agent itself", makes)
			}
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("calls in the transcripts (-want +got):\n%s", diff)
	}
	if report.Refused != len(want) || report.Read.BadFiles+report.Read.BadLines > 0 {
		t.Errorf("of the transcripts: %+v", report)
	}
}
