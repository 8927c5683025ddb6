package fold

import (
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// frames writes events whose names are their types.
func frames(data ...string) []byte {
	var b strings.Builder
	for _, d := range data {
		typ, _, _ := strings.Cut(strings.TrimPrefix(d, `{"type":"`), `"`)
		b.WriteString("event: " + typ + "\ndata: " + d + "\n\n")
	}
	return []byte(b.String())
}

const (
	start     = `{"type":"message_start","message":{"type":"message","content":[],"stop_reason":null,"usage":{"input_tokens":3,"output_tokens":1}}}`
	openText  = `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`
	openCall  = `{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"N","input":{}}}`
	closeText = `{"type":"content_block_stop","index":0}`
	closeCall = `{"type":"content_block_stop","index":1}`
	closing   = `{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}`
	stop      = `{"type":"message_stop"}`
)

func TestFoldMessages(t *testing.T) {
	got, err := foldFrames(frames(start, openText,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a\ud83d"}}`,
		`{"type":"ping"}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\ude00"}}`,
		closeText, openCall,
		`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":""}}`,
		`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"x\":\"\\\""}}`,
		`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"\"}"}}`,
		closeCall, closing, stop), Events)
	expect.OK(t, err)
	want := `{"type":"message","content":[{"type":"text","text":"a😀"},{"type":"tool_use","id":"t","name":"N","input":{"x":"\""}}],` +
		`"stop_reason":"tool_use","usage":{"input_tokens":3,"output_tokens":9}}`
	if diff := Difference(got.JSON, []byte(want)); diff != "" {
		t.Errorf("folded message (-got +want):\n%s", diff)
	}
}

func TestFoldMessagesFailsWhereClientsStumble(t *testing.T) {
	for name, sse := range map[string][]byte{
		"no message_start":    frames(openText, closeText, closing, stop),
		"second message":      frames(start, start, closing, stop),
		"gap":                 frames(start, openCall, closeCall, closing, stop),
		"delta of no block":   frames(start, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":""}}`, closing, stop),
		"stopped twice":       frames(start, openText, closeText, closeText, closing, stop),
		"left open":           frames(start, openText, closing, stop),
		"no message_delta":    frames(start, openText, closeText, stop),
		"second delta":        frames(start, closing, closing, stop),
		"no message_stop":     frames(start, openText, closeText, closing),
		"block after delta":   frames(start, closing, openText, closeText, stop),
		"frame after stop":    frames(start, closing, stop, openText),
		"ping after stop":     frames(start, closing, stop, `{"type":"ping"}`),
		"name is not type":    []byte(strings.Replace(string(frames(start, closing, stop)), "event: message_delta", "event: ping", 1)),
		"no event line":       []byte("data: " + start + "\n\n"),
		"no last blank line":  frames(start, closing, stop)[:len(frames(start, closing, stop))-1],
		"two data lines":      []byte("event: message_start\ndata: {\"type\":\ndata: \"message_start\"}\n\n"),
		"data is not JSON":    []byte("event: ping\ndata: {\n\n"),
		"delta of its own":    frames(start, openText, `{"type":"content_block_delta","index":0,"delta":{"type":"odd"}}`, closeText, closing, stop),
		"piece without value": frames(start, openText, `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta"}}`, closeText, closing, stop),
	} {
		if got, err := foldFrames(sse, Events); err == nil {
			t.Errorf("%s: folded to %s", name, got.JSON)
		}
	}
}

func TestAcceptableMessage(t *testing.T) {
	for message, fine := range map[string]bool{
		`"content":[{"type":"text"}],"stop_reason":"end_turn"}`:                            true,
		`"content":[{"type":"text"},{"type":"tool_use"}],"stop_reason":"tool_use"}`:        true,
		`"content":[],"stop_reason":"end_turn"}`:                                           false,
		`"content":[{"type":"text"}],"stop_reason":"tool_use"}`:                            false,
		`"content":[{"type":"text"},{"type":"server_tool_use"}],"stop_reason":"tool_use"}`: false,
		`"content":[{"type":"text"}],"stop_reason":null}`:                                  false,
	} {
		if err := caught(func() { acceptableMessage([]byte(`{"role":"assistant",` + message)) }); (err == nil) != fine {
			t.Errorf("%s: %v", message, err)
		}
	}
}
