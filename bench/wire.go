package main

import (
	"strings"

	"github.com/weir-gate/weir/internal/model/wire"
)

// A format is one in which turns are played.
type format struct {
	*wire.Kit
	// whole is what the framing names the frame with which a call has arrived; "": it is the one with its last argument piece.
	whole string
}

// formats are those that can be measured, by name.
var formats = map[string]*format{
	"anthropic":        {&wire.Messages, "content_block_stop"},
	"openai-chat":      {&wire.Chat, ""},
	"openai-responses": {&wire.Responses, "response.output_item.done"},
}

// frames are those of a turn.
func (f *format) frames(blocks ...wire.Block) (list [][]byte) {
	for _, s := range f.steps(blocks...) {
		list = append(list, f.Encode(s))
	}
	return list
}

func (f *format) steps(blocks ...wire.Block) wire.Steps {
	return f.Stream(wire.Turn{Model: "scripted", ID: "bench", Stored: true, In: 9, Out: 7, Blocks: blocks})
}

// timedCall is the call that is timed. Its arguments come in pieces.
func timedCall(id string) wire.Block {
	b := wire.Call("Bash", `{"command":`, `"go test .`, `/...","timeout":120000}`)
	b.ID = "call_" + id
	return b
}

// call are the frames of a turn with a call: those ahead of the last argument piece, that one and the others until the call has
// arrived, and the rest. line is the first of the frame with which it has arrived.
func (f *format) call(id string) (first, last, rest [][]byte, line string) {
	for _, s := range f.steps(timedCall(id)) {
		frame := f.Encode(s)
		switch {
		case line != "":
			rest = append(rest, frame)
			continue
		case last != nil || strings.HasSuffix(s.Args, "}"):
			last = append(last, frame)
		default:
			first = append(first, frame)
		}
		if last != nil && (f.whole == "" || s.Type == f.whole) {
			line, _, _ = strings.Cut(string(frame), "\n")
			line += "\n"
		}
	}
	return first, last, rest, line
}
