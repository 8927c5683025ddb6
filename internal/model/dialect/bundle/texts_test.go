package bundle_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// texts say which strings of the examples are text.
var texts = []dialecttest.TextPlace{
	// What the client has sent.
	{Place: "**/request/**", Kind: dialect.Prompt},
	{Place: "**/inputConfig/**", Kind: dialect.Prompt},
	{Place: "data/*/content", Kind: dialect.Prompt}, // of a message of the user; those of the model have none
	// Calls.
	{Place: "**/tool_calls/**"},
	{Place: "**/*:tool_use/**"},
	{Place: "**/functionCall/**"},
	{Place: "**/*:text/text", Kind: dialect.Answer},
	{Place: "**/message/content", Kind: dialect.Answer},
	{Place: "**/error*/message", Kind: dialect.Failure},
	{Place: "some", Kind: dialect.Elsewhere},
	{Place: "**/*:text/type"},
	{Place: "**/*:message/type"},
	{Place: "**/*:message/stop_reason"},
	{Place: "**/result:*/type"},
	{Place: "**/error*/type"},
	{Place: "**/error*/code"},
	{Place: "**/error*/status"},
	{Place: "**/content/role"},
	{Place: "**/role"},
	{Place: "**/finish_reason"},
	{Place: "**/finishReason"},
	{Place: "**/modelVersion"},
	{Place: "**/responseId"},
	{Place: "**/id"},
	{Place: "**/model"},
	{Place: "**/object"},
	{Place: "**/@type"},
	{Place: "**/name"},
	{Place: "**/state"},
	{Place: "**/key"},
	{Place: "**/request_id"},
	{Place: "custom_id"},
	{Place: "outputs/*/custom_id"},
	{Place: "results/*/batch_request_id"},
	{Place: "pagination_token"},
	{Place: "status"},
	{Place: "processed_time"},
	{Place: "first_id"},
	{Place: "last_id"},
}

func framingOf(whole bool) frame.Framing {
	if whole {
		return frame.Whole
	}
	return frame.Rows
}

func TestTexts(t *testing.T) {
	s := dialecttest.Subject{Format: format(), Texts: texts}
	for name, e := range examples() {
		t.Run(name, func(t *testing.T) { s.CheckTexts(t, []byte(e.in), framingOf(e.whole)) })
	}
}

// The texts of a bundle, with the numbers of the responses that they are of.
func TestTextsOfResponses(t *testing.T) {
	note := strings.Replace(toolCall("x", "ls"), `"type"`, `"parsed_arguments":{"p":"secret"},"type"`, 1)
	both := completionOf("c", `{"role":"assistant","tool_calls":[`+note+`],"content":"look"}`, "tool_calls")
	alone := `{"id":"d","role":"assistant","tool_calls":[` + note + `],"content":"stored"}`
	twice := `{"metadata":{"output":{` + inlined(message("a", "ls"), both) + `}},"response":{` +
		strings.ReplaceAll(inlined(message("a", "ls"), both), ":[", ": [ ") + `}}`
	for name, tt := range map[string]struct {
		in    string
		whole bool
		want  []string
	}{
		"rows": {
			in:   lines(output("1", both), `{"custom_id":"y","result":{"type":"errored","error":{"message":"no"}}}`, result("2", message("b", "ls"))),
			want: []string{"0 look again", "-1 no", "1 hi"},
		},
		"a list": {in: listOf(alone, `{"id":"u","role":"user","content":"do it"}`, alone), whole: true, want: []string{"0 stored again", "1 do it again", "2 stored again"}},
		"twice":  {in: twice, whole: true, want: []string{"0 hi", "1 look again", "-1 no", "0 hi again", "1 look again", "-1 no"}},
	} {
		t.Run(name, func(t *testing.T) {
			asked := dialecttest.Passage{
				Format: format(), Framing: framingOf(tt.whole), Whole: tt.whole, Texts: true,
				In: strings.NewReader(tt.in), Judge: &dialecttest.Judge{Policy: dialecttest.AllowAll()},
			}
			r := dialecttest.Pass(asked)
			var got []string
			for _, h := range r.Heard {
				for _, s := range h.Spans {
					text := fmt.Sprint(s.Response, " ", dialecttest.Unquote(string(h.Data[s.Start+1:s.End-1])))
					if s.Again {
						text += " again"
					}
					got = append(got, text)
				}
				if strings.Contains(string(h.Data), "parsed_arguments") {
					t.Errorf("nothing was left out of %s", h.Data)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("texts (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(string(pass(tt.in, tt.whole, dialecttest.AllowAll()).Out), string(r.Out)); diff != "" {
				t.Errorf("the output changed because texts were asked for (-want +got):\n%s", diff)
			}
			if strings.Contains(string(r.Out), "parsed_arguments") {
				t.Errorf("nothing was left out of %s", r.Out)
			}
		})
	}
}
