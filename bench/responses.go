package main

import (
	"fmt"
	"strings"
)

// responses is the OpenAI Responses API.
type responses struct{}

func (responses) path() string { return "/v1/responses" }

func (responses) lifecycle(typ, status, output string) []byte {
	return event("response."+typ, `,"sequence_number":0,"response":{"id":"resp_bench","object":"response","created_at":1762300000,"status":%q,`+
		`"model":"scripted","store":true,"output":[%s],"usage":{"input_tokens":9,"output_tokens":7,"total_tokens":16}}`, status, output)
}

func (r responses) opening() [][]byte {
	return [][]byte{
		r.lifecycle("created", "in_progress", ""),
		event("response.output_item.added", `,"sequence_number":1,"output_index":0,"item":{"id":"msg_bench","type":"message","status":"in_progress","role":"assistant","content":[]}`),
	}
}

func (responses) text(words string) []byte {
	return event("response.output_text.delta", `,"sequence_number":2,"item_id":"msg_bench","output_index":0,"content_index":0,"delta":%q,"logprobs":[],"obfuscation":"q8Zr"`, words)
}

func (r responses) ending(call bool) [][]byte {
	item := `{"id":"msg_bench","type":"message","status":"completed","role":"assistant","content":[]}`
	if call {
		return [][]byte{r.lifecycle("completed", "completed", "")}
	}
	return [][]byte{
		event("response.output_item.done", `,"sequence_number":3,"output_index":0,"item":%s`, item),
		r.lifecycle("completed", "completed", item),
	}
}

func (r responses) call(id string) (first [][]byte, last []byte) {
	item := func(status, arguments string) string {
		return fmt.Sprintf(`,"output_index":0,"item":{"id":"fc_%s","type":"function_call","status":%q,"arguments":%q,"call_id":"call_%s","name":"Bash"}`, id, status, arguments, id)
	}
	piece := func(text string) []byte {
		return event("response.function_call_arguments.delta", `,"sequence_number":2,"item_id":"fc_%s","output_index":0,"delta":%q`, id, text)
	}
	first = [][]byte{
		r.lifecycle("created", "in_progress", ""), event("response.output_item.added", "%s", item("in_progress", "")),
		piece(argumentPieces[0]), piece(argumentPieces[1]),
	}
	return first, append(piece(argumentPieces[2]), event("response.output_item.done", "%s", item("completed", strings.Join(argumentPieces, "")))...)
}

func (responses) released() string { return "event: response.output_item.done\n" }
