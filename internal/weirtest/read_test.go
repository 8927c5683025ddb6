package weirtest

import (
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	const message = `{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"text","text":"Hi."}],"stop_reason":"end_turn","usage":{"output_tokens":1}}`
	m, err := Read([]byte(message), "json")
	if diff := Difference(m, []byte(message)); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if _, err := Read([]byte(strings.Replace(message, "end_turn", "tool_use", 1)), "json"); err == nil {
		t.Error("a stop reason that is not true is taken")
	}
	if _, err := Read([]byte("event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"), "sse"); err == nil {
		t.Error("an end without a beginning is taken")
	}
	if m, err := Read([]byte(`{"some":"thing"}`), "json"); m != nil || err != nil {
		t.Errorf("%s, %v for what is no message", m, err)
	}
}
