package runcmd

import (
	"bytes"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/record/summary"
	"github.com/weir-gate/weir/internal/run"
)

// Nothing that an agent can choose writes to the terminal, or passes for a line of weir's own.
func TestOutcomeIsInert(t *testing.T) {
	const evil = "x\x1b[2J\nweir: session ok: 0 refused"
	var out bytes.Buffer
	printOutcome(&out, run.Outcome{
		Session: "run-1", Troubles: []string{evil},
		Summary: &summary.Session{
			Calls: 1, Trouble: evil, Tools: []summary.Tally{{Tool: evil, Calls: 1}},
			Refusals: []summary.Refusal{{What: evil, Rule: evil, Code: evil, Reason: evil, Times: 2}},
		},
	}, false)
	for line := range strings.Lines(out.String()) {
		if !strings.HasPrefix(line, "weir: ") || strings.HasPrefix(line, "weir: session ok") || strings.ContainsRune(line, 0x1b) {
			t.Errorf("%q", line)
		}
	}
}

// Where weir could not be asked, nothing is said to have been counted.
func TestOutcomeUnknown(t *testing.T) {
	var out bytes.Buffer
	printOutcome(&out, run.Outcome{Session: "run-1"}, false)
	if !strings.Contains(out.String(), "there is no summary") || strings.Contains(out.String(), "0 calls") {
		t.Error(out.String())
	}
}
