package canary

import (
	"fmt"
	"strings"
)

// anthropic is the Anthropic Messages API.
func anthropic() Wire {
	return Wire{
		Name: "anthropic", Title: "Anthropic Messages",
		paths: [2]string{"/v1/messages", "/v1/messages"}, ends: []string{"/messages"},
		body: func(streamed bool) string {
			return fmt.Sprintf(`{"model":%q,"max_tokens":64,"stream":%t,"messages":[{"role":"user","content":%q}]}`, model, streamed, question)
		},
		turn: anthropicTurn, marks: []string{`"tool_use"`, "input_json_delta"},
	}
}

func anthropicTurn(nonce string, streamed bool) (string, []byte) {
	const usage = `"usage":{"input_tokens":0,"output_tokens":0}`
	head := `"id":"` + wireID("msg", nonce[:8]) + `","type":"message","role":"assistant","model":"` + model + `"`
	use := func(input string) string {
		return fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":%s}`, wireID("toolu", nonce), tool, input)
	}
	if !streamed {
		return jsonBody, fmt.Appendf(nil, `{%s,"content":[{"type":"text","text":%q},%s],"stop_reason":"tool_use","stop_sequence":null,%s}`,
			head, text, use(strings.Join(arguments(nonce), "")), usage)
	}
	var e events
	e.add("message_start", `{"type":"message_start","message":{`+head+`,"content":[],"stop_reason":null,"stop_sequence":null,`+usage+`}}`)
	e.add("content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`)
	e.add("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"`+text+`"}}`)
	e.add("content_block_stop", `{"type":"content_block_stop","index":0}`)
	e.add("content_block_start", `{"type":"content_block_start","index":1,"content_block":`+use("{}")+`}`)
	for _, piece := range arguments(nonce) {
		e.add("content_block_delta", `{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":`+quote(piece)+`}}`)
	}
	e.add("content_block_stop", `{"type":"content_block_stop","index":1}`)
	e.add("message_delta", `{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":0}}`)
	e.add("message_stop", `{"type":"message_stop"}`)
	return eventStream, []byte(e.String())
}
