package openairesponses_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

var kindNames = map[dialect.TextKind]string{
	dialect.Answer: "answer", dialect.Reasoning: "reasoning", dialect.Prompt: "prompt", dialect.Citation: "citation",
	dialect.Elsewhere: "elsewhere", dialect.Failure: "failure", dialect.Output: "output",
}

// heard are the texts of a response: each with its kind, its item, part and number, and with a mark if it is said again.
func heard(in []byte, whole bool) (all []string) {
	for _, h := range pass(in, whole, dialecttest.AllowAll()).Heard {
		for _, s := range h.Spans {
			text := string(h.Data[s.Start+1 : s.End-1])
			if s.Kind == dialect.Echo || text == "" {
				continue
			}
			again := ""
			if s.Again {
				again = "="
			}
			all = append(all, fmt.Sprintf("%s %d.%d.%d %s%s", kindNames[s.Kind], s.Item, s.Part, s.Nth, again, text))
		}
	}
	return all
}

// TestChannels looks at what fixtures cannot show: texts that are told apart by what is around them, and streams that are odd.
func TestChannels(t *testing.T) {
	said := func(index int, text string) string {
		return event("response.output_text.delta", fmt.Sprintf(`"output_index":%d,"content_index":0,"delta":%q`, index, text))
	}
	byID := func(s string) string { return strings.ReplaceAll(s, `"output_index":0,`, ``) }
	two := strings.Replace(hiItem, "msg_1", "msg_2", 1)
	cites := event("response.output_text.annotation.added", `"output_index":4,"content_index":0`,
		`"annotation":{"type":"url_citation","url":"u","title":"t"}`)
	tests := map[string]struct {
		frames []string // of a stream; one that is not an event is a body
		want   []string
	}{
		"roles": {
			[]string{list(
				`{"type":"message","role":"assistant","content":"a"}`, `{"type":"message","role":"tool","content":"b"}`,
				`{"type":"message","role":"assistant","content":[{"type":"text","text":"c"},"d"]}`,
				`{"type":"message","role":"user","content":[{"type":"text","text":"e"}]}`,
			)},
			[]string{"answer 0.0.0 a", "prompt 1.0.0 b", "answer 2.0.0 c", "answer 2.1.0 d", "prompt 3.0.0 e"},
		},
		"members given twice": {
			[]string{list(`{"type":"message","role":"user","content":"a","content":[{"type":"input_text","text":"b","text":"c"}],"Content":"d"}`)},
			[]string{"prompt 0.0.0 a", "prompt 0.0.0 b", "prompt 0.0.1 c", "elsewhere 0.-1.0 d"},
		},
		"thoughts in another form": {
			[]string{
				created, added(0, `{"type":"reasoning","summary":"a"}`),
				event("response.content_part.done", `"output_index":0,"content_index":0,"part":{"type":"text","text":"b"}`),
				event("response.reasoning_summary_part.done", `"output_index":0,"summary_index":0,"part":"c"`),
				done(0, `{"type":"reasoning","summary":[],"content":[{"type":"text","text":"d"},"e"]}`),
			},
			[]string{"reasoning 0.-2.0 a", "reasoning 0.0.0 =b", "reasoning 0.-2.0 =c", "reasoning 0.0.0 =d", "reasoning 0.1.0 =e"},
		},
		"what was asked": {
			[]string{`{"object":"response","input":[{"type":"message","role":"user","content":"a"}],"metadata":{"k":"b"},"instructions":"c","output":[]}`},
			[]string{"prompt -1.2.0 a", "prompt -1.4.0 b", "prompt -1.1.0 c"},
		},
		"calls of the provider that failed": {
			[]string{list(`{"id":"ig_1","type":"image_generation_call","status":"failed","result":null,"error":{"message":"a"}}`,
				`{"id":"ml_1","type":"mcp_list_tools","server_label":"s","tools":[],"error":"b"}`)},
			[]string{"output 0.-1.0 a", "output 1.-1.0 b"},
		},
		"an index used twice": {
			flat(created, added(0, hiBegun), said(0, "a"), done(0, hiItem), added(0, hiBegun), said(0, "b"), done(0, two)),
			[]string{"answer 0.0.0 a", "answer 0.0.0 =hi", "answer -3.0.0 b", "answer -3.0.0 =hi"},
		},
		"by id": {
			[]string{
				created, byID(added(0, hiBegun)), event("response.output_text.delta", `"item_id":"msg_1","content_index":0,"delta":"hi"`),
				byID(done(0, hiItem)), ended(hiItem),
			},
			[]string{"answer 0.0.0 hi", "answer 0.0.0 =hi", "answer 0.0.0 =hi"},
		},
		"from the middle": {
			[]string{said(4, "h"), cites, cites, said(4, "i"), done(4, hiItem), ended(two, hiItem)},
			[]string{
				"answer 4.0.0 h", "citation 4.0.0 u", "citation 4.0.1 t", "citation 4.0.2 u", "citation 4.0.3 t", "answer 4.0.0 i",
				"answer 4.0.0 =hi", "answer 1.0.0 =hi", "answer 4.0.0 =hi",
			},
		},
		"in a response under way": {
			[]string{
				life("created", response("in_progress", hiItem)), added(0, hiBegun), said(0, "hi"), done(0, hiItem), ended(hiItem), "[DONE]",
			},
			[]string{"answer 0.0.0 hi", "answer 0.0.0 =hi", "answer 0.0.0 =hi"},
		},
		"parts that are none": {
			[]string{
				created, added(0, hiBegun),
				event("response.content_part.added", `"output_index":0,"content_index":0,"note":"c"`, `"part":"a"`,
					`"part":{"type":"output_text","text":"b"}`),
				event("response.output_text.delta", `"output_index":0,"content_index":0,"delta":"d","part":{"text":"e"}`),
			},
			[]string{"elsewhere -1.0.0 c", "answer 0.0.0 a", "answer 0.0.0 b", "answer 0.0.0 d", "elsewhere 0.0.0 e"},
		},
		"errors": {
			[]string{created, event("error", `"code":"c","message":"a","param":null,"error":"b","note":{"type":"d"}`)},
			[]string{"failure -1.0.0 a", "failure -1.0.1 b", "elsewhere -1.0.0 d"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			in, whole := stream(tt.frames...), strings.HasPrefix(tt.frames[0], `{"object"`)
			if whole {
				in = []byte(tt.frames[0])
			}
			if diff := cmp.Diff(tt.want, heard(in, whole)); diff != "" {
				t.Errorf("texts (-want +got):\n%s", diff)
			}
		})
	}
}
