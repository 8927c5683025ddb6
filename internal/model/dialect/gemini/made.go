package gemini

import (
	"strconv"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
)

// KeepAlive implements dialect.Dialect. Comments would break clients of this format, and some take an element without a content for
// a broken turn. An empty text has no effect in any client.
func (d *editor) KeepAlive() (frame.Frame, bool) {
	index := 0
	for _, c := range d.candidates {
		if !c.sent.finished {
			index = c.index
			break
		}
	}
	text := `{"candidates":[{"content":{"role":"model","parts":[` + saysNothing + `]},"index":` + strconv.Itoa(index) + `}]}`
	return frame.Frame{Data: d.wrap(text)}, !d.Options.Whole
}

func (d *editor) wrap(text string) []byte {
	if d.wrapped {
		return []byte(`{"response":` + text + `}`)
	}
	return []byte(text)
}

// Tail implements dialect.Dialect: in this format nothing is added after the last frame.
func (d *editor) Tail() []frame.Frame { return nil }

// Stop implements dialect.Dialect.
func (d *editor) Stop(notice string) []frame.Frame {
	if d.done {
		return nil
	}
	d.done = true
	var list []byte
	for _, c := range d.unfinished() {
		list = appendPart(list, []byte(`{"content":{"role":"model","parts":[`))
		list = append(list, c.tell(notice, c.said)...)
		list = append(list, `]},"finishReason":"STOP","index":`+strconv.Itoa(c.index)+`}`...)
	}
	if len(list) == 0 {
		return nil
	}
	u := d.meta.Usage
	text := `{"candidates":[` + string(list) + `],"usageMetadata":{"promptTokenCount":` + strconv.FormatInt(u.Input, 10) +
		`,"candidatesTokenCount":` + strconv.FormatInt(u.Output, 10) + `,"totalTokenCount":` + strconv.FormatInt(u.Input+u.Output, 10) + `}`
	if d.meta.Model != "" {
		text += `,"modelVersion":` + dialect.Quote(d.meta.Model)
	}
	if d.meta.ResponseID != "" {
		text += `,"responseId":` + dialect.Quote(d.meta.ResponseID)
	}
	d.Out = append(d.Out[:0], frame.Frame{Data: d.wrap(text + "}")})
	return d.Out
}

// unfinished returns the candidates that the agent still waits for. For a whole body that is one empty candidate.
func (d *editor) unfinished() []*candidate {
	if len(d.candidates) == 0 || d.Options.Whole {
		return []*candidate{{}}
	}
	var open []*candidate
	for _, c := range d.candidates {
		if !c.sent.finished {
			open = append(open, c)
		}
	}
	return open
}
