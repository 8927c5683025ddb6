package dialecttest

import (
	"bytes"
	"testing"

	"github.com/weir-gate/weir/internal/frame"
)

// testRefusals checks under every policy that clients see exactly what was released, and nothing of the rest.
func (s Subject) testRefusals(t *testing.T) {
	s.eachUnder(t, func(t *testing.T, f Fixture, in []byte, p Policy) {
		r := Pass(Passage{Format: s.Format, Whole: f.Whole, Framing: f.Framing, In: bytes.NewReader(in), Judge: &Judge{Policy: p}})
		checkEnd(t, f, r)
		s.checkResult(t, r, f.framing())
		s.checkForm(t, f, r)
		if p.refusesAll() {
			s.checkSeen(t, r.Out, f.framing(), nil)
		}
	})
}

// checkResult checks what holds of every response that was read to its end.
func (s Subject) checkResult(t *testing.T, r Result, in frame.Framing) {
	t.Helper()
	s.checkSeen(t, r.Out, in, s.released(r.Events))
	s.checkClients(t, r, in)
	s.checkSilence(t, r.Out, in, r.Events)
	s.checkCounts(t, r)
}

// checkCounts checks that the outcome counts what was ruled.
func (s Subject) checkCounts(t *testing.T, r Result) {
	t.Helper()
	passed, calls := len(s.released(r.Events)), len(r.Events)-1
	if o := r.Outcome(); o.Released != passed || o.Refused != calls-passed {
		t.Errorf("the outcome counts %d released and %d refused calls, want %d and %d",
			o.Released, o.Refused, passed, calls-passed)
	}
}
