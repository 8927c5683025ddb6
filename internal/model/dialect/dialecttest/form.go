package dialecttest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/weirtest/fold"
)

// kinds are what the independent readers call the framings.
var kinds = map[frame.Framing]fold.Kind{
	frame.Whole: fold.Whole, frame.Events: fold.Events, frame.Elements: fold.Array, frame.Rows: fold.Lines, frame.Binary: fold.Packets,
}

// CheckEnded checks that a response is well-formed and complete.
func CheckEnded(t *testing.T, reader *fold.Format, out []byte, in frame.Framing) {
	t.Helper()
	if ended, err := reader.Check(out, kinds[in]); !ended || err != nil {
		t.Errorf("ended %v: %v\n%s", ended, err, out)
	}
}

// CheckForm checks that a response, or the beginning of one, is well-formed, and says whether it came to its end. Odd is part of what
// the reader may say against it, where that is the provider's own oddity and passes through; "": nothing.
func CheckForm(t *testing.T, reader *fold.Format, out []byte, in frame.Framing, odd string) (ended bool) {
	t.Helper()
	ended, err := reader.Check(out, kinds[in])
	if err != nil && (odd == "" || !strings.Contains(err.Error(), odd)) {
		t.Errorf("not well-formed: %v\n%s", err, out)
	}
	return ended
}

// checkForm checks the form of what became of a fixture, and that it came to its end if it had to.
func (s Subject) checkForm(t *testing.T, f Fixture, r Result) {
	t.Helper()
	ended := CheckForm(t, s.Reader, r.Out, f.framing(), f.Odd)
	if ended = ended || f.Odd != "" && (f.Whole || s.hasEnd(frames(r.Out, f.framing()))); !ended && f.mustEnd(r) {
		t.Errorf("the response does not come to its end:\n%s", r.Out)
	}
}

// hasEnd says whether one of some frames brings a response to its end.
func (s Subject) hasEnd(list []frame.Frame) bool {
	return slices.ContainsFunc(list, func(f frame.Frame) bool {
		tree, err := ParseTree(f.Data)
		return f.Failure || err == nil && s.Ends(string(f.Type), tree) || string(f.Data) == doneMark
	})
}

// fold is the whole message of a response, in a form in which messages compare.
func (s Subject) fold(in []byte, framing frame.Framing) ([]byte, error) {
	m, err := s.Reader.Fold(s.canonical(in, framing), kinds[framing])
	if m == nil {
		return nil, err
	}
	return m.JSON, err
}

// folded returns the message that a stream adds up to. If clients would join a stream differently, it is folded as it is sent when
// every call is allowed.
func (s Subject) folded(t *testing.T, stream []byte, framing frame.Framing) []byte {
	t.Helper()
	body, err := s.fold(stream, framing)
	if err != nil && !errors.Is(err, fold.ErrPieces) {
		if body, err = s.fold(Put(s.Format, framing, stream, AllowAll()).Out, framing); err != nil {
			t.Fatalf("fold the input: %v", err)
		}
	}
	return body
}

// canonical returns a stream in the framing that all clients read the same, as a client that strips marks reads it.
func (s Subject) canonical(in []byte, framing frame.Framing) []byte {
	var b strings.Builder
	switch framing {
	case frame.Rows:
		for _, e := range Readers(framing)[0].Events(in) {
			b.WriteString(e.Data + "\n")
		}
	case frame.Events:
		for _, e := range Framings()[1].Events(in) {
			if e.Data = strings.ReplaceAll(e.Data, "\n", " "); s.Named && e.Data != doneMark {
				e = named(e)
				fmt.Fprintf(&b, "event: %s\n", e.Name)
			}
			if !s.Named || e.Data != doneMark {
				fmt.Fprintf(&b, "data: %s\n\n", e.Data)
			}
		}
	default:
		return in
	}
	return []byte(b.String())
}

// named is an event whose name and type are the same.
func named(e LooseEvent) LooseEvent {
	tree, err := ParseTree([]byte(e.Data))
	if typ := tree.Get("type"); err == nil && typ.Kind == '"' {
		e.Name = typ.Text
	} else if rest, ok := strings.CutPrefix(e.Data, "{"); ok && err == nil {
		e.Data = `{"type":` + Quote(e.Name) + `,` + rest
	}
	return e
}
