package dialecttest

import (
	"bytes"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/frame"
)

// testLateRulings checks that it does not matter when rulings arrive, nor in which order.
func (s Subject) testLateRulings(t *testing.T) {
	t.Run("fixtures", func(t *testing.T) {
		s.eachUnder(t, func(t *testing.T, f Fixture, in []byte, p Policy) {
			for seed := range uint64(3) {
				s.checkLate(t, f.framing(), in, p, seed)
			}
		})
	})
	t.Run("generated", func(t *testing.T) {
		for seed := range generated() {
			in := s.Generate(rand.New(rand.NewPCG(seed, 2)))
			for _, p := range Policies() {
				s.checkLate(t, framingOf(false, s.Framing), in, p, seed)
			}
		}
	})
}

func (s Subject) checkLate(t *testing.T, framing frame.Framing, in []byte, p Policy, seed uint64) {
	t.Helper()
	whole := framing == frame.Whole
	want := Pass(Passage{Format: s.Format, Whole: whole, Framing: framing, In: bytes.NewReader(in), Judge: &Judge{Policy: p}})
	var got Result
	synctest.Test(t, func(*testing.T) {
		reading, ruling := rand.New(rand.NewPCG(seed, 3)), rand.New(rand.NewPCG(seed, 4))
		upstream := slowly{CutAt(in, reading.IntN(len(in)), reading.IntN(len(in))), reading}
		var rulings sync.WaitGroup
		defer rulings.Wait()
		judge := &Judge{Policy: p, Later: func(f func()) {
			wait := time.Duration(ruling.IntN(100)) * time.Millisecond
			rulings.Go(func() {
				time.Sleep(wait)
				f()
			})
		}}
		got = Pass(Passage{Format: s.Format, Whole: whole, Framing: framing, In: upstream, Judge: judge})
	})
	if diff := cmp.Diff(s.inOrder(want.Out, framing), s.inOrder(got.Out, framing)); diff != "" {
		t.Fatalf("%s, seed %d: late rulings changed the output (-want +got):\n%s", p.Name, seed, diff)
	}
	if diff := cmp.Diff(want.Events, got.Events); diff != "" {
		t.Fatalf("%s, seed %d: late rulings changed the events (-want +got):\n%s", p.Name, seed, diff)
	}
}

// slowly is a reader that takes its time, as the clock of the test has it.
type slowly struct {
	io.Reader
	rng *rand.Rand
}

// Read implements io.Reader.
func (s slowly) Read(p []byte) (int, error) {
	time.Sleep(time.Duration(s.rng.IntN(100)) * time.Millisecond)
	return s.Reader.Read(p)
}
