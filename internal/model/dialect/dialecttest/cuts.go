package dialecttest

import (
	"bytes"
	"cmp"
	"errors"
	"reflect"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/gate"
)

// places returns the positions at which to cut an input of n bytes. Larger inputs are cut at evenly spread positions.
func (s Subject) places(n int) []int {
	most := cmp.Or(*wantPlaces, s.Places, 100)
	if testing.Short() {
		most = 10
	}
	step := n/most + 1
	var at []int
	for i := 0; i <= n; i += step {
		at = append(at, i)
	}
	return at
}

// testCuts checks that it does not matter how the bytes arrive.
func (s Subject) testCuts(t *testing.T) {
	s.eachUnder(t, func(t *testing.T, f Fixture, in []byte, p Policy) {
		at := func(c *Chunks) Result {
			return Pass(Passage{
				Format: s.Format, Whole: f.Whole, Framing: f.Framing, In: c, Judge: &Judge{Policy: p}, Texts: p.Name == AllowAll().Name,
			})
		}
		want := at(CutAt(in))
		check := func(what string, place int, got Result) {
			if want, got := s.plain(want.Out), s.plain(got.Out); want != got {
				t.Fatalf("%s %d: the output changed (-want +got):\n%s", what, place, gocmp.Diff(want, got))
			}
			if !reflect.DeepEqual(want.Events, got.Events) {
				t.Fatalf("%s %d: the events changed (-want +got):\n%s", what, place, gocmp.Diff(want.Events, got.Events))
			}
			if !reflect.DeepEqual(want.Heard, got.Heard) {
				t.Fatalf("%s %d: the texts changed (-want +got):\n%s", what, place, gocmp.Diff(want.Heard, got.Heard))
			}
		}
		check("chunks of", 1, at(ByteByByte(in)))
		for _, place := range s.places(len(in)) {
			check("cut at", place, at(CutAt(in, place)))
		}
	})
}

// testBrokenOff checks that an upstream that breaks off, at any byte, never leaves the agent with a call that was not judged, with
// part of a call, or with a notice of a call that merely broke off.
func (s Subject) testBrokenOff(t *testing.T) {
	s.eachUnder(t, func(t *testing.T, f Fixture, in []byte, p Policy) {
		var before Result
		for _, place := range s.places(len(in)) {
			r := Pass(Passage{
				Format: s.Format, Whole: f.Whole, Framing: f.Framing, In: BrokenAfter(in, place), Judge: &Judge{Policy: p},
			})
			if place > 0 && bytes.Equal(r.Out, before.Out) && len(r.Events) == len(before.Events) {
				continue // the bytes in between are not a frame
			}
			before = r
			s.checkBrokenOff(t, r, f.framing())
			if t.Failed() {
				t.Fatalf("broken off at byte %d", place)
			}
		}
	})
}

func (s Subject) checkBrokenOff(t *testing.T, r Result, in frame.Framing) {
	t.Helper()
	refused := r.Outcome().Code != ""
	if !refused && !errors.Is(r.Err, gate.ErrBroken) {
		t.Errorf("Pass says %v, want ErrBroken", r.Err)
	}
	s.checkSeen(t, r.Out, in, s.released(r.Events))
	s.checkSilence(t, r.Out, in, r.Events)
	spoken := 0
	for _, e := range r.Events {
		if e.Kind != "ended" && !e.Ruling.Released && !e.Ruling.Silent || e.Outcome.Code != "" {
			spoken++
		}
	}
	repeats := s.Repeats
	if repeats == 0 {
		repeats = 2
	}
	if n := strings.Count(string(r.Out), notice); n > repeats*spoken {
		t.Errorf("%d notices for %d refusals:\n%s", n, spoken, r.Out)
	}
}
