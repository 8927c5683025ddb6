package clients

import (
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// A stream of each format that says hi. What is wrong with one, package fold shows.
var hi = map[string]struct {
	streams Streams
	events  []string
	next    string // begins another stream; "": the first event does
	odd     string // does not follow on all but the last event
}{
	"messages": {MessagesStreams, []string{
		`{"type":"message_start","message":{"id":"1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"}}`, `{"type":"content_block_stop","index":0}`,
		`{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":1}}`, `{"type":"message_stop"}`,
	}, "", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"}}`},
	"converse": {ConverseStreams, []string{
		`{"messageStart":{"role":"assistant"}}`, `{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"hi"}}}`,
		`{"contentBlockStop":{"contentBlockIndex":0}}`, `{"messageStop":{"stopReason":"end_turn"}}`,
		`{"metadata":{"usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2},"metrics":{"latencyMs":1}}}`,
	}, "", `{"odd":{}}`},
	"chat": {ChatStreams, []string{
		`{"id":"1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"hi"},"finish_reason":null}]}`,
		`{"id":"1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
	}, `{"id":"2","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"hi"},"finish_reason":null}]}`, `{"id":"1","choices":[{"delta":{"content":"hi"}}]}`},
	"gemini": {GeminiStreams, []string{
		`{"responseId":"1","candidates":[{"content":{"role":"model","parts":[{"text":"h"}]}}]}`,
		`{"responseId":"1","candidates":[{"content":{"role":"model","parts":[{"text":"i"}]},"finishReason":"STOP"}]}`,
	}, `{"responseId":"2","candidates":[{"content":{"role":"model","parts":[{"text":"h"}]}}]}`, `{"responseId":"1","candidates":[{"content":{"role":"model","parts":[]}}]}`},
	"ollama": {OllamaStreams, []string{
		`{"model":"m","created_at":"2026-01-31T08:00:00Z","message":{"role":"assistant","content":"hi"},"done":false}`, `{"model":"m","created_at":"2026-01-31T08:00:00Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}`,
	}, "", `{"done":false}`},
	"responses": {ResponsesStreams, []string{
		`{"type":"response.created","sequence_number":0,"response":{"id":"1","status":"in_progress","output":[]}}`,
		`{"type":"response.completed","sequence_number":1,"response":{"id":"1","status":"completed","output":[]}}`,
	}, "", `{"type":"response.in_progress","sequence_number":0,"response":{"id":"1","status":"in_progress","output":[]}}`},
}

func TestStreams(t *testing.T) {
	for format, h := range hi {
		begin := h.events[:len(h.events)-1]
		if format == "converse" {
			begin = begin[:len(begin)-1] // the usage may be missing
		}
		next := h.next
		if next == "" {
			next = h.events[0]
		}
		full, cut := slices.Clip(h.events), slices.Clip(begin)
		for name, tt := range map[string]struct {
			events []string
			whole  bool
			good   bool
		}{
			"nothing":                  {nil, true, true},
			"a turn":                   {full, true, true},
			"a turn and a beginning":   {append(full, next), false, true},
			"cut":                      {cut, false, true},
			"cut and said to be whole": {cut, true, false},
			"cut before another":       {append(cut, next), false, format == "ollama"}, // whose streams look all alike
			"going on after the end":   {append(full, h.events[0]), true, false},
			"odd":                      {append(cut, h.odd), false, false},
		} {
			t.Run(format+"/"+name, func(t *testing.T) {
				var events []jsontext.Value
				for _, e := range tt.events {
					events = append(events, jsontext.Value(e))
				}
				if err := h.streams.Check(events, tt.whole); (err == nil) != tt.good {
					t.Errorf("got %v, good: %v", err, tt.good)
				}
			})
		}
	}
}
