package dialecttest

import "testing"

// testAgentLeaves checks that every call that has appeared is recorded when the agent hangs up, at any time: while the call is
// open, held, or refused before its arguments arrived.
func (s Subject) testAgentLeaves(t *testing.T) {
	const pieces = 12
	s.eachUnder(t, func(t *testing.T, f Fixture, in []byte, p Policy) {
		for write := 1; write <= pieces; write++ {
			var at []int
			for i := range pieces {
				at = append(at, i*len(in)/pieces)
			}
			r := Pass(Passage{
				Format: s.Format, Whole: f.Whole, Framing: f.Framing, In: CutAt(in, at...), Judge: &Judge{Policy: p}, Leaves: write,
			})
			for _, e := range r.Events {
				if e.Kind == "early" {
					t.Errorf("gone at write %d: the arguments of the refused call to %s were to follow and did not", write, e.Call.Tool)
				}
			}
			if o, recorded := r.Outcome(), len(r.Events)-1; o.Released+o.Refused != recorded {
				t.Errorf("gone at write %d: %d calls appeared, and %d are on record", write, o.Released+o.Refused, recorded)
			}
		}
	})
}
