package dialecttest

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// seeds are the responses from which others are made: all fixtures, what the subject adds, and some that are made up.
func (s Subject) seeds(t testing.TB) [][]byte {
	var all [][]byte
	for _, f := range s.Fixtures {
		all = append(all, ReadFixture(t, f.File))
	}
	all = append(all, s.Seeds...)
	for seed := range uint64(12) {
		all = append(all, s.Generate(rand.New(rand.NewPCG(seed, 9))))
	}
	return all
}

// framings returns the framings of the format's responses.
func (s Subject) framings() []frame.Framing {
	if s.Framings != nil {
		return s.Framings
	}
	return []frame.Framing{framingOf(false, s.Framing), frame.Whole}
}

// framingLike returns the framing of a response that begins like this one.
func (s Subject) framingLike(in []byte) frame.Framing {
	stream, start := framingOf(false, s.Framing), bytes.TrimSpace(in)
	switch {
	case stream == frame.Rows, stream == frame.Binary:
		return stream
	case bytes.HasPrefix(start, []byte("[")) && slices.Contains(s.Framings, frame.Elements):
		return frame.Elements
	case bytes.HasPrefix(start, []byte("{")), bytes.HasPrefix(start, []byte("[")):
		return frame.Whole
	}
	return frame.Events
}

// Fuzz feeds any bytes to the gate, in every framing of the format. With a number it feeds it a response that is made of some
// others and is nearly right: bytes alone rarely get past the first brace.
func (s Subject) Fuzz(f *testing.F) {
	seeds := s.seeds(f)
	for _, in := range need.Seeds(seeds) {
		f.Add(in, uint64(0))
	}
	for seed := range uint64(4) {
		f.Add([]byte(nil), seed+1)
	}
	spelled := s.spelled(seeds...)
	f.Fuzz(func(t *testing.T, in []byte, seed uint64) {
		if seed > 0 {
			s.checkMutated(t, rand.New(rand.NewPCG(seed, 5)), append(slices.Clone(spelled), s.spelled(in)...))
			return
		}
		for _, framing := range s.framings() {
			s.CheckAny(t, in, framing)
		}
	})
}

// testMutated feeds the gate responses that are nearly right.
func (s Subject) testMutated(t *testing.T) {
	seeds := s.spelled(s.seeds(t)...)
	for seed := range cases(cmp.Or(s.Mutations, 1000)) {
		if s.checkMutated(t, rand.New(rand.NewPCG(seed, 6)), seeds); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// spelled are streams as texts with an empty line after each frame: binary ones cannot be taken apart as they are, and a
// change would break their checksums.
func (s Subject) spelled(streams ...[]byte) [][]byte {
	if s.Framing != frame.Binary {
		return streams
	}
	var all [][]byte
	for _, in := range streams {
		if frames := Spell(in); len(frames) > 0 {
			all = append(all, []byte(strings.Join(frames, frameEnd)+frameEnd))
		}
	}
	return all
}

const frameEnd = "\n\n"

func (s Subject) checkMutated(t *testing.T, r *rand.Rand, seeds [][]byte) {
	t.Helper()
	in := Mutate(r, seeds, s.Vocabulary)
	if s.Framing == frame.Binary {
		in = Spelled(strings.Split(strings.TrimSuffix(string(in), frameEnd), frameEnd)...)
	}
	if s.CheckAny(t, in, s.framingLike(in)); t.Failed() {
		t.Fatalf("%q", in)
	}
}

// CheckAny checks what holds for every response: if every call is refused, no client sees a call; if every call is released,
// unchanged or with other arguments, no client sees a call that was not judged.
func (s Subject) CheckAny(t *testing.T, in []byte, framing frame.Framing) {
	t.Helper()
	for _, p := range Policies() {
		if p.refusesAll() || p.Name == AllowAll().Name || p.Name == ReplaceAll().Name {
			r := Put(s.Format, framing, in, p)
			s.checkReadable(t, r, framing)
			s.CheckJudged(t, r, framing)
		}
	}
}

// testSeeds checks of what tables have what is checked of anything, under every policy, and that what is released is not lost.
func (s Subject) testSeeds(t *testing.T) {
	for _, in := range s.Seeds {
		for _, p := range Policies() {
			framing := s.framingLike(in)
			r := Put(s.Format, framing, in, p)
			s.checkReadable(t, r, framing)
			s.CheckJudged(t, r, framing)
			s.checkComplete(t, r, framing)
			if t.Failed() {
				t.Fatalf("%s: %q\nbecame\n%q", p.Name, in, r.Out)
			}
		}
	}
}

// checkComplete checks that every client sees every call that was released.
func (s Subject) checkComplete(t *testing.T, r Result, framing frame.Framing) {
	t.Helper()
	for who, events := range readings(r.Out, framing) {
		seen := s.Calls(events)
		for _, e := range released(r.Events) {
			i := slices.IndexFunc(seen, func(c Seen) bool { return s.isReleased(c, e) })
			if i < 0 {
				t.Errorf("who reads %s does not see the call to %s", who, e.Call.Tool)
				continue
			}
			seen = slices.Delete(seen, i, i+1)
		}
	}
}

// released are the events of calls that were released.
func released(events []Event) []Event {
	return slices.DeleteFunc(slices.Clone(events), func(e Event) bool { return e.Kind != "judge" || !e.Ruling.Released })
}

// CheckJudged checks that no client sees a call that was not released, and that what was released is counted.
func (s Subject) CheckJudged(t *testing.T, r Result, framing frame.Framing) {
	t.Helper()
	released := released(r.Events)
	for who, events := range readings(r.Out, framing) {
		for _, seen := range s.unjudged(s.Calls(events), released) {
			t.Errorf("who reads %s sees %v, which was not released:\n%s", who, seen, r.Out)
		}
	}
	s.checkClients(t, r, framing)
	if o := r.Outcome(); o.Released < len(released) && r.Err == nil && o.Code == "" {
		t.Errorf("%d calls were released and %d are counted", len(released), o.Released)
	}
}

// unjudged returns the calls that are not among the released ones.
func (s Subject) unjudged(seen []Seen, released []Event) []Seen {
	left := slices.Clone(released)
	return slices.DeleteFunc(seen, func(seen Seen) bool {
		if s.Shows != nil {
			return slices.ContainsFunc(released, func(e Event) bool { return s.Shows(seen, e) })
		}
		i := slices.IndexFunc(left, func(e Event) bool { return s.isReleased(seen, e) })
		if i >= 0 {
			left = slices.Delete(left, i, i+1)
		}
		return i >= 0
	})
}

// isReleased says whether a client sees the call that was released, under any of its names.
func (s Subject) isReleased(seen Seen, e Event) bool {
	name := seen.Name
	if s.WireName != nil {
		name = s.WireName(e.Call)
	} else if name != e.Call.Tool && !slices.Contains(e.Call.Aliases, name) {
		return false
	}
	return seen == Seen{ID: e.Call.WireID, Name: name, Args: Meaning(e.Sent()), Ran: e.Call.Ran}
}

// checkReadable checks that every client can read what was sent, that a refused response has an end, and that texts are at the
// given positions.
func (s Subject) checkReadable(t *testing.T, r Result, framing frame.Framing) {
	t.Helper()
	if err := r.CheckTexts(); err != nil {
		t.Error(err)
	}
	if framing == frame.Whole || framing == frame.Elements {
		if _, err := ParseTree(r.Out); err != nil && r.Err == nil && len(r.Out) > 0 && string(r.Out) != doneMark {
			t.Errorf("what went out cannot be read: %v\n%s", err, r.Out)
		}
	}
	if framing == frame.Whole {
		return
	}
	list := frames(r.Out, framing)
	for _, f := range list {
		if !f.Plain {
			t.Errorf("a frame went out that clients read differently: %q", f.Raw)
		}
		if len(f.Data) == 0 {
			continue
		}
		if _, err := ParseTree(f.Data); err != nil && string(f.Data) != doneMark {
			t.Errorf("a frame cannot be read: %v: %q", err, f.Raw)
		}
	}
	if r.Outcome().Code != "" && !s.hasEnd(list) {
		t.Errorf("a refused response has no end:\n%s", r.Out)
	}
}

// doneMark is the end mark of streams of some formats.
const doneMark = "[DONE]"
