package bedrock

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

func textJSON(text string) []byte { return []byte(`{"text":` + dialect.Quote(text) + `}`) }

// delta returns a delta of the block with this index.
func delta(index int, unit string) frame.Frame {
	return made(typeBlockDelta, `{"contentBlockIndex":`+strconv.Itoa(index)+`,"delta":`+unit+`}`)
}

// appendText begins a block of text. It sends no start frame: text blocks have none, and clients would fail.
func appendText(frames []frame.Frame, index int, text string) []frame.Frame {
	return append(frames, delta(index, string(textJSON(text))))
}

// argumentsFrame returns a frame with all arguments of a call at once.
func argumentsFrame(index int, args []byte) frame.Frame {
	return delta(index, `{"toolUse":{"input":`+dialect.Quote(string(args))+`}}`)
}

func stopFrame(index int) frame.Frame {
	return made(typeBlockStop, `{"contentBlockIndex":`+strconv.Itoa(index)+`}`)
}

// KeepAlive implements dialect.Dialect. The format has no ping: an empty text would open or reopen a block, and clients do
// not agree on what a message of an unknown type is.
func (d *editor) KeepAlive() (frame.Frame, bool) { return frame.Frame{}, false }

// Tail implements dialect.Dialect: in this format nothing is added after the last frame.
func (d *editor) Tail() []frame.Frame { return nil }

// Stop implements dialect.Dialect.
func (d *editor) Stop(notice string) []frame.Frame {
	if d.Sent.Ended {
		return nil
	}
	d.Sent.Ended = true
	if d.Options.Whole {
		return []frame.Frame{made(typeBody, d.bodyJSON(notice))}
	}
	var frames []frame.Frame
	if !d.Sent.Started {
		d.Sent.Started = true
		frames = append(frames, made(typeMessageStart, `{"role":"assistant"}`))
	}
	frames = append(frames, d.LastText(notice)...)
	return append(frames, made(typeMessageStop, `{"stopReason":"`+d.LastReason()+`"}`))
}

// bodyJSON returns a whole response made by weir. Clients expect usage and metrics in it.
func (d *editor) bodyJSON(text string) string {
	u := d.meta.Usage
	return fmt.Sprintf(`{"output":{"message":{"role":"assistant","content":[%s]}},"stopReason":"end_turn",`+
		`"usage":{"inputTokens":%d,"outputTokens":%d,"totalTokens":%d},"metrics":{"latencyMs":0}}`,
		textJSON(text), u.Input, u.Output, u.Input+u.Output)
}
