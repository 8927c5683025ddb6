package anthropic_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/anthropic"
)

// A frame of this format may not carry a call of another one beside its own members: a client of that format would run it.
func TestFrameOfTwoFormats(t *testing.T) {
	for _, extra := range []string{
		`"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"rm","arguments":"{}"}}]}}]`,
		`"choices":[{"index":0,"message":{"function_call":{"name":"rm","arguments":"{}"}}}]`,
		`"candidates":[{"content":{"parts":[{"functionCall":{"name":"rm","args":{}}}]}}]`,
		`"output":[{"type":"function_call","name":"rm","arguments":"{}"}]`,
		`"tool_calls":[{"id":"c"}]`,
	} {
		for _, frame := range []string{`"type":"ping"`, `"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}`} {
			d := anthropic.Format().New(dialect.Options{MaxArguments: 1 << 10})
			for _, before := range []string{
				`{"type":"message_start","message":{"content":[]}}`,
				`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
			} {
				if _, err := d.Scan(frameOf(before)); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := d.Scan(frameOf("{" + frame + "," + extra + "}")); err == nil {
				t.Errorf("passes: %s with %s", frame, extra)
			}
		}
	}
}

func frameOf(data string) frame.Frame {
	return frame.Frame{Raw: []byte("data: " + data + "\n\n"), Data: []byte(data), Plain: true}
}

// Some clients never look at the type of a body: what has content is a message to them. And what says that it has no
// content must have none.
func TestNoContentBesideTheMessage(t *testing.T) {
	use := `{"type":"tool_use","id":"t","name":"rm","input":{"path":"/"}}`
	for _, tt := range []struct {
		whole bool
		data  string
		fine  bool
	}{
		{whole: true, data: `{"type":"error","error":{"type":"api_error","message":"m"}}`, fine: true},
		{whole: true, data: `{"type":"error","error":{"type":"api_error","message":"m"},"role":"assistant","content":[` + use + `]}`},
		{whole: true, data: `{"type":"error","error":{},"Content":[` + use + `]}`},
		{whole: true, data: `{"type":"error","error":{},"content":[{"type":"new_call","x":1}]}`},
		{whole: true, data: `{"type":"ping","content":[` + use + `]}`},
		{data: `{"type":"ping"}`, fine: true},
		{data: `{"type":"ping","content_block":` + use + `}`},
		{data: `{"type":"error","error":{"type":"overloaded_error"}}`, fine: true},
		{data: `{"type":"error","error":{},"content_block":` + use + `}`},
		{data: `{"type":"error","error":{},"message":{"content":[` + use + `]}}`},
		{data: `{"error":{"type":"overloaded_error"}}`, fine: true},
		{data: `{"type":"message_start","message":{"content":[],"message":{"content":[` + use + `]}}}`},
		{whole: true, data: `{"type":"message","content":[],"message":{"content":[` + use + `]}}`},
		{whole: true, data: `{"type":"message","content":[{"type":"server_tool_use","id":"s","name":"a","input":{}},{"type":"server_tool_use","id":"s","name":"b","input":{}}]}`},
		{data: `{"sun":1}`},
		{data: `{"type":7}`},
	} {
		d := anthropic.Format().New(dialect.Options{Whole: tt.whole, MaxArguments: 1 << 10})
		if _, err := d.Scan(frameOf(tt.data)); (err == nil) != tt.fine {
			t.Errorf("whole %v: %s: %v", tt.whole, tt.data, err)
		}
	}
}
