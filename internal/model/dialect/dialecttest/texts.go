package dialecttest

import (
	"bytes"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
)

// A TextPlace says what the strings in some place are.
//
// The place of a string is the names of the members that lead to it, with slashes between them. An element of an array is *, and
// an object that has a type has it behind a colon: message/content/*:text/text, or :content_block_delta/delta:text_delta/text in a
// frame that has a type itself. What says that it is a thought is of that type. In a TextPlace the name of a member may be a
// pattern of path.Match, and ** is any number of members. Every string must match a TextPlace.
type TextPlace struct {
	Place string
	Kind  dialect.TextKind
}

// testTexts checks that readings say where frames have text.
func (s Subject) testTexts(t *testing.T) {
	s.kinds = map[string]placed{}
	s.each(t, func(t *testing.T, f Fixture, in []byte) {
		s.checkTexts(t, in, f.framing(), !f.Whole && !f.Unfinished && !f.Endless && !f.Irregular && f.Class != Refused)
	})
	t.Run("generated", func(t *testing.T) {
		for seed := range generated() {
			in := s.Generate(rand.New(rand.NewPCG(seed, 11)))
			if s.checkTexts(t, in, framingOf(false, s.Framing), true); t.Failed() {
				t.Fatalf("seed %d:\n%s", seed, in)
			}
		}
	})
}

// CheckTexts checks of any response what Run checks of fixtures: that asking for its texts changes nothing, and that every string is
// in the one span that it belongs to or is not text.
func (s Subject) CheckTexts(t *testing.T, in []byte, framing frame.Framing) {
	t.Helper()
	s.kinds = map[string]placed{}
	s.checkTexts(t, in, framing, false)
}

// listen puts a response through the gate and asks for its texts.
func (s Subject) listen(framing frame.Framing, in []byte) Result {
	return Pass(Passage{
		Format: s.Format, Whole: framing == frame.Whole, Framing: framing, In: bytes.NewReader(in), Texts: true,
		Judge: &Judge{Policy: AllowAll()},
	})
}

// checkTexts checks that every string of a response is in one span or is not text, and, if it is a regular stream, that its pieces
// add up to the texts of the message that it folds into, and to those that it says again.
func (s Subject) checkTexts(t *testing.T, in []byte, framing frame.Framing, regular bool) {
	t.Helper()
	r := s.listen(framing, in)
	if err := r.CheckTexts(); err != nil {
		t.Error(err)
	}
	s.checkSpans(t, r.Heard)
	unasked := Pass(Passage{
		Format: s.Format, Whole: framing == frame.Whole, Framing: framing, In: bytes.NewReader(in), Judge: &Judge{Policy: AllowAll()},
	})
	if diff := cmp.Diff(s.plain(unasked.Out), s.plain(r.Out)); diff != "" {
		t.Errorf("the output changed because texts were asked for (-want +got):\n%s", diff)
	}
	for _, h := range unasked.Heard {
		if h.Spans != nil {
			t.Errorf("nobody asked for %v", h.Spans)
		}
	}
	if !regular {
		return
	}
	body := s.folded(t, in, framing)
	whole := s.listen(frame.Whole, body)
	s.checkSpans(t, whole.Heard)
	want := s.said(t, whole.Heard)
	for channel, n := range count(whole.Heard) {
		if n > 1 && !s.Pieces {
			t.Errorf("a body has %d texts on %+v", n, channel)
		}
	}
	got := s.said(t, r.Heard)
	for channel := range got {
		// What frames of an unknown type say is in no message.
		if _, ok := want[channel]; !ok && channel.Kind == dialect.Elsewhere {
			delete(got, channel)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("texts differ; does the test fold all of them? (-whole +streamed):\n%s", diff)
	}
}

// said are the texts of a response that are not empty, by their channels.
func (s Subject) said(t *testing.T, heard []Heard) map[dialect.Channel]string {
	t.Helper()
	all, err := channels(heard, true)
	if err != nil {
		t.Error(err)
	}
	texts := map[dialect.Channel]string{}
	for channel, said := range all {
		if text := Unquote(said.literal); text != "" {
			texts[channel] = text
		}
	}
	return texts
}

// count is how often there is text on a channel.
func count(heard []Heard) map[dialect.Channel]int {
	n := map[dialect.Channel]int{}
	for _, h := range heard {
		for _, s := range h.Spans {
			n[s.Channel]++
		}
	}
	return n
}

// checkSpans checks that every string of every frame is in the one span that it belongs to, or in none if it is not text.
func (s Subject) checkSpans(t *testing.T, heard []Heard) {
	t.Helper()
	for _, h := range heard {
		tree, err := ParseTree(h.Data)
		if err != nil {
			if len(h.Spans) > 0 {
				t.Errorf("there are spans in %q, which is not JSON", h.Data)
			}
			continue
		}
		spans := slices.Clone(h.Spans)
		tree.walkPlaces("", func(place string, v Tree) {
			kind, known := s.kindAt(place)
			i := slices.IndexFunc(spans, func(span dialect.Span) bool { return span.Start <= v.Start && v.End <= span.End })
			switch {
			case !known:
				t.Errorf("nobody says what %s is: %q in %s", place, v.Text, h.Data)
			case i < 0 && kind != dialect.NotText:
				t.Errorf("%s is in no span: %q in %s", place, v.Text, h.Data)
			case i >= 0 && kind != spans[i].Kind:
				t.Errorf("%s is of kind %d, want %d: %q in %s", place, spans[i].Kind, kind, v.Text, h.Data)
			case i >= 0 && kind != dialect.Echo && (spans[i].Start != v.Start || spans[i].End != v.End):
				t.Errorf("the span of %s is not the string: %q in %s", place, v.Text, h.Data)
			}
		})
	}
}

// walkPlaces calls visit for every string.
func (t Tree) walkPlaces(place string, visit func(place string, v Tree)) {
	if t.Kind == '"' {
		visit(strings.TrimPrefix(place, "/"), t)
		return
	}
	if typ := t.Get("type"); typ.Kind == '"' {
		place += ":" + typ.Text
	} else if t.Get("thought").Kind == 't' {
		place += ":thought"
	}
	for i, v := range t.Values {
		name := "*"
		if t.Kind == '{' {
			name = t.Names[i]
		}
		v.walkPlaces(place+"/"+name, visit)
	}
}

// A placed is what the strings in a place are, and whether that is told.
type placed struct {
	kind  dialect.TextKind
	known bool
}

func (s Subject) kindAt(place string) (kind dialect.TextKind, known bool) {
	p, looked := s.kinds[place]
	if !looked {
		at := strings.Split(place, "/")
		i := slices.IndexFunc(s.Texts, func(p TextPlace) bool { return fits(strings.Split(p.Place, "/"), at) })
		if i >= 0 {
			p = placed{s.Texts[i].Kind, true}
		}
		s.kinds[place] = p
	}
	return p.kind, p.known
}

// fits says whether a place is one that a pattern means.
func fits(pattern, place []string) bool {
	switch {
	case len(pattern) == 0:
		return len(place) == 0
	case pattern[0] == "**":
		return fits(pattern[1:], place) || len(place) > 0 && fits(pattern, place[1:])
	case len(place) == 0:
		return false
	}
	ok, err := path.Match(pattern[0], place[0])
	return err == nil && ok && fits(pattern[1:], place[1:])
}
