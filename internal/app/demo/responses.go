package demo

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

// responses is the OpenAI Responses API.
type responses struct{}

func (responses) name() string           { return "OpenAI Responses" }
func (responses) path() string           { return "/v1/responses" }
func (responses) framing() frame.Framing { return frame.Events }

func (responses) request(question string) string {
	return `{"model":"scripted-model","stream":true,"input":` + quote(question) + `}`
}

func (responses) script(s scene, n int) []emission {
	b := &responsesScript{n: n}
	b.lifecycle("", "created", "in_progress")
	for i, u := range s.units {
		b.item(i, u)
	}
	b.lifecycle("stop  completed", "completed", "completed")
	return b.out
}

// A responsesScript renders one turn.
type responsesScript struct {
	n     int
	out   []emission
	items []string
}

func (b *responsesScript) add(says, typ, rest string) {
	b.out = append(b.out, emission{says: says, frame: fmt.Sprintf("event: response.%s\ndata: {\"type\":\"response.%s\",\"sequence_number\":%d,%s}\n\n",
		typ, typ, len(b.out), rest)})
}

func (b *responsesScript) lifecycle(says, typ, status string) {
	b.add(says, typ, fmt.Sprintf(`"response":{"id":"resp_demo_%d","object":"response","created_at":0,"status":%q,"model":"scripted-model","store":true,`+
		`"output":[%s],"usage":{"input_tokens":12,"output_tokens":40,"total_tokens":52}}`, b.n, status, strings.Join(b.items, ",")))
}

func (b *responsesScript) item(i int, u unit) {
	id := fmt.Sprintf("item_demo_%d_%d", b.n, i)
	at := fmt.Sprintf(`"item_id":%q,"output_index":%d`, id, i)
	render := func(status, payload string) string {
		if u.tool == "" {
			return fmt.Sprintf(`{"id":%q,"type":"message","status":%q,"role":"assistant","content":[%s]}`, id, status, payload)
		}
		return fmt.Sprintf(`{"id":%q,"type":"function_call","status":%q,"call_id":"call_demo_%d_%d","name":%s,"arguments":%s}`,
			id, status, b.n, i, quote(u.tool), payload)
	}
	part := func(text string) string { return `{"type":"output_text","annotations":[],"text":` + quote(text) + `}` }
	says, empty, whole := "", "", part(strings.Join(u.text, ""))
	if u.tool != "" {
		says, empty, whole = "call  "+u.tool, `""`, quote(strings.Join(u.pieces, ""))
	}
	b.add(says, "output_item.added", fmt.Sprintf(`"output_index":%d,"item":%s`, i, render("in_progress", empty)))
	for _, t := range u.text {
		b.add("text  "+t, "output_text.delta", at+`,"content_index":0,"delta":`+quote(t))
	}
	for _, p := range u.pieces {
		b.add(strings.Repeat(" ", 6)+p, "function_call_arguments.delta", at+`,"delta":`+quote(p))
	}
	b.items = append(b.items, render("completed", whole))
	b.add("", "output_item.done", fmt.Sprintf(`"output_index":%d,"item":%s`, i, render("completed", whole)))
}

func (responses) reader() reader { return responsesReader{} }

// A responsesReader learns of a call when its item is done, as agents do.
type responsesReader struct{}

func (responsesReader) read(root strictjson.Value) []news {
	item, _ := root.Member("item")
	switch textAt(root, "type") {
	case "response.output_text.delta":
		return []news{{text: textAt(root, "delta")}}
	case "response.output_item.done":
		if textAt(item, "type") == "function_call" {
			return []news{{call: textAt(item, "name") + " " + textAt(item, "arguments")}}
		}
	case "response.completed":
		return []news{{stop: "completed"}}
	}
	return nil
}
