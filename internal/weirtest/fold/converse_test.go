package fold

import (
	"errors"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/expect"
	"github.com/weir-gate/weir/internal/weirtest/notation"
)

const (
	startLine    = `messageStart {"role":"assistant"}`
	converseText = `contentBlockDelta {"contentBlockIndex":0,"delta":{"text":"a\ud83d"},"p":"abc"}
contentBlockDelta {"contentBlockIndex":0,"delta":{"text":"\ude00"}}
contentBlockStop {"contentBlockIndex":0}
`
	converseCall = `contentBlockStart {"contentBlockIndex":1,"start":{"toolUse":{"toolUseId":"t","name":"N"}}}
contentBlockDelta {"contentBlockIndex":1,"delta":{"toolUse":{"input":"{\"x\":\"\\\""}}}
contentBlockDelta {"contentBlockIndex":1,"delta":{"toolUse":{"input":"\"}"}}}
contentBlockStop {"contentBlockIndex":1}
`
	converseStop = `messageStop {"stopReason":"tool_use","p":"a"}` + "\n"
	converseMeta = `metadata {"usage":{"inputTokens":3,"outputTokens":9},"metrics":{"latencyMs":5}}` + "\n"
)

func TestFoldConverse(t *testing.T) {
	more := `contentBlockDelta {"contentBlockIndex":2,"delta":{"reasoningContent":{"text":"hm"}}}
contentBlockDelta {"contentBlockIndex":2,"delta":{"reasoningContent":{"signature":"sig"}}}
contentBlockStop {"contentBlockIndex":2}
contentBlockDelta {"contentBlockIndex":3,"delta":{"reasoningContent":{"redactedContent":"cmVk"}}}
contentBlockStop {"contentBlockIndex":3}
contentBlockDelta {"contentBlockIndex":4,"delta":{"text":"cited"}}
contentBlockDelta {"contentBlockIndex":4,"delta":{"citation":{"title":"c"}}}
contentBlockStop {"contentBlockIndex":4}
contentBlockStart {"contentBlockIndex":5,"start":{"toolUse":{"toolUseId":"s","name":"web","type":"server_tool_use"}}}
contentBlockStop {"contentBlockIndex":5}
contentBlockStart {"contentBlockIndex":6,"start":{"toolResult":{"toolUseId":"s"}}}
contentBlockDelta {"contentBlockIndex":6,"delta":{"toolResult":[{"text":"found"}]}}
contentBlockStop {"contentBlockIndex":6}
contentBlockStart {"contentBlockIndex":7,"start":{"odd":{"a":1}}}
contentBlockStop {"contentBlockIndex":7}
`
	got, err := Fold(notation.Packets([]byte(startLine+"\n"+converseText+converseCall+more+converseStop+converseMeta)), Packets)
	expect.OK(t, err)
	want, err := Fold([]byte(`{"output":{"message":{"role":"assistant","content":[{"text":"a😀"},
		{"toolUse":{"toolUseId":"t","name":"N","input":{"x":"\""}}},
		{"reasoningContent":{"reasoningText":{"text":"hm","signature":"sig"}}},{"reasoningContent":{"redactedContent":"cmVk"}},
		{"citationsContent":{"content":[{"text":"cited"}],"citations":[{"title":"c"}]}},
		{"toolUse":{"toolUseId":"s","name":"web","type":"server_tool_use","input":{}}},
		{"toolResult":{"toolUseId":"s","content":[{"text":"found"}]}},{"odd":{"a":1}}]}},
		"stopReason":"tool_use","usage":{"inputTokens":3,"outputTokens":9},"metrics":{"latencyMs":5}}`), Whole)
	expect.OK(t, err)
	if diff := Difference(got.JSON, want.JSON); diff != "" {
		t.Errorf("folded message (-got +want):\n%s", diff)
	}
	expect.Is(t, got.Check(), nil)
}

func TestFoldConverseFailsWhereClientsStumble(t *testing.T) {
	begin := startLine + "\n"
	for name, text := range map[string]string{
		"no start":             converseText + converseStop,
		"second start":         begin + begin + converseText + converseStop,
		"gap":                  begin + converseCall + converseStop,
		"block starts twice":   begin + converseText + strings.Replace(converseCall, `"contentBlockIndex":1`, `"contentBlockIndex":0`, 1) + converseStop,
		"delta after stop":     begin + converseText + converseText + converseStop,
		"stop of nothing":      begin + `contentBlockStop {"contentBlockIndex":0}` + "\n" + converseStop,
		"no index":             begin + `contentBlockDelta {"delta":{"text":"a"}}` + "\n" + converseStop,
		"input of a text":      begin + strings.Replace(converseText, `"text":"a\ud83d"`, `"toolUse":{"input":"{}"}`, 1) + converseStop,
		"unknown delta":        begin + strings.Replace(converseText, `"text":"a\ud83d"`, `"odd":"a"`, 1) + converseStop,
		"block after the end":  begin + converseStop + converseText,
		"second end":           begin + converseText + converseStop + converseStop,
		"metadata ahead":       begin + converseText + converseMeta + converseStop,
		"metadata twice":       begin + converseText + converseStop + converseMeta + converseMeta,
		"no end":               begin + converseText + converseMeta,
		"a block is left open": begin + strings.Replace(converseText, "contentBlockStop", "unknownFrame", 1) + converseStop,
	} {
		if m, err := foldFrames(notation.Packets([]byte(text)), Packets); err == nil {
			t.Errorf("%s: folded to %s", name, m.JSON)
		}
	}
	if _, err := foldFrames(notation.Packets([]byte(begin+converseText)), Packets); !errors.Is(err, ErrUnfinished) {
		t.Errorf("no end: %v", err)
	}
	if m, err := Fold(notation.Packets([]byte(begin+converseText+"!a {}\n")), Packets); m != nil || err != nil {
		t.Errorf("an exception: %v, %v", m, err)
	}
}

func TestFoldChunks(t *testing.T) {
	var text strings.Builder
	for _, data := range []string{start, openText, closeText, openCall, closeCall, closing, stop} {
		text.WriteString("chunk+pad " + data + "\n")
	}
	m, err := Fold(notation.Packets([]byte(text.String())), Packets)
	if err != nil || m.Format != &Messages {
		t.Fatalf("%v, %v", m, err)
	}
	if m, err := Fold(notation.Packets([]byte(`chunk {"generation":"Hi"}`+"\n")), Packets); m != nil || err != nil {
		t.Errorf("what is in no known format: %v, %v", m, err)
	}
}

func TestAcceptableConverse(t *testing.T) {
	for content, fine := range map[string]bool{
		`{"text":"a"},{"toolUse":{"toolUseId":"t","name":"N","input":{}}}`: true,
		`{"odd":{}}`: true,
		``:           false,
		`{"text":"a"},{"toolUse":{"toolUseId":"t","name":"N","type":"server_tool_use","input":{}}}`: false,
		`{"text":"a"}`: false,
		`{"toolUse":{"toolUseId":"","name":"N","input":{}}}`:    false,
		`{"toolUse":{"toolUseId":"t","name":"","input":{}}}`:    false,
		`{"toolUse":{"toolUseId":"t","name":"N","input":"{}"}}`: false,
	} {
		message := `{"output":{"message":{"role":"assistant","content":[` + content + `]}},"stopReason":"tool_use"}`
		if err := caught(func() { acceptableConverse([]byte(message)) }); (err == nil) != fine {
			t.Errorf("%s: %v", content, err)
		}
	}
	if caught(func() {
		acceptableConverse([]byte(`{"output":{"message":{"role":"user","content":[{"text":"a"}]}},"stopReason":"end_turn"}`))
	}) == nil {
		t.Error("a message of the user's is taken")
	}
	if err := caught(func() {
		acceptableConverse([]byte(`{"output":{"message":{"role":"assistant","content":[{"text":"a"}]}},"stopReason":"end_turn"}`))
	}); err != nil {
		t.Error(err)
	}
}
