// Package dialect defines what the gate needs to know about a format. The formats themselves are in packages below it.
package dialect

import (
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
)

// A Reading is what a dialect found in one frame.
type Reading struct {
	// Pass says that the frame is not about a call. It is sent unchanged, if nothing ahead of it is held.
	Pass bool
	// Overtakes says that the frame may be sent ahead of held frames (pings).
	Overtakes bool
	// Idle says that the frame is only a keep-alive: no client takes it for progress.
	Idle bool
	// Opens are the calls that first appear in this frame, in order of appearance.
	Opens []*Slot
	// Waits are the calls that must be ruled before the frame can be written.
	Waits []*Slot
	// Instead is the frame's data without the members that are left out; nil: none are. Rewrite uses it: see Frame.
	Instead []byte
	// Texts are the positions of text for a person or a model in the frame, in order, if Options.Texts asks for them. They are valid
	// until the next Scan; the gate copies those of a held frame.
	Texts []Span
	// Plan is private to the dialect; the gate passes it to Rewrite.
	Plan any
}

// Meta is what a response says about itself.
type Meta struct {
	Dialect      string // the format's name; set only for a response among several
	ResponseID   string
	Conversation string // the one that the response belongs to; "": none
	Model        string
	Usage        call.Usage
	Ended        bool // the response had its final frame
	Failed       bool // the response failed: the provider stores nothing of it
}

// A Dialect parses and edits one response in one format. Only one goroutine may use it at a time.
//
// Scan is called for every frame with data as it arrives. Rewrite is called for the same frames in the same order,
// later, when every slot that the reading waits for is ruled. A call is then sent unchanged, or rewritten with the arguments that
// were judged or that replace them, or not sent at all. A frame whose reading passes skips Rewrite if nothing ahead of it waits. An
// error of either method is a *Refused: the rest of the response cannot be delivered.
type Dialect interface {
	Scan(f frame.Frame) (Reading, error)
	Rewrite(f frame.Frame, r Reading) ([]frame.Frame, error)
	// End is called once when no more frames come. It gives up the incomplete calls and returns them.
	End(clean bool) []*Slot
	// Tail returns frames to send after the last frame was rewritten.
	Tail() []frame.Frame
	// KeepAlive returns a frame without content; false if the format has none.
	KeepAlive() (frame.Frame, bool)
	// Stop returns the frames that end the response with a notice, after what Rewrite has returned so far.
	Stop(notice string) []frame.Frame
	// Meta returns what is known about the response so far.
	Meta() Meta
}
