package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// responsesFormat is the OpenAI Responses API, with what it keeps.
var responsesFormat = format{
	name:   "openai-responses",
	named:  true,
	modes:  []mode{events, whole},
	stream: streamResponse,
	body:   wholeResponse,
	request: func(m mode) string {
		return fmt.Sprintf(`{"model":"gpt","stream":%v,"input":"Go on."}`, m == events)
	},
	endpoints: slices.Concat(
		[]endpoint{
			{path: "/v1/responses", builtIn: "openai"},
			{path: "/v1/responses/", builtIn: "openai"},
			{path: "//v1//responses", builtIn: "openai"},
			{path: "/v1/responses", builtIn: "xai"},
			{path: "/v1/responses", builtIn: "ollama"},
			{path: "/openai/v1/responses", builtIn: "groq", below: "/v1/responses"},
			{path: "/api/v1/responses", builtIn: "openrouter", below: "/v1/responses"},
			{path: "/api/v1/presets/p/responses", builtIn: "openrouter", below: "/v1/presets/p/responses"},
			{path: "/openai/responses?api-version=2025-04-01-preview", builtIn: "openai"},
			{path: "/backend-api/codex/responses", builtIn: "chatgpt", below: "/responses"},
			compaction(endpoint{path: "/backend-api/codex/responses/compact", builtIn: "chatgpt", below: "/responses/compact"}),
			{path: "/an/unknown/path"},
		},
		keptResponses("/v1"), keptResponses("/openai/v1"), keptResponses("/openai"),
		[]endpoint{
			{method: http.MethodGet, path: "/tenants/t/responses/{response}", query: map[mode]string{events: "stream=true"}},
			batchOutput("/v1/files/file-1/content", "openai", "").endpoint(wholeResponse),
		},
	),
}

// keptResponses are the endpoints for what the API keeps, and for what it makes of that.
func keptResponses(prefix string) []endpoint {
	return []endpoint{
		{method: http.MethodGet, path: prefix + "/responses/{response}", builtIn: "openai", query: map[mode]string{events: "stream=true"}},
		{path: prefix + "/responses/{response}/cancel", builtIn: "openai", modes: []mode{whole}},
		listOfItems(http.MethodGet, prefix+"/responses/{response}/input_items"),
		listOfItems(http.MethodGet, prefix+"/conversations/{conversation}/items"),
		listOfItems(http.MethodPost, prefix+"/conversations/{conversation}/items"),
		listOfItems(http.MethodPost, prefix+"/conversations"),
		{
			method: http.MethodGet, path: prefix + "/conversations/{conversation}/items/{item}", builtIn: "openai", modes: []mode{whole},
			callOnly: true, body: func(t turn) string { return responseItems(t)[1] },
			messages: func(answer []byte) ([][]byte, error) { return [][]byte{responseOf("[" + string(answer) + "]")}, nil },
		},
		compaction(endpoint{path: prefix + "/responses/compact", builtIn: "openai"}),
	}
}

// compaction is an endpoint that makes one item of many.
func compaction(e endpoint) endpoint {
	e.modes = []mode{whole}
	e.body = func(t turn) string {
		return `{"id":"resp_` + t.id + `","object":"response.compaction","created_at":1762300000,"output":[` +
			strings.Join(responseItems(t), ",") + `],"usage":{"input_tokens":9,"output_tokens":` + usage + `,"total_tokens":40970}}`
	}
	e.messages = func(answer []byte) ([][]byte, error) {
		output, err := at("output")(answer)
		if err != nil || len(output) != 1 {
			return nil, fmt.Errorf("the answer has no output: %w", err)
		}
		return [][]byte{responseOf(string(output[0]))}, nil
	}
	return e
}

// listOfItems is an endpoint that lists the items of a turn.
func listOfItems(method, path string) endpoint {
	e := endpoint{method: method, path: path, builtIn: "openai", modes: []mode{whole}, messages: itemsListed}
	e.body = func(t turn) string {
		return `{"object":"list","data":[` + strings.Join(responseItems(t), ",") + `],"first_id":"msg_a` + t.id +
			`","last_id":"msg_b` + t.id + `","has_more":false}`
	}
	return e
}

// itemsListed is a list of items as the response that they could be the output of.
func itemsListed(answer []byte) ([][]byte, error) {
	var list struct {
		Object string         `json:"object"`
		Data   jsontext.Value `json:"data"`
	}
	if err := read(answer, &list); err != nil || list.Object != "list" {
		return nil, fmt.Errorf("the answer is no list: %w", err)
	}
	return [][]byte{responseOf(string(list.Data))}, nil
}

func responseOf(output string) []byte { return []byte(`{"object":"response","output":` + output + `}`) }

func response(t turn, status string, items []string) string {
	cost := "null"
	if status == "completed" {
		cost = `{"input_tokens":9,"output_tokens":` + usage + `,"total_tokens":40970}`
	}
	return `{"id":"resp_` + t.id + `","object":"response","created_at":1762300000,"status":"` + status + `","model":"gpt","output":[` +
		strings.Join(items, ",") + `],"usage":` + cost + `}`
}

func wholeResponse(t turn) string { return response(t, "completed", responseItems(t)) }

func textPart(text string) string {
	return `{"type":"output_text","text":` + quote(text) + `,"annotations":[]}`
}

func messageItem(id, status, content string) string {
	return `{"id":"` + id + `","type":"message","status":"` + status + `","role":"assistant","content":[` + content + `]}`
}

func callItem(t turn, status, arguments string) string {
	return `{"id":"fc_` + t.id + `","type":"function_call","status":"` + status + `","call_id":"call_` + t.id + `","name":` + quote(t.tool) +
		`,"arguments":` + quote(arguments) + `}`
}

func responseItems(t turn) []string {
	return []string{
		messageItem("msg_a"+t.id, "completed", textPart(t.textBefore())),
		callItem(t, "completed", t.arguments()),
		messageItem("msg_b"+t.id, "completed", textPart(t.textAfter())),
	}
}

// A numbered list of events.
type responseEvents struct{ list []piece }

func (e *responseEvents) add(typ, format string, args ...any) {
	e.list = append(e.list, piece{
		name: "response." + typ,
		data: fmt.Sprintf(`{"type":"response.%s","sequence_number":%d,`, typ, len(e.list)) + fmt.Sprintf(format, args...) + `}`,
	})
}

func (e *responseEvents) message(index int, id string, pieces []string) {
	text := strings.Join(pieces, "")
	at := fmt.Sprintf(`"item_id":"%s","output_index":%d,"content_index":0`, id, index)
	e.add("output_item.added", `"output_index":%d,"item":%s`, index, messageItem(id, "in_progress", ""))
	e.add("content_part.added", `%s,"part":%s`, at, textPart(""))
	for _, p := range pieces {
		e.add("output_text.delta", `%s,"delta":%s`, at, quote(p))
	}
	e.add("output_text.done", `%s,"text":%s`, at, quote(text))
	e.add("content_part.done", `%s,"part":%s`, at, textPart(text))
	e.add("output_item.done", `"output_index":%d,"item":%s`, index, messageItem(id, "completed", textPart(text)))
}

func (e *responseEvents) call(index int, t turn) {
	at := fmt.Sprintf(`"item_id":"fc_%s","output_index":%d`, t.id, index)
	e.add("output_item.added", `"output_index":%d,"item":%s`, index, callItem(t, "in_progress", ""))
	for _, p := range t.args {
		e.add("function_call_arguments.delta", `%s,"delta":%s`, at, quote(p))
	}
	e.add("function_call_arguments.done", `%s,"arguments":%s`, at, quote(t.arguments()))
	e.add("output_item.done", `"output_index":%d,"item":%s`, index, callItem(t, "completed", t.arguments()))
}

func streamResponse(t turn) []piece {
	var e responseEvents
	e.add("created", `"response":%s`, response(t, "in_progress", nil))
	e.message(0, "msg_a"+t.id, t.before)
	e.call(1, t)
	e.message(2, "msg_b"+t.id, t.after)
	e.add("completed", `"response":%s`, response(t, "completed", responseItems(t)))
	return e.list
}
