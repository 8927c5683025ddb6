package dialecttest

import (
	"bytes"
	"errors"
	"fmt"
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
	if ended, err := reader.Check(out, kinds[in]); !ended && !marked(out) || err != nil {
		t.Errorf("ended %v: %v\n%s", ended, err, out)
	}
}

// marked says whether a stream has the mark of an end.
func marked(out []byte) bool { return bytes.HasSuffix(bytes.TrimSpace(out), []byte("data: "+doneMark)) }

// CheckForm checks the form of what was sent, unless the form of the input was wrong, and that it is complete if it must be.
func (s Subject) CheckForm(t *testing.T, in, out []byte, framing frame.Framing, mustEnd bool) {
	t.Helper()
	ended, err := s.Reader.Check(out, kinds[framing])
	if err != nil {
		if _, wrong := s.Reader.Check(s.canonical(in, framing), kinds[framing]); wrong != nil {
			return
		}
		t.Errorf("not well-formed: %v\n%s", err, out)
	}
	if mustEnd && !ended && !marked(out) {
		t.Errorf("the response does not come to its end:\n%s", out)
	}
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
