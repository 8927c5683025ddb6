package bundle_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/bundle"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/formats"
)

// format is the one under test, around all others.
func format() dialect.Format {
	return bundle.Format(formats.All()...)
}

// pass puts lines, or a body, through the gate.
func pass(in string, whole bool, p dialecttest.Policy) dialecttest.Result {
	return dialecttest.Pass(dialecttest.Passage{
		Format: format(), Whole: whole, Framing: frame.Rows, In: strings.NewReader(in), Judge: &dialecttest.Judge{Policy: p},
	})
}

// refuse is a policy that refuses some tools by their names, and "*" all of them.
func refuse(tools ...string) dialecttest.Policy {
	return dialecttest.Policy{Name: "refuse " + strings.Join(tools, ","), ByName: func(c call.Call) bool {
		for _, t := range tools {
			if t == "*" || t == c.Tool {
				return true
			}
		}
		return false
	}}
}

// judged are the calls that the judge was asked about, in order, with the responses that they are of.
func judged(r dialecttest.Result) []string {
	var list []string
	for _, e := range r.Events {
		if e.Kind != "ended" {
			list = append(list, fmt.Sprintf("%s %s %s", e.Call.Exchange.ResponseID, e.Call.Tool, e.Call.Args))
		}
	}
	return list
}

// notice is what stands in place of a refused call.
func notice(tool string) string {
	return call.Ruling{Code: call.CodeToolDenied, Reason: "The test says so.", Rule: "test-rule"}.Notice(tool)
}

func quote(s string) string { return dialect.Quote(s) }

// Responses of the formats, each with one call, or with text.

func message(id, tool string) string {
	return `{"id":"` + id + `","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"hi"}, {"type":"tool_use","id":"toolu_` + id + `","name":"` +
		tool + `","input":{"p":"secret"}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":5}}`
}

func messageRefused(id, tool string) string {
	return `{"id":"` + id + `","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"hi"}, {"type":"text","text":` + quote(notice(tool)) +
		`}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":5}}`
}

func toolCall(id, tool string) string {
	return `{"id":"call_` + id + `","type":"function","function":{"name":"` + tool + `","arguments":"{\"p\":\"secret\"}"}}`
}

func completionOf(id, message, finish string) string {
	return `{"id":"` + id + `","object":"chat.completion","created":7,"model":"m","choices":[{"index":0,"message":` + message +
		`,"logprobs":null,"finish_reason":"` + finish + `"}],"usage":{"prompt_tokens":3,"completion_tokens":5,"total_tokens":8}}`
}

func completion(id, tool string) string {
	return completionOf(id, `{"role":"assistant","content":null,"tool_calls":[`+toolCall(id, tool)+`]}`, "tool_calls")
}

func completionRefused(id, tool string) string {
	return completionOf(id, `{"role":"assistant","content":`+quote(notice(tool))+`}`, "stop")
}

func said(id string) string {
	return completionOf(id, `{"role":"assistant","content":"hello"}`, "stop")
}

func stored(id, tool string) string {
	return `{"id":"` + id + `","object":"response","created_at":7,"model":"m","status":"completed","output":[{"id":"fc_` + id + `","type":"function_call","status":"completed","call_id":"call_` + id +
		`","name":"` + tool + `","arguments":"{\"p\":\"secret\"}"}],"tools":[{"type":"function","name":"` + tool + `"}],"usage":{"input_tokens":3,"output_tokens":5}}`
}

func content(id, tool string) string {
	return `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"` + tool + `","args":{"p":"secret"}}}],"role":"model"},"finishReason":"STOP","index":0}],` +
		`"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":5},"modelVersion":"m","responseId":"` + id + `"}`
}

func contentRefused(id, tool string) string {
	return `{"candidates":[{"content":{"parts":[{"text":` + quote(notice(tool)) + `}],"role":"model"},"finishReason":"STOP","index":0}],` +
		`"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":5},"modelVersion":"m","responseId":"` + id + `"}`
}

// Rows of batches.

func result(id, message string) string {
	return `{"custom_id":"` + id + `","result":{"type":"succeeded","message":` + message + `}}`
}

func output(id, body string) string {
	return `{"id": "batch_req_` + id + `", "custom_id": "` + id + `", "response": {"status_code": 200, "request_id": "r", "body": ` + body + `}, "error": null}`
}

func keyed(id, response string) string { return `{"key":"` + id + `","response":` + response + `}` }

// echo is a request that tells of tools and of a call in the past.
const echo = `{"contents":[{"role":"model","parts":[{"functionCall":{"name":"old","args":{}}}]}],"tools":[{"functionDeclarations":[{"name":"rm"}]}]}`

func vertex(response string) string {
	return `{"status":"","processed_time":"2026-01-01T00:00:00Z","request":` + echo + `,"response":` + response + `}`
}

// Bodies.

func operationOf(responses ...string) string {
	return `{"name":"batches/b","metadata":{"@type":"x","model":"models/m","state":"BATCH_STATE_SUCCEEDED"},"done":true,"response":{"@type":"y",` + inlined(responses...) + `}}`
}

func inlined(responses ...string) string {
	var entries []string
	for i, r := range responses {
		entries = append(entries, fmt.Sprintf(`{"response":%s,"metadata":{"key":"k%d"}}`, r, i))
	}
	return `"inlinedResponses":{"inlinedResponses":[` + strings.Join(append(entries, `{"error":{"code":3,"message":"no"}}`), ",\n ") + `]}`
}

func jobOf(rows ...string) string {
	return `{"id":"j","object":"batch","status":"SUCCESS","errors":[],"outputs":[` + strings.Join(rows, ",") + `]}`
}

func pageOf(completions ...string) string {
	var results []string
	for i, c := range completions {
		results = append(results, fmt.Sprintf(`{"batch_request_id":"%d","batch_result":{"response":{"chat_get_completion":%s}}}`, i, c))
	}
	return `{"results":[` + strings.Join(append(results, `{"batch_request_id":"e","batch_result":{"error":{"message":"no"}}}`), ",") + `],"pagination_token":"t"}`
}

func listOf(elems ...string) string {
	return `{"object":"list","data":[` + strings.Join(elems, ", ") + `],"first_id":"a","last_id":"b","has_more":false}`
}

func storedMessage(id, tool string) string {
	return `{"id":"` + id + `","role":"assistant","content":null,"tool_calls":[` + toolCall(id, tool) + `],"name":null}`
}

// lines joins rows.
func lines(rows ...string) string { return strings.Join(rows, "\n") + "\n" }

func frameOf(data string) frame.Frame {
	return frame.Frame{Raw: []byte(data), Data: bytes.TrimSpace([]byte(data)), Plain: true}
}
