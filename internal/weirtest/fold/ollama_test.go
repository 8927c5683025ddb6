package fold

import (
	"errors"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

const (
	ollamaHead  = `{"model":"m","created_at":"1",`
	ollamaText  = `{"model":"m","created_at":"1","message":{"role":"assistant","content":"a\ud83d","thinking":"x"},"done":false}` + "\n"
	ollamaMore  = `{"model":"m","created_at":"2","message":{"role":"assistant","content":"\ude00","thinking":"y","tool_calls":[{"function":{"name":"f","arguments":{}}}]},"done":false}` + "\n"
	ollamaCall  = `{"model":"m","created_at":"3","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"g","arguments":{}}}]},"done":false}` + "\n"
	ollamaEnd   = `{"model":"m","created_at":"4","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","eval_count":3}` + "\n"
	ollamaWhole = `{"model":"m","created_at":"4","message":{"role":"assistant","content":"a😀","thinking":"xy","tool_calls":[{"function":{"name":"f","arguments":{}}},
		{"function":{"name":"g","arguments":{}}}]},"done":true,"done_reason":"stop","eval_count":3}`
)

func TestFoldOllama(t *testing.T) {
	for lines, body := range map[string]string{
		ollamaText + ollamaMore + ollamaCall + ollamaEnd:                                             ollamaWhole,
		`{"response":"a","done":false}` + "\n" + `{"response":"b","done":true,"context":[1]}` + "\n": `{"response":"ab","done":true,"context":[1]}`,
	} {
		got, err := Fold([]byte(lines), Lines)
		expect.OK(t, err)
		want, err := Fold([]byte(body), Whole)
		expect.OK(t, err)
		if diff := Difference(got.JSON, want.JSON); diff != "" {
			t.Errorf("folded answer (-got +want):\n%s", diff)
		}
	}
}

func TestFoldOllamaFailsWhereClientsStumble(t *testing.T) {
	for name, lines := range map[string]string{
		"no end":              ollamaText,
		"more after the end":  ollamaEnd + ollamaText,
		"a blank line":        ollamaText + "\n" + ollamaEnd,
		"an unfinished line":  ollamaText + strings.TrimSuffix(ollamaEnd, "\n"),
		"two values in a row": ollamaText + strings.TrimSuffix(ollamaText, "\n") + ollamaEnd,
	} {
		if got, err := foldFrames([]byte(lines), Lines); err == nil {
			t.Errorf("%s: folded to %s", name, got.JSON)
		}
	}
	if _, err := foldFrames([]byte(ollamaText+`{"error":"m"}`+"\n"), Lines); !errors.Is(err, ErrFailed) {
		t.Errorf("an error: %v", err)
	}
}

func TestAcceptableChat(t *testing.T) {
	call := func(function string) string {
		return `{"role":"assistant","content":"","tool_calls":[{"function":` + function + `}]}`
	}
	for message, fine := range map[string]bool{
		`{"role":"assistant","content":"a"}`:                 true,
		`{"role":"assistant","thinking":"a"}`:                true,
		call(`{"name":"f","arguments":{}}`):                  true,
		call(`{"index":0,"name":"f","arguments":{}}`):        true,
		`{"role":"assistant","content":""}`:                  false,
		`{"content":"a"}`:                                    false,
		`{"role":"assistant","content":"a","tool_calls":[]}`: false,
		call(`{"name":"","arguments":{}}`):                   false,
		call(`{"name":"f"}`):                                 false,
		call(`{"name":"f","arguments":"{}"}`):                false,
		call(`{"index":1,"name":"f","arguments":{}}`):        false,
	} {
		if err := caught(func() {
			acceptableChat([]byte(ollamaHead + `"message":` + message + `,"done":true,"done_reason":"stop"}`))
		}); (err == nil) != fine {
			t.Errorf("%s: %v", message, err)
		}
	}
	for name, answer := range map[string]string{
		"text alone":      ollamaHead + `"response":"a","done":true}`,
		"a loaded model":  ollamaHead + `"message":{"role":"assistant","content":""},"done":true,"done_reason":"load"}`,
		"an unknown kind": ollamaHead + `"message":{"role":"assistant","tool_calls":[{"type":"robot"}]},"done":true,"done_reason":"stop"}`,
	} {
		expect.Is(t, caught(func() { acceptableChat([]byte(answer)) }), nil, "%s", name)
	}
}
