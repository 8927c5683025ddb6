package fold

import (
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	const message = `{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"text","text":"Hi."}],"stop_reason":"end_turn","usage":{"output_tokens":1}}`
	m, err := Read([]byte(message), Whole)
	if diff := Difference(m.JSON, []byte(message)); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if _, err := Read([]byte(strings.Replace(message, "end_turn", "tool_use", 1)), Whole); err == nil {
		t.Error("a stop reason that is not true is taken")
	}
	if _, err := Read([]byte("event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"), Events); err == nil {
		t.Error("an end without a beginning is taken")
	}
	if m, err := Read([]byte(`{"some":"thing"}`), Whole); m != nil || err != nil {
		t.Errorf("%v, %v for what is no message", m, err)
	}
}
