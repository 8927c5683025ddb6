package ollama

import (
	"strconv"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
)

// KeepAlive implements dialect.Dialect: a line with no text.
func (d *editor) KeepAlive() (frame.Frame, bool) {
	return frame.Frame{Data: d.lineJSON("", false)}, !d.Options.Whole
}

// Tail implements dialect.Dialect. It returns the notices if the response had no last line.
func (d *editor) Tail() []frame.Frame {
	text := d.notices(d.said)
	if text == "" {
		return nil
	}
	return []frame.Frame{{Data: d.lineJSON(text, false)}}
}

// Stop implements dialect.Dialect.
func (d *editor) Stop(notice string) []frame.Frame {
	if d.sent.ended {
		return nil
	}
	d.sent.ended = true
	said := d.said && !d.Options.Whole
	text := ""
	if !d.Options.Drop {
		text = d.notices(said)
	}
	return []frame.Frame{{Data: d.lineJSON(text+apart(notice, said || text != ""), true)}}
}

// lineJSON returns a line made by weir. Before the first line of the upstream it fits both kinds of requests.
func (d *editor) lineJSON(text string, last bool) []byte {
	model, created := d.meta.Model, d.created
	if model == "" {
		model = "unknown"
	}
	if len(created) == 0 {
		created = []byte(`"1970-01-01T00:00:00Z"`)
	}
	b := []byte(`{"model":` + dialect.Quote(model) + `,"created_at":` + string(created))
	if !d.generates {
		b = append(b, `,"message":{"role":"assistant","content":`+dialect.Quote(text)+`}`...)
	}
	if d.generates || !d.begun {
		b = append(b, `,"response":`+dialect.Quote(text)...)
	}
	if !last {
		return append(b, `,"done":false}`...)
	}
	return append(b, `,"done":true,"done_reason":"stop","prompt_eval_count":`+strconv.FormatInt(d.meta.Usage.Input, 10)+
		`,"eval_count":`+strconv.FormatInt(d.meta.Usage.Output, 10)+`}`...)
}
