package anthropic_test

import (
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// Some clients go by the event's name and some by the type in the data. What goes out names both, alike.
func TestRestated(t *testing.T) {
	saying := textDelta(0, "hi")
	bare := `{"index":0,"delta":{"type":"text_delta","text":"hi"}}`
	typed := `{"index":0,"delta":{"type":"text_delta","text":"hi"},"type":"content_block_delta"}`
	tests := map[string]struct{ in, want string }{
		"regular":              {"event: content_block_delta\ndata: " + saying + "\n\n", "event: content_block_delta\ndata: " + saying + "\n\n"},
		"another event name":   {"event: ping\ndata: " + saying + "\n\n", "event: content_block_delta\ndata: " + saying + "\n\n"},
		"no event name":        {"data: " + saying + "\n\n", "event: content_block_delta\ndata: " + saying + "\n\n"},
		"no type":              {"event: content_block_delta\ndata: " + bare + "\n\n", "event: content_block_delta\ndata: " + typed + "\n\n"},
		"no space":             {"event: content_block_delta\ndata:" + saying + "\n\n", "event: content_block_delta\ndata: " + saying + "\n\n"},
		"an id":                {"id: 1\nevent: content_block_delta\ndata: " + saying + "\n\n", "event: content_block_delta\ndata: " + saying + "\n\n"},
		"ping, no type":        {"event: ping\ndata: {}\n\n", "event: ping\ndata: {\"type\":\"ping\"}\n\n"},
		"ping, another name":   {"event: x\ndata: {\"type\":\"ping\"}\n\n", "event: ping\ndata: {\"type\":\"ping\"}\n\n"},
		"unknown, another one": {"event: x\ndata: {\"type\":\"weather\"}\n\n", "event: weather\ndata: {\"type\":\"weather\"}\n\n"},
		"unknown, no type":     {"event: weather\ndata: {\"sun\":1}\n\n", "event: weather\ndata: {\"sun\":1,\"type\":\"weather\"}\n\n"},
		"comment":              {": hi\n\n", ": hi\n\n"},
		"only an id":           {"id: 1\n\n", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			before, after := string(stream(start, textBlock(0))), string(stream(stopBlock(0), stopWith("end_turn"), ending))
			r := pass([]byte(before+tt.in+after), false, dialecttest.AllowAll())
			dialecttest.CheckOut(t, before+tt.want+after, r)
		})
	}
}
