package dialecttest

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/gate"
)

// testPassThrough checks every fixture's class, with every call allowed.
func (s Subject) testPassThrough(t *testing.T) {
	s.each(t, func(t *testing.T, f Fixture, in []byte) {
		r := Pass(Passage{Format: s.Format, Whole: f.Whole, Framing: f.Framing, In: bytes.NewReader(in), Judge: &Judge{Policy: AllowAll()}})
		checkEnd(t, f, r)
		switch f.Class {
		case Exact:
			s.checkExact(t, f, in, r.Out)
		case Canonical:
			s.checkCanonical(t, f, in, r.Out)
		}
		if got := r.Outcome().Code; got != f.Code || (f.Class == Refused) != (got != "") {
			t.Errorf("the outcome's code is %q, want %q", got, f.Code)
		}
		s.checkSeen(t, r.Out, f.framing(), f.Calls)
		s.checkForm(t, f, r)
	})
}

// mustEnd says whether the sent response must be complete.
func (f Fixture) mustEnd(r Result) bool {
	return r.Outcome().Code != "" || !f.Unfinished && !f.Endless
}

// checkEnd checks what Pass said: a response that ended inside a call is broken, however it ended.
func checkEnd(t *testing.T, f Fixture, r Result) {
	t.Helper()
	if f.Unfinished != errors.Is(r.Err, gate.ErrBroken) || !f.Unfinished && r.Err != nil {
		t.Errorf("Pass: %v", r.Err)
	}
}

func (s Subject) checkExact(t *testing.T, f Fixture, in, out []byte) {
	t.Helper()
	if f.Whole {
		if diff := cmp.Diff(string(in), string(out)); diff != "" {
			t.Errorf("the body changed (-sent +got):\n%s", diff)
		}
		return
	}
	sent, sentPings := s.withoutPings(in, f.framing())
	got, gotPings := s.withoutPings(out, f.framing())
	if diff := cmp.Diff(string(sent), string(got)); diff != "" {
		t.Errorf("the stream changed (-sent +got):\n%s", diff)
	}
	if sentPings != gotPings {
		t.Errorf("%d pings were sent and %d came", sentPings, gotPings)
	}
}

func (s Subject) checkCanonical(t *testing.T, f Fixture, in, out []byte) {
	t.Helper()
	if bytes.Equal(in, out) {
		t.Error("nothing was restated: this fixture is exact")
	}
	if f.Whole {
		return
	}
	for _, f := range frames(out, f.framing()) {
		if !f.Plain {
			t.Errorf("a frame went out that clients read differently: %q", f.Raw)
		}
	}
}
