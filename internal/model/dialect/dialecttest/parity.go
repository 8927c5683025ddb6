package dialecttest

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/weir-gate/weir/internal/frame"
)

// testParity checks that a stream is judged like the whole message that it adds up to.
func (s Subject) testParity(t *testing.T) {
	s.eachUnder(t, func(t *testing.T, f Fixture, in []byte, p Policy) {
		s := s
		s.Framing = f.Framing
		if f.Whole || f.Unfinished || f.Endless || f.Irregular || f.Class == Refused {
			return // there is no whole message that means the same
		}
		s.CheckParity(t, in, func() *Judge { return &Judge{Policy: p} })
	})
}

// CheckParity checks that judging a regular stream and folding it gives the same message and the same events as judging
// the folded message.
func (s Subject) CheckParity(t *testing.T, stream []byte, judge func() *Judge) {
	t.Helper()
	framing := framingOf(false, s.Framing)
	body := s.folded(t, stream, framing)
	streamed := Pass(Passage{Format: s.Format, Framing: s.Framing, In: bytes.NewReader(stream), Judge: judge()})
	whole := Pass(Passage{Format: s.Format, Whole: true, In: bytes.NewReader(body), Judge: judge()})
	folded, err := s.fold(streamed.Out, framing)
	if err != nil {
		t.Fatalf("fold the output: %v\n%s", err, streamed.Out)
	}
	said, err := s.fold(whole.Out, frame.Whole)
	if err != nil {
		t.Fatalf("read the body: %v\n%s", err, whole.Out)
	}
	if diff := cmp.Diff(Meaning(said), Meaning(folded)); diff != "" {
		t.Errorf("the messages differ (-whole +streamed):\n%s", diff)
	}
	if diff := cmp.Diff(means(whole.Events), means(streamed.Events), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the events differ (-whole +streamed):\n%s", diff)
	}
}

// means replaces the text of the arguments by their meaning.
func means(events []Event) []Event {
	out := make([]Event, len(events))
	for i, e := range events {
		if e.Call.Args != nil {
			e.Call.Args = []byte(Meaning(e.Call.Args))
		}
		if e.Ruling.Args != nil {
			e.Ruling.Args = []byte(Meaning(e.Ruling.Args))
		}
		out[i] = e
	}
	return out
}

// How much is tried. What is tried by default finds what is wrong within seconds; make proof-cuts tries it all.
var (
	wantPlaces    = flag.Int("places", 0, "at how many places one input is cut at most (default: by format)")
	wantGenerated = flag.Int("generated", 80, "how many responses are made up")
)

// generated is how many responses are made up.
func generated() uint64 { return cases(uint64(*wantGenerated)) }

// cases is how many of n cases that are made up are tried: a tenth where only a short look is wanted.
func cases(n uint64) uint64 {
	if testing.Short() {
		return (n + 9) / 10
	}
	return n
}

// testGenerated checks the promises on responses that are made up, cut and broken off at random.
func (s Subject) testGenerated(t *testing.T) {
	for seed := range generated() {
		rng := rand.New(rand.NewPCG(seed, 1))
		in := s.Generate(rng)
		s.checkGenerated(t, in, rng)
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, in)
		}
	}
}

func (s Subject) checkGenerated(t *testing.T, in []byte, rng *rand.Rand) {
	t.Helper()
	framing := framingOf(false, s.Framing)
	if ended := CheckForm(t, s.Reader, in, framing, s.Odd); !ended && (s.Odd == "" || !s.hasEnd(frames(in, framing))) {
		t.Error("what was made up has no end")
	}
	for _, p := range Policies() {
		judge := func() *Judge { return &Judge{Policy: p} }
		r := Pass(Passage{Format: s.Format, Framing: s.Framing, In: bytes.NewReader(in), Judge: judge()})
		s.checkResult(t, r, framing)
		CheckEnded(t, s.Reader, r.Out, framing)
		s.checkKnown(t, r, framing)
		if p.refusesAll() && strings.Contains(decodedText(r.Out, framing)+string(r.Out), Secret) {
			t.Errorf("%s: an argument is in the output:\n%s", p.Name, r.Out)
		}
		if c := r.Outcome().Code; c != "" {
			t.Errorf("%s: a regular response was refused: %s", p.Name, c)
		}
		s.CheckParity(t, in, judge)
		s.checkReplaced(t, in, false, p)
		broken := BrokenAfter(in, rng.IntN(len(in)+1))
		s.checkBrokenOff(t, Pass(Passage{Format: s.Format, Framing: s.Framing, In: broken, Judge: judge()}), framing)
		cut := Pass(Passage{
			Format: s.Format, Framing: s.Framing, Judge: judge(),
			In: CutAt(in, rng.IntN(len(in)/2), len(in)/2+rng.IntN(len(in)/2)),
		})
		if !bytes.Equal(r.Out, cut.Out) {
			t.Errorf("%s: a cut changed the output (-want +got):\n%s", p.Name, cmp.Diff(string(r.Out), string(cut.Out)))
		}
	}
}
