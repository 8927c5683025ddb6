package canary

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
)

// gemini is the Gemini generateContent API. Its calls come whole.
func gemini() Wire {
	return Wire{
		Name: "gemini", Title: "Gemini",
		paths: [2]string{"/v1beta/models/" + model + ":generateContent", "/v1beta/models/" + model + ":streamGenerateContent?alt=sse"},
		ends:  []string{":generateContent"}, streamEnds: []string{":streamGenerateContent"},
		body: func(bool) string {
			return fmt.Sprintf(`{"contents":[{"role":"user","parts":[{"text":%q}]}]}`, question)
		},
		turn: geminiTurn, marks: []string{"functionCall"},
	}
}

func geminiTurn(nonce string, streamed bool) (string, []byte) {
	content := func(parts string) string { return `"content":{"role":"model","parts":[` + parts + `]}` }
	body := func(candidate string) string {
		return `{"candidates":[{` + candidate + `,"index":0}],"usageMetadata":{"promptTokenCount":0,"candidatesTokenCount":0,"totalTokenCount":0},"modelVersion":"` + model + `"}`
	}
	said := `{"text":"` + text + `"}`
	call := fmt.Sprintf(`{"functionCall":{"id":%q,"name":%q,"args":%s}}`, wireID("call", nonce), tool, strings.Join(arguments(nonce), ""))
	if !streamed {
		return jsonBody, []byte(body(content(said+","+call) + `,"finishReason":"STOP"`))
	}
	var e events
	e.add("", body(content(said)))
	e.add("", body(content(call)+`,"finishReason":"STOP"`))
	return eventStream, []byte(e.String())
}

// ollama is Ollama's own API: lines of JSON. Its calls come whole.
func ollama() Wire {
	return Wire{
		Name: "ollama", Title: "Ollama",
		paths: [2]string{"/api/chat", "/api/chat"}, ends: []string{"/api/chat"}, byDefault: true,
		body: func(streamed bool) string {
			return fmt.Sprintf(`{"model":%q,"stream":%t,"messages":[{"role":"user","content":%q}]}`, model, streamed, question)
		},
		turn: ollamaTurn, marks: []string{`"tool_calls"`},
	}
}

func ollamaTurn(nonce string, streamed bool) (string, []byte) {
	const ended = `true,"done_reason":"stop","prompt_eval_count":0,"eval_count":0`
	row := func(message, done string) string {
		return `{"model":"` + model + `","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant",` + message + `},"done":` + done + `}`
	}
	calls := fmt.Sprintf(`"tool_calls":[{"function":{"name":%q,"arguments":%s}}]`, tool, strings.Join(arguments(nonce), ""))
	if !streamed {
		return jsonBody, []byte(row(`"content":"`+text+`",`+calls, ended))
	}
	rows := []string{row(`"content":"`+text+`"`, "false"), row(`"content":"",`+calls, "false"), row(`"content":""`, ended)}
	return "application/x-ndjson", []byte(strings.Join(rows, "\n") + "\n")
}

// bedrock is the Converse API of Amazon Bedrock: binary messages with checksums.
func bedrock() Wire {
	return Wire{
		Name: "bedrock", Title: "Amazon Bedrock Converse",
		paths: [2]string{"/model/" + model + "/converse", "/model/" + model + "/converse-stream"},
		ends:  []string{"/converse"}, streamEnds: []string{"/converse-stream"},
		body: func(bool) string {
			return fmt.Sprintf(`{"messages":[{"role":"user","content":[{"text":%q}]}]}`, question)
		},
		turn: bedrockTurn, marks: []string{"toolUse"},
	}
}

func bedrockTurn(nonce string, streamed bool) (string, []byte) {
	const usage = `"usage":{"inputTokens":0,"outputTokens":0,"totalTokens":0},"metrics":{"latencyMs":0}`
	named := fmt.Sprintf(`"toolUseId":%q,"name":%q`, wireID("tooluse", nonce), tool)
	if !streamed {
		return jsonBody, fmt.Appendf(nil, `{"output":{"message":{"role":"assistant","content":[{"text":%q},{"toolUse":{%s,"input":%s}}]}},"stopReason":"tool_use",%s}`,
			text, named, strings.Join(arguments(nonce), ""), usage)
	}
	packing := frame.NewMessages(strings.NewReader(""), frame.Binary, 0)
	defer packing.Release()
	var out []byte
	add := func(typ, data string) {
		out = packing.Append(out, frame.Frame{Type: []byte(typ), Data: []byte(data)})
	}
	add("messageStart", `{"role":"assistant"}`)
	add("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"text":"`+text+`"}}`)
	add("contentBlockStop", `{"contentBlockIndex":0}`)
	add("contentBlockStart", `{"contentBlockIndex":1,"start":{"toolUse":{`+named+`}}}`)
	for _, piece := range arguments(nonce) {
		add("contentBlockDelta", `{"contentBlockIndex":1,"delta":{"toolUse":{"input":`+quote(piece)+`}}}`)
	}
	add("contentBlockStop", `{"contentBlockIndex":1}`)
	add("messageStop", `{"stopReason":"tool_use"}`)
	add("metadata", `{`+usage+`}`)
	return "application/vnd.amazon.eventstream", out
}
