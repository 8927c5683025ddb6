package anthropic

import (
	"fmt"
	"strconv"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
)

// made returns a frame made by weir.
func made(typ, data string) frame.Frame {
	return frame.Frame{Type: []byte(typ), Data: []byte(data)}
}

func textJSON(text string) []byte {
	return []byte(`{"type":"text","text":` + dialect.Quote(text) + `}`)
}

// appendText begins a block of text. The text is in a delta because some clients ignore it in a block's start.
func appendText(frames []frame.Frame, index int, text string) []frame.Frame {
	return append(frames,
		made(typeBlockStart, `{"type":"content_block_start","index":`+strconv.Itoa(index)+`,"content_block":{"type":"text","text":""}}`),
		deltaFrame(index, `{"type":"text_delta","text":`+dialect.Quote(text)+`}`))
}

func deltaFrame(index int, delta string) frame.Frame {
	return made(typeBlockDelta, `{"type":"content_block_delta","index":`+strconv.Itoa(index)+`,"delta":`+delta+`}`)
}

// argumentsFrame returns a frame with all arguments of a call at once.
func argumentsFrame(index int, args []byte) frame.Frame {
	return deltaFrame(index, `{"type":"input_json_delta","partial_json":`+dialect.Quote(string(args))+`}`)
}

func stopFrame(index int) frame.Frame {
	return made(typeBlockStop, `{"type":"content_block_stop","index":`+strconv.Itoa(index)+`}`)
}

// KeepAlive implements dialect.Dialect.
func (d *editor) KeepAlive() (frame.Frame, bool) {
	return made(typePing, `{"type": "ping"}`), !d.Options.Whole
}

// Tail implements dialect.Dialect: in this format nothing is added after the last frame.
func (d *editor) Tail() []frame.Frame { return nil }

// Stop implements dialect.Dialect.
func (d *editor) Stop(notice string) []frame.Frame {
	if d.Sent.Ended {
		return nil
	}
	d.Sent.Ended = true
	if d.Options.Whole {
		return []frame.Frame{made(typeMessage, d.messageJSON(`[`+string(textJSON(notice))+`]`, `"end_turn"`))}
	}
	var frames []frame.Frame
	if !d.Sent.Started {
		frames = append(frames, made(typeMessageStart, `{"type":"message_start","message":`+d.messageJSON(`[]`, `null`)+`}`))
	}
	if !d.Sent.Closing {
		frames = append(frames, d.LastText(notice)...)
		frames = append(frames, made(typeMessageDelta, fmt.Sprintf(
			`{"type":"message_delta","delta":{"stop_reason":"%s","stop_sequence":null},"usage":{"output_tokens":%d}}`,
			d.LastReason(), d.meta.Usage.Output)))
	}
	return append(frames, made(typeMessageStop, `{"type":"message_stop"}`))
}

// messageJSON returns a message made by weir.
func (d *editor) messageJSON(content, stopReason string) string {
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
