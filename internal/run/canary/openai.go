package canary

import (
	"fmt"
	"strings"
)

// chat is the OpenAI Chat Completions API.
func chat() Wire {
	return Wire{
		Name: "openai-chat", Title: "OpenAI Chat Completions",
		paths: [2]string{"/v1/chat/completions", "/v1/chat/completions"}, ends: []string{"/chat/completions"},
		body: func(streamed bool) string {
			return fmt.Sprintf(`{"model":%q,"stream":%t,"messages":[{"role":"user","content":%q}]}`, model, streamed, question)
		},
		turn: chatTurn, marks: []string{`"tool_calls"`},
	}
}

func chatTurn(nonce string, streamed bool) (string, []byte) {
	head := `"id":"` + wireID("chatcmpl", nonce[:8]) + `","created":0,"model":"` + model + `"`
	call := func(index, arguments string) string {
		return fmt.Sprintf(`{%s"id":%q,"type":"function","function":{"name":%q,"arguments":%s}}`, index, wireID("call", nonce), tool, quote(arguments))
	}
	if !streamed {
		return jsonBody, fmt.Appendf(nil, `{%s,"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":%q,"tool_calls":[%s]},`+
			`"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}}`, head, text, call("", strings.Join(arguments(nonce), "")))
	}
	var e events
	add := func(delta, finish string) {
		e.add("", `{`+head+`,"object":"chat.completion.chunk","choices":[{"index":0,"delta":`+delta+`,"finish_reason":`+finish+`}]}`)
	}
	add(`{"role":"assistant","content":"`+text+`"}`, "null")
	add(`{"tool_calls":[`+call(`"index":0,`, "")+`]}`, "null")
	for _, piece := range arguments(nonce) {
		add(`{"tool_calls":[{"index":0,"function":{"arguments":`+quote(piece)+`}}]}`, "null")
	}
	add(`{}`, `"tool_calls"`)
	e.add("", "[DONE]")
	return eventStream, []byte(e.String())
}

// responses is the OpenAI Responses API.
func responses() Wire {
	return Wire{
		Name: "openai-responses", Title: "OpenAI Responses",
		paths: [2]string{"/v1/responses", "/v1/responses"}, ends: []string{"/responses"},
		body: func(streamed bool) string {
			return fmt.Sprintf(`{"model":%q,"stream":%t,"store":false,"input":%q}`, model, streamed, question)
		},
		turn: responsesTurn, marks: []string{`"function_call"`, "function_call_arguments"},
	}
}

func responsesTurn(nonce string, streamed bool) (string, []byte) {
	const said = "item_canary_text"
	item := wireID("fc", nonce[:8])
	message := func(status, content string) string {
		return fmt.Sprintf(`{"id":%q,"type":"message","status":%q,"role":"assistant","content":[%s]}`, said, status, content)
	}
	call := func(status, arguments string) string {
		return fmt.Sprintf(`{"id":%q,"type":"function_call","status":%q,"call_id":%q,"name":%q,"arguments":%s}`, item, status, wireID("call", nonce), tool, quote(arguments))
	}
	part := `{"type":"output_text","annotations":[],"text":"` + text + `"}`
	output := []string{message("completed", part), call("completed", strings.Join(arguments(nonce), ""))}
	response := func(status, output string) string {
		return fmt.Sprintf(`{"id":%q,"object":"response","created_at":0,"status":%q,"model":%q,"store":false,"output":[%s],`+
			`"usage":{"input_tokens":0,"output_tokens":0,"total_tokens":0}}`, wireID("resp", nonce[:8]), status, model, output)
	}
	if !streamed {
		return jsonBody, []byte(response("completed", strings.Join(output, ",")))
	}
	var e events
	number := 0
	add := func(typ, rest string) {
		e.add("response."+typ, fmt.Sprintf(`{"type":"response.%s","sequence_number":%d,%s}`, typ, number, rest))
		number++
	}
	add("created", `"response":`+response("in_progress", ""))
	add("output_item.added", `"output_index":0,"item":`+message("in_progress", ""))
	add("content_part.added", `"item_id":"`+said+`","output_index":0,"content_index":0,"part":{"type":"output_text","annotations":[],"text":""}`)
	add("output_text.delta", `"item_id":"`+said+`","output_index":0,"content_index":0,"delta":"`+text+`"`)
	add("output_text.done", `"item_id":"`+said+`","output_index":0,"content_index":0,"text":"`+text+`"`)
	add("content_part.done", `"item_id":"`+said+`","output_index":0,"content_index":0,"part":`+part)
	add("output_item.done", `"output_index":0,"item":`+output[0])
	add("output_item.added", `"output_index":1,"item":`+call("in_progress", ""))
	for _, piece := range arguments(nonce) {
		add("function_call_arguments.delta", `"item_id":"`+item+`","output_index":1,"delta":`+quote(piece))
	}
	add("function_call_arguments.done", `"item_id":"`+item+`","output_index":1,"arguments":`+quote(strings.Join(arguments(nonce), "")))
	add("output_item.done", `"output_index":1,"item":`+output[1])
	add("completed", `"response":`+response("completed", strings.Join(output, ",")))
	return eventStream, []byte(e.String())
}
