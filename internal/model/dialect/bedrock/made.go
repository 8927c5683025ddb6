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

// appendText begins a block of text: there is no start of a text, and clients fail at one.
func appendText(frames []frame.Frame, index int, text string) []frame.Frame {
	return append(frames, delta(index, string(textJSON(text))))
}

// argumentsFrame carries all arguments of a call at once.
func argumentsFrame(index int, args []byte) frame.Frame {
	return delta(index, `{"toolUse":{"input":`+dialect.Quote(string(args))+`}}`)
}

func stopFrame(index int) frame.Frame {
	return made(typeBlockStop, `{"contentBlockIndex":`+strconv.Itoa(index)+`}`)
}

// KeepAlive implements dialect.Dialect. The format has no ping: an empty text would open or reopen a block, and clients do
// not agree on what a message of an unknown type is.
func (d *editor) KeepAlive() (frame.Frame, bool) { return frame.Frame{}, false }

// Tail implements dialect.Dialect: in this format everything has a frame that carries it.
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

// bodyJSON is a whole response of our own. Clients want to be told what it cost and how long it took.
func (d *editor) bodyJSON(text string) string {
	u := d.meta.Usage
	return fmt.Sprintf(`{"output":{"message":{"role":"assistant","content":[%s]}},"stopReason":"end_turn",`+
		`"usage":{"inputTokens":%d,"outputTokens":%d,"totalTokens":%d},"metrics":{"latencyMs":0}}`,
		textJSON(text), u.Input, u.Output, u.Input+u.Output)
}
