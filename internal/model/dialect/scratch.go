package dialect

import (
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A Scratch is what every format needs to parse and edit one response. Its buffers are reused for each frame.
type Scratch struct {
	Options Options
	Doc     strictjson.Doc // the frame that was parsed last
	Sieve   Sieve
	Texts   Texts
	Out     []frame.Frame // what Rewrite returns; valid until it is called again
}

// Finish is called with the reading of a frame: it leaves out what must not be sent, and finds texts if they are asked for. It gets
// pointers because copying would cost more than the rest of the work for most frames.
func (s *Scratch) Finish(f *frame.Frame, r *Reading, findTexts func(f frame.Frame, plan any)) {
	if len(s.Sieve.edits) > 0 {
		*r = s.Sieve.Finish(*f, *r)
	}
	if s.Options.Texts {
		s.Texts.Begin()
		findTexts(*f, r.Plan)
		r.Texts = s.Texts.Finish(&s.Sieve)
	}
}

// ParseObject parses a frame, which must be one JSON object.
func (s *Scratch) ParseObject(data []byte) (strictjson.Value, error) {
	if s.Doc.Parse(data) != nil {
		return strictjson.Value{}, Malformed("a frame is not strict JSON")
	}
	if s.Doc.Root().Kind() != strictjson.Object {
		return strictjson.Value{}, Malformed("a frame is not a JSON object")
	}
	return s.Doc.Root(), nil
}

// BeginFrame begins the rewriting of a frame. It returns the frame without the members that are left out.
func (s *Scratch) BeginFrame(f frame.Frame, r Reading) frame.Frame {
	s.Out = s.Out[:0]
	return r.Frame(f)
}

// Emit adds frames to what Rewrite returns.
func (s *Scratch) Emit(frames ...frame.Frame) { s.Out = append(s.Out, frames...) }
