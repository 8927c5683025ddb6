package bedrock

import (
	"fmt"
	"strconv"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
)

// made is a frame of our own.
func made(typ, data string) frame.Frame {
	return frame.Frame{Type: []byte(typ), Data: []byte(data)}
}

func textJSON(text string) []byte { return []byte(`{"text":` + dialect.Quote(text) + `}`) }

// delta is a delta of the block with this index.
func delta(index int, unit string) frame.Frame {
	return made(typeBlockDelta, `{"contentBlockIndex":`+strconv.Itoa(index)+`,"delta":`+unit+`}`)
}

// textDelta carries a notice. It also begins the block: there is no start of a text, and clients fail at one.
func textDelta(index int, text string) frame.Frame { return delta(index, string(textJSON(text))) }

func stopFrame(index int) frame.Frame {
	return made(typeBlockStop, `{"contentBlockIndex":`+strconv.Itoa(index)+`}`)
}

// argumentsFrame carries all arguments of a call at once.
func argumentsFrame(b *block) frame.Frame {
	return delta(b.client.out, `{"toolUse":{"input":`+dialect.Quote(string(b.slot.Sent()))+`}}`)
}

// textBlock is a whole text block at the end of what the agent has.
func (d *response) textBlock(text string) []frame.Frame {
	out := d.client.blocks
	d.client.blocks, d.client.content = out+1, true
	return []frame.Frame{textDelta(out, text), stopFrame(out)}
}

// KeepAlive implements dialect.Dialect. The format has no ping: an empty text would open or reopen a block, and clients do
// not agree on what a message of an unknown type is.
func (d *response) KeepAlive() (frame.Frame, bool) { return frame.Frame{}, false }

// Tail implements dialect.Dialect: in this format everything has a frame that carries it.
func (d *response) Tail() []frame.Frame { return nil }

// Stop implements dialect.Dialect.
func (d *response) Stop(notice string) []frame.Frame {
	if d.client.ended {
		return nil
	}
	d.client.ended = true
	if d.opts.Whole {
		return []frame.Frame{made(typeBody, d.bodyJSON(notice))}
	}
	var frames []frame.Frame
	if !d.client.started {
		d.client.started = true
		frames = append(frames, made(typeMessageStart, `{"role":"assistant"}`))
	}
	for _, b := range d.blocks {
		if b.client.started && !b.client.stopped {
			b.client.stopped = true
			frames = append(frames, stopFrame(b.client.out))
		}
	}
	frames = append(frames, d.textBlock(notice)...)
	reason := "end_turn"
	if d.released() {
		reason = "tool_use"
	}
	return append(frames, made(typeMessageStop, `{"stopReason":"`+reason+`"}`))
}

// bodyJSON is a whole response of our own. Clients want to be told what it cost and how long it took.
func (d *response) bodyJSON(text string) string {
	u := d.meta.Usage
	return fmt.Sprintf(`{"output":{"message":{"role":"assistant","content":[%s]}},"stopReason":"end_turn",`+
		`"usage":{"inputTokens":%d,"outputTokens":%d,"totalTokens":%d},"metrics":{"latencyMs":0}}`,
		textJSON(text), u.Input, u.Output, u.Input+u.Output)
}
