// Package dialect defines what the gate needs to know of a wire format. The formats themselves live below it.
package dialect

import (
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
)

// A Reading is what one frame says.
type Reading struct {
	// Pass says that the frame speaks of no call and goes out as it came, provided nothing ahead of it is held.
	Pass bool
	// Overtakes says that the frame may go out ahead of held frames (pings).
	Overtakes bool
	// Idle says that the frame shows life and nothing else: no client takes it for progress.
	Idle bool
	// Opens are the calls that first appear in this frame, in order of appearance.
	Opens []*Slot
	// Waits are the calls that must be ruled before the frame can be written.
	Waits []*Slot
	// Instead are the frame's data without what is left out of them; nil: nothing is. Rewrite sees to it: see Frame.
	Instead []byte
	// Texts are where the frame has text for a person or a model, in their order, if the response was asked for them: see
	// Options.Texts. They are valid until the next Scan; a frame that is held keeps its own.
	Texts []Span
	// Plan is the dialect's own; the gate hands it back to Rewrite.
	Plan any
}

// Meta is what a response says of itself.
type Meta struct {
	Dialect      string // the format's name; only of a response among several
	ResponseID   string
	Conversation string // that the response belongs to; "" if none
	Model        string
	Usage        call.Usage
	Ended        bool // the wire has said that the response is over
	Failed       bool // and that it failed: the provider keeps nothing of it
}

// A Dialect reads and edits one response of one wire format; one goroutine at a time, one response.
//
// Scan is called for every frame with data as it arrives. Rewrite is called for the same frames in the same order,
// later, when every slot the reading waits for is ruled: a call goes out as it was sent, or restated with what was judged or
// with what replaces its arguments, or not at all; frames whose reading passes skip it when nothing ahead of
// them waits. An error of either is a *Refused: the rest of the response cannot be delivered.
type Dialect interface {
	Scan(f frame.Frame) (Reading, error)
	Rewrite(f frame.Frame, r Reading) ([]frame.Frame, error)
	// End is called once when no more frames come. It gives up the calls that are not complete and returns them.
	End(clean bool) []*Slot
	// Tail is what is still to say after the last frame was rewritten.
	Tail() []frame.Frame
	// KeepAlive is a frame that shows life and says nothing; false if the wire has none.
	KeepAlive() (frame.Frame, bool)
	// Stop ends the response in the wire's own words, with a notice, given what Rewrite has let out so far.
	Stop(notice string) []frame.Frame
	// Meta is what is known of the response so far.
	Meta() Meta
}
