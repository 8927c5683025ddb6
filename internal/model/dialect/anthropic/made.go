package anthropic

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

func textJSON(text string) []byte {
	return []byte(`{"type":"text","text":` + dialect.Quote(text) + `}`)
}

func textStart(index int) frame.Frame {
	return made(typeBlockStart, `{"type":"content_block_start","index":`+strconv.Itoa(index)+
		`,"content_block":{"type":"text","text":""}}`)
}

// textDelta carries a notice. It is a delta because some clients ignore text in a block's start.
func textDelta(index int, text string) frame.Frame {
	return made(typeBlockDelta, `{"type":"content_block_delta","index":`+strconv.Itoa(index)+
		`,"delta":{"type":"text_delta","text":`+dialect.Quote(text)+`}}`)
}

func stopFrame(index int) frame.Frame {
	return made(typeBlockStop, `{"type":"content_block_stop","index":`+strconv.Itoa(index)+`}`)
}

// argumentsFrame carries all arguments of a call at once.
func argumentsFrame(b *block) frame.Frame {
	return made(typeBlockDelta, `{"type":"content_block_delta","index":`+strconv.Itoa(b.client.out)+
		`,"delta":{"type":"input_json_delta","partial_json":`+dialect.Quote(string(b.slot.Sent()))+`}}`)
}

// textBlock is a whole text block at the end of what the agent has.
func (d *response) textBlock(text string) []frame.Frame {
	out := d.client.blocks
	d.client.blocks++
	return []frame.Frame{textStart(out), textDelta(out, text), stopFrame(out)}
}

// KeepAlive implements dialect.Dialect.
func (d *response) KeepAlive() (frame.Frame, bool) {
	return made(typePing, `{"type": "ping"}`), !d.opts.Whole
}

// Tail implements dialect.Dialect: in this format everything has a frame that carries it.
func (d *response) Tail() []frame.Frame { return nil }

// Stop implements dialect.Dialect.
func (d *response) Stop(notice string) []frame.Frame {
	if d.client.ended {
		return nil
	}
	if d.opts.Whole {
		d.client.ended = true
		return []frame.Frame{made(typeMessage, d.messageJSON(`[`+string(textJSON(notice))+`]`, `"end_turn"`))}
	}
	var frames []frame.Frame
	if !d.client.started {
		frames = append(frames, made(typeMessageStart,
			`{"type":"message_start","message":`+d.messageJSON(`[]`, `null`)+`}`))
	}
	if !d.client.closing {
		for _, b := range d.blocks {
			if b.client.started && !b.client.stopped {
				b.client.stopped = true
				frames = append(frames, stopFrame(b.client.out))
			}
		}
		frames = append(frames, d.textBlock(notice)...)
		frames = append(frames, d.lastDelta())
	}
	d.client = client{started: true, closing: true, ended: true}
	return append(frames, made(typeMessageStop, `{"type":"message_stop"}`))
}

// lastDelta ends the turn: with tool_use if the agent has a call to answer.
func (d *response) lastDelta() frame.Frame {
	reason := "end_turn"
	if d.released() {
		reason = "tool_use"
	}
	return made(typeMessageDelta, fmt.Sprintf(
		`{"type":"message_delta","delta":{"stop_reason":"%s","stop_sequence":null},"usage":{"output_tokens":%d}}`,
		reason, d.meta.Usage.Output))
}

// messageJSON is a message of our own.
func (d *response) messageJSON(content, stopReason string) string {
	id, model := d.meta.ResponseID, d.meta.Model
	if id == "" {
		id = inventedID()
	}
	if model == "" {
		model = "unknown"
	}
	return fmt.Sprintf(`{"id":%s,"type":"message","role":"assistant","model":%s,"content":%s,"stop_reason":%s,`+
		`"stop_sequence":null,"usage":{"input_tokens":%d,"output_tokens":%d}}`,
		dialect.Quote(id), dialect.Quote(model), content, stopReason, d.meta.Usage.Input, d.meta.Usage.Output)
}
