package fold

import (
	"bytes"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// chunks writes a stream of chunks that each speak of one choice, and its end.
func chunks(choices ...string) []byte {
	var b strings.Builder
	for _, c := range choices {
		b.WriteString(`data: {"id":"c1","object":"chat.completion.chunk","created":7,"model":"m","choices":[` + c + `],"usage":null}` + "\n\n")
	}
	b.WriteString("data: [DONE]\n\n")
	return []byte(b.String())
}

const (
	role       = `{"index":0,"delta":{"role":"assistant","content":null},"logprobs":null,"finish_reason":null}`
	says       = `{"index":0,"delta":{"content":"x"}}`
	opensCall  = `{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"ls","arguments":""}}]}}`
	arguments  = `{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}}`
	calls      = `{"index":0,"delta":{},"finish_reason":"tool_calls"}`
	stops      = `{"index":0,"delta":{},"finish_reason":"stop"}`
	otherRole  = `{"index":1,"delta":{"role":"assistant","content":"y"}}`
	otherStops = `{"index":1,"delta":{},"finish_reason":"stop"}`
)

func TestFoldChat(t *testing.T) {
	for name, c := range map[string]struct {
		sse  []byte
		want string
	}{
		"text in halves": {
			chunks(role, `{"index":0,"delta":{"content":"a\ud83d"}}`, `{"index":0,"delta":{"content":"\ude00","reasoning":"r"}}`, "", stops),
			`{"id":"c1","object":"chat.completion","created":7,"model":"m","choices":[{"index":0,"message":{"role":"assistant",
			"content":"a😀","reasoning":"r","refusal":null},"logprobs":null,"finish_reason":"stop"}]}`,
		},
		"calls in pieces": {
			chunks(role, opensCall, `{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":"}},`+
				`{"index":1,"id":"call_2","type":"custom","custom":{"name":"sql","input":"select "}}]}}`,
				`{"index":0,"delta":{"tool_calls":[{"index":1,"custom":{"input":"1"}},{"index":0,"function":{"arguments":"1}"}},{"index":0,"extra":{"s":1}}]}}`, calls),
			`{"id":"c1","created":7,"model":"m","choices":[{"index":0,"message":{"role":"assistant","tool_calls":[
			{"id":"call_1","type":"function","function":{"name":"ls","arguments":"{\"a\":1}"},"extra":{"s":1}},
			{"id":"call_2","type":"custom","custom":{"name":"sql","input":"select 1"}}]},"finish_reason":"tool_calls"}]}`,
		},
		"legacy, and a second choice": {
			chunks(otherRole, role, `{"index":0,"delta":{"function_call":{"name":"ls","arguments":"{"}}}`,
				`{"index":0,"delta":{"function_call":{"arguments":"}"}}}`, otherStops, `{"index":0,"delta":{},"finish_reason":"function_call"}`),
			`{"id":"c1","created":7,"model":"m","choices":[
			{"index":0,"message":{"role":"assistant","function_call":{"name":"ls","arguments":"{}"}},"finish_reason":"function_call"},
			{"index":1,"message":{"role":"assistant","content":"y"},"finish_reason":"stop"}]}`,
		},
		"content in parts": {
			chunks(role, `{"index":0,"delta":{"content":[{"type":"thinking"}]}}`, says, stops),
			`{"id":"c1","created":7,"model":"m","choices":[{"index":0,"message":{"role":"assistant",
			"content":[{"type":"thinking"},{"type":"text","text":"x"}]},"finish_reason":"stop"}]}`,
		},
		"no calls": {
			chunks(role, `{"index":0,"delta":{"content":"x","tool_calls":[],"function_call":null}}`, stops),
			`{"id":"c1","created":7,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}]}`,
		},
		"a whole message": {
			chunks(`{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}`),
			`{"id":"c1","created":7,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}]}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Fold(c.sse, Events)
			expect.OK(t, err)
			want, err := Fold([]byte(c.want), Whole)
			expect.OK(t, err)
			if diff := Difference(got.JSON, want.JSON); diff != "" {
				t.Errorf("folded completion (-got +want):\n%s", diff)
			}
		})
	}
}

func TestFoldChatFailsWhereClientsStumble(t *testing.T) {
	tool := func(entry string) string { return `{"index":0,"delta":{"tool_calls":[` + entry + `]}}` }
	for name, sse := range map[string][]byte{
		"no choice":            chunks(),
		"no finish":            chunks(role, says),
		"choice without index": chunks(role, `{"delta":{"content":"x"}}`, stops),
		"text after finish":    chunks(role, stops, says),
		"call after finish":    chunks(role, calls, opensCall),
		"frame after the end":  append(chunks(role, stops), chunks(says)...),
		"no end":               bytes.TrimSuffix(chunks(role, stops), []byte("data: [DONE]\n\n")),
		"named event":          append([]byte("event: x\n"), chunks(role, stops)...),
		"call without index":   chunks(role, tool(`{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}`), calls),
		"call after a gap":     chunks(role, tool(`{"index":1,"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}`), calls),
		"call without id":      chunks(role, tool(`{"index":0,"type":"function","function":{"name":"f","arguments":"{}"}}`), calls),
		"call without type":    chunks(role, tool(`{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}`), calls),
		"call without name":    chunks(role, tool(`{"index":0,"id":"c","type":"function","function":{"arguments":"{}"}}`), calls),
		"id again":             chunks(role, opensCall, tool(`{"index":0,"id":"call_1","function":{"arguments":"{}"}}`), calls),
		"name again":           chunks(role, opensCall, tool(`{"index":0,"function":{"name":"ls","arguments":"{}"}}`), calls),
		"arguments no text":    chunks(role, opensCall, tool(`{"index":0,"function":{"arguments":{}}}`), calls),
		"legacy without name":  chunks(role, `{"index":0,"delta":{"function_call":{"arguments":"{}"}}}`, calls),
		"no JSON":              []byte("data: " + `{"choices":[]}` + "\n\ndata: {\n\n"),
	} {
		if got, err := foldFrames(sse, Events); err == nil {
			t.Errorf("%s: folded to %s", name, got.JSON)
		}
	}
}

func TestErrorsAreNoMessages(t *testing.T) {
	failure := `{"error":{"message":"m","type":"server_error","param":null,"code":null}}`
	for body, f := range map[string]Kind{
		failure: Whole,
		strings.Replace(string(chunks(role)), "data: [DONE]", "data: "+failure, 1):                           Events,
		"event: error\ndata: {\"type\":\"error\",\"error\":{}}\n\n":                                          Whole,
		string(frames(start, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`)): Events,
	} {
		if m, err := Fold([]byte(body), f); m != nil || err != nil {
			t.Errorf("%s: %v, %v", body, m, err)
		}
	}
}

func TestAcceptableCompletion(t *testing.T) {
	choice := func(message, finish string) string {
		return `{"choices":[{"message":{"role":"assistant",` + message + `},"finish_reason":"` + finish + `"}]}`
	}
	tool := func(entry string) string { return choice(`"tool_calls":[`+entry+`]`, "tool_calls") }
	for message, fine := range map[string]bool{
		choice(`"content":"x"`, "stop"):                                                            true,
		choice(`"refusal":"x"`, "stop"):                                                            true,
		tool(`{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}`):              true,
		tool(`{"id":"c","type":"custom","custom":{"name":"f","input":"x"}}`):                       true,
		choice(`"function_call":{"name":"f","arguments":"{}"}`, "function_call"):                   true,
		`{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}`:                         false,
		choice(`"content":null`, "stop"):                                                           false,
		choice(`"content":"x"`, ""):                                                                false,
		choice(`"content":"x"`, "tool_calls"):                                                      false,
		choice(`"content":"x"`, "function_call"):                                                   false,
		choice(`"content":"x","tool_calls":[]`, "stop"):                                            false,
		tool(`{"id":"","type":"function","function":{"name":"f","arguments":"{}"}}`):               false,
		tool(`{"id":"c","type":"function","function":{"name":"","arguments":"{}"}}`):               false,
		tool(`{"id":"c","type":"function","function":{"name":"f","arguments":""}}`):                false,
		tool(`{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\":1,\"a\"}"}}`): false,
		tool(`{"id":"c","type":"custom","custom":{"input":"x"}}`):                                  false,
	} {
		if err := caught(func() { acceptableCompletion([]byte(message)) }); (err == nil) != fine {
			t.Errorf("%s: %v", message, err)
		}
	}
}
