package gemini_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

var kindNames = map[dialect.TextKind]string{
	dialect.Answer: "answer", dialect.Reasoning: "reasoning", dialect.Output: "output", dialect.Citation: "citation",
	dialect.Failure: "failure", dialect.Elsewhere: "elsewhere",
}

// TestChannels looks at which pieces are one text: each has its kind, its candidate, item, part and number, and a mark if it is
// said again.
func TestChannels(t *testing.T) {
	cites := func(text, from string) string {
		return fmt.Sprintf(`{"text":%q,"partMetadata":{"from":%q}}`, text, from)
	}
	tests := map[string]struct {
		elements, want []string
	}{
		"text goes on": {
			[]string{says(`{"text":"a"}`, `{"text":"b"}`), ends(`{"text":"c"}`)},
			[]string{"answer 0 1.0.0 a", "answer 0 1.0.0 b", "answer 0 1.0.0 c"},
		},
		"a thought between": {
			[]string{says(`{"text":"a"}`, `{"text":"b","thought":true}`), ends(`{"text":"c"}`)},
			[]string{"answer 0 1.0.0 a", "reasoning 0 2.0.0 b", "answer 0 3.0.0 c"},
		},
		"no thought": {
			[]string{says(`{"text":"a"}`, `{"text":"b","thought":false}`, `{"text":"c","thought":null}`)},
			[]string{"answer 0 1.0.0 a", "answer 0 1.0.0 b", "answer 0 1.0.0 c"},
		},
		"a call between": {
			[]string{says(`{"text":"a"}`, rmPart), ends(`{"text":"b"}`)},
			[]string{"answer 0 1.0.0 a", "answer 0 3.0.0 b"},
		},
		"an unknown between": {
			[]string{says(`{"text":"a"}`, `{"hologram":{"body":"x"}}`), ends(`{"text":"b"}`)},
			[]string{"answer 0 1.0.0 a", "answer 0 3.0.0 b"},
		},
		"beside a call": {
			[]string{says(`{"functionCall":{"name":"rm"},"text":"a"}`), ends(`{"text":"b"}`)},
			[]string{"answer 0 1.0.0 a", "answer 0 3.0.0 b"},
		},
		"nothing between": {
			[]string{says(`{"text":"a","thought":true}`, nothing, `{"text":"b","thought":true}`)},
			[]string{"reasoning 0 1.0.0 a", "reasoning 0 1.0.0 b"},
		},
		"other candidates": {
			[]string{element(candidate(0, `{"text":"a"}`), candidate(1, `{"text":"b"}`)), element(candidate(1, `{"text":"c"}`))},
			[]string{"answer 0 1.0.0 a", "answer 1 1.0.0 b", "answer 1 1.0.0 c"},
		},
		"sources of pieces": {
			[]string{says(cites("a", "x")), says(cites("b", "y"))},
			[]string{"answer 0 1.0.0 a", "citation 0 1.0.0 x", "answer 0 1.0.0 b", "citation 0 1.0.1 y"},
		},
		"results of any kind": {
			[]string{says(`{"codeExecutionResult":"a"}`, `{"tool_response":{"response":"b","note":"c"}}`)},
			[]string{"output 0 1.0.0 a", "output 0 2.0.0 b", "elsewhere 0 2.0.0 c"},
		},
		"other spellings": {
			[]string{
				says(`{"inline_data":{"mime_type":"image/png","data":"iVBO","display_name":"a"},"thought_signature":"c2ln"}`),
				says(`{"file_data":{"file_uri":"b"},"video_metadata":{"start_offset":"1s"}}`, `{"thought":"c"}`, `{"toolResponse":"d"}`),
			},
			[]string{"citation 0 1.0.0 a", "citation 0 2.0.0 b", "reasoning 0 3.0.0 c", "output 0 4.0.0 d"},
		},
		"tokens to go on with": {
			[]string{`{"candidates":[{"index":0,"continuationToken":"AB"}],"continuationToken":"AB"}`},
			nil,
		},
		"beside the parts": {
			[]string{element(`{"content":{"role":"model","parts":[],"note":"a"},"Note":"b","citationMetadata":{"citations":[{"uri":"c"}]}}`)},
			[]string{"elsewhere 0 -1.0.1 =a", "elsewhere 0 -1.0.0 =b", "citation 0 -1.1.0 =c"},
		},
		"in the wrapper": {
			[]string{`{"response":` + says(hiPart) + `,"note":"a"}`},
			[]string{"answer 0 1.0.0 hi", "elsewhere -1 -1.0.0 =a"},
		},
		"errors": {
			[]string{`{"error":{"message":"a","status":"UNAVAILABLE"},"note":"b"}`},
			[]string{"failure -1 -1.3.0 =a", "elsewhere -1 -1.0.0 =b"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, h := range pass(stream(tt.elements...), frame.Events, dialecttest.AllowAll()).Heard {
				for _, s := range h.Spans {
					if text := h.Data[s.Start+1 : s.End-1]; len(text) > 0 {
						again := map[bool]string{true: "="}[s.Again]
						got = append(got, fmt.Sprintf("%s %d %d.%d.%d %s%s", kindNames[s.Kind], s.Choice, s.Item, s.Part, s.Nth, again, text))
					}
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("texts (-want +got):\n%s", diff)
			}
		})
	}
}
