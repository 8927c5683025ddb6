package differential

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect"
)

// item is a call as an item of the Responses API.
func (g *generator) item(c asked, args, status, beside string) string {
	return fmt.Sprintf(`{"id":"fc_%s","type":"function_call","status":%q,"arguments":%s,"call_id":%q,"name":%q%s}`, c.id, status, args, c.id, c.name, beside)
}

func (g *generator) responseOf(status, output string) string {
	return `{"id":"resp_1","object":"response","created_at":1,"status":"` + status + `","error":null,"incomplete_details":null,"instructions":null,"metadata":{},` +
		`"model":"m","output":[` + output + `],"parallel_tool_calls":true,"temperature":1,"tool_choice":"auto","tools":[],"top_p":1,` +
		`"usage":{"input_tokens":5,"input_tokens_details":{"cached_tokens":0},"output_tokens":7,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":12}}`
}

func (g *generator) responses() []frame {
	var f []frame
	add := func(name, format string, args ...any) {
		f = append(f, frame{name, fmt.Sprintf(`{"type":%q,"sequence_number":%d,`, name, len(f)) + fmt.Sprintf(format, args...) + `}`})
	}
	add("response.created", `"response":%s`, g.responseOf("in_progress", ""))
	var items []string
	for i, c := range g.calls() {
		add("response.output_item.added", `"output_index":%d,"item":%s%s`, i, g.item(c, `""`, "in_progress", g.hidden()), g.hidden())
		for _, piece := range g.pieces(c.args) {
			add("response.function_call_arguments.delta", `"item_id":"fc_%s","output_index":%d,"delta":%s%s`, c.id, i, piece, g.hidden())
			if g.IntN(8) == 0 {
				f = append(f, frame{"response.preview", strings.Replace(g.preview(c, 0), `"index":0,`, fmt.Sprintf(`"output_index":%d,`, i), 1)})
			}
		}
		add("response.function_call_arguments.done", `"item_id":"fc_%s","output_index":%d,"name":%q,"arguments":%s`, c.id, i, c.name, dialect.Quote(c.args))
		items = append(items, g.item(c, dialect.Quote(c.args), "completed", g.hidden()))
		add("response.output_item.done", `"output_index":%d,"item":%s`, i, items[i])
	}
	add("response.completed", `"response":%s`, g.responseOf("completed", strings.Join(items, ",")))
	return f
}

func (g *generator) response() string {
	var items []string
	for _, c := range g.calls() {
		items = append(items, g.item(c, dialect.Quote(c.args), "completed", g.hidden()))
	}
	return g.responseOf("completed", strings.Join(items, ","))
}

func (g *generator) contentOf(parts, finish string) string {
	return `{"candidates":[{"content":{"parts":[` + parts + `],"role":"model"}` + finish + `,"index":0}],"usageMetadata":{"promptTokenCount":5,` +
		`"candidatesTokenCount":7,"totalTokenCount":12},"modelVersion":"m","responseId":"r1"}`
}

func (g *generator) functionCall(c asked) string {
	return fmt.Sprintf(`{"functionCall":{"id":%q,"name":%q,"args":%s%s}%s}`, c.id, c.name, c.args, g.hidden(), g.pick("", `,"thoughtSignature":"c2ln"`))
}

func (g *generator) gemini() []frame {
	f := []frame{{"", g.contentOf(`{"text":"I look."}`, "")}}
	for _, c := range g.calls() {
		f = append(f, frame{"", g.contentOf(g.functionCall(c), "")})
		if g.IntN(6) == 0 {
			f = append(f, frame{"", g.preview(c, 0)})
		}
	}
	return append(f, frame{"", g.contentOf(`{"text":""}`, `,"finishReason":"STOP"`)})
}

func (g *generator) content() string {
	var parts []string
	for _, c := range g.calls() {
		parts = append(parts, g.functionCall(c))
	}
	return g.contentOf(strings.Join(parts, ","), `,"finishReason":"STOP"`)
}

const converseEnd = `"usage":{"inputTokens":5,"outputTokens":7,"totalTokens":12},"metrics":{"latencyMs":5}`

func (g *generator) converse() []frame {
	f := []frame{{"messageStart", `{"role":"assistant"}`}}
	add := func(name, format string, args ...any) { f = append(f, frame{name, fmt.Sprintf(format, args...)}) }
	add("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"text":"I look."},"p":"abc"}`)
	add("contentBlockStop", `{"contentBlockIndex":0}`)
	for i, c := range g.calls() {
		add("contentBlockStart", `{"contentBlockIndex":%d,"start":{"toolUse":{"toolUseId":%q,"name":%q%s}}}`, i+1, c.id, c.name, g.hidden())
		for _, piece := range g.pieces(c.args) {
			add("contentBlockDelta", `{"contentBlockIndex":%d,"delta":{"toolUse":{"input":%s%s}}}`, i+1, piece, g.hidden())
			if g.IntN(8) == 0 {
				add("preview", "%s", strings.Replace(g.preview(c, i+1), `"index"`, `"contentBlockIndex"`, 1))
			}
		}
		add("contentBlockStop", `{"contentBlockIndex":%d}`, i+1)
	}
	add("messageStop", `{"stopReason":"tool_use"}`)
	add("metadata", "{%s}", converseEnd)
	return f
}

func (g *generator) conversed() string {
	var blocks []string
	for _, c := range g.calls() {
		blocks = append(blocks, fmt.Sprintf(`{"toolUse":{"toolUseId":%q,"name":%q,"input":%s%s}}`, c.id, c.name, c.args, g.hidden()))
	}
	return `{"output":{"message":{"role":"assistant","content":[` + strings.Join(blocks, ",") + `]}},"stopReason":"tool_use",` + converseEnd + `}`
}

func (g *generator) lineOf(more, end string) string {
	return `{"model":"m","created_at":"2026-01-02T03:04:00Z","message":{"role":"assistant","content":""` + more + `}` + end + `}`
}

const (
	lineGoesOn = `,"done":false`
	lineEnds   = `,"done":true,"done_reason":"stop","total_duration":9,"prompt_eval_count":5,"eval_count":7`
)

func (g *generator) toolCall(c asked) string {
	return fmt.Sprintf(`{"id":%q,"function":{"index":0,"name":%q,"arguments":%s%s}%s}`, c.id, c.name, c.args, g.hidden(), g.hidden())
}

func (g *generator) ollama() []frame {
	var f []frame
	for _, c := range g.calls() {
		f = append(f, frame{"", g.lineOf(`,"tool_calls":[`+g.toolCall(c)+`]`, lineGoesOn)})
		if g.IntN(6) == 0 {
			f = append(f, frame{"", g.preview(c, 0)})
		}
	}
	return append(f, frame{"", g.lineOf("", lineEnds)})
}

func (g *generator) line() string {
	var calls []string
	for _, c := range g.calls() {
		calls = append(calls, g.toolCall(c))
	}
	return g.lineOf(`,"tool_calls":[`+strings.Join(calls, ",")+`]`, lineEnds)
}
