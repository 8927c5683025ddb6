package openaichat_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// told is the chunk with a notice, as weir writes it.
func told(choice int, d string) string {
	index := string(rune('0' + choice))
	return `{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":` + index + `,"delta":` + d +
		`,"logprobs":null,"finish_reason":null}]}`
}

func toldText(s string) string { return told(0, `{"content":`+quote(s)+`}`) }

func TestRefusedInStream(t *testing.T) {
	rm, ls := noticeFor("rm"), noticeFor("ls")
	allow := dialecttest.AllowAll()
	cut := `[weir] The call to "rm" was refused (cut_short): The response ended before the call was complete. Do not retry it; continue without it or ask the user.`
	tests := map[string]struct {
		in, want []string
		policy   dialecttest.Policy
	}{
		"all": {
			in:     []string{role, tool(open(0, "a", "rm", "")), tool(more(0, "{}")), finish("tool_calls"), "[DONE]"},
			want:   []string{role, toldText(rm), finish("stop"), "[DONE]"},
			policy: refuse(false, "*"),
		},
		"one of two, the other re-indexed": {
			in:     []string{role, tool(open(0, "a", "rm", `{}`)), tool(open(1, "b", "ls", "")), tool(more(1, "{}")), finish("tool_calls"), "[DONE]"},
			want:   []string{role, tool(open(0, "b", "ls", "")), tool(more(0, "{}")), toldText(rm), finish("tool_calls"), "[DONE]"},
			policy: refuse(false, "rm"),
		},
		"one of two in one delta": {
			in:     []string{role, tool(open(0, "a", "rm", `{}`), open(1, "b", "ls", "{}")), finish("tool_calls"), "[DONE]"},
			want:   []string{role, tool(open(0, "b", "ls", "{}")), toldText(rm), finish("tool_calls"), "[DONE]"},
			policy: refuse(false, "rm"),
		},
		"two, told in order as one": {
			in:     []string{role, text("hi"), tool(open(0, "a", "rm", `{}`)), tool(open(1, "b", "ls", "{}")), finish("tool_calls"), "[DONE]"},
			want:   []string{role, text("hi"), toldText("\n\n" + rm + "\n" + ls), finish("stop"), "[DONE]"},
			policy: refuse(false, "*"),
		},
		"the role is there": {
			in:     []string{delta(`{"role":"assistant","content":null,"tool_calls":[` + rmEntry + `]}`), finish("tool_calls"), "[DONE]"},
			want:   []string{delta(`{"role":"assistant","content":null}`), toldText(rm), finish("stop"), "[DONE]"},
			policy: refuse(false, "*"),
		},
		"the role is not there": {
			in:     []string{tool(rmEntry), finish("tool_calls"), "[DONE]"},
			want:   []string{told(0, `{"role":"assistant","content":`+quote(rm)+`}`), finish("stop"), "[DONE]"},
			policy: refuse(false, "*"),
		},
		"the role comes late": {
			in:     []string{text("hi"), delta(`{"role":"assistant"}`), tool(rmEntry), finish("tool_calls"), "[DONE]"},
			want:   []string{text("hi"), delta(`{"role":"assistant"}`), toldText("\n\n" + rm), finish("stop"), "[DONE]"},
			policy: refuse(false, "*"),
		},
		"content next to the call": {
			in:     []string{role, delta(`{"content":"hi","tool_calls":[` + rmEntry + `]}`), finish("tool_calls"), "[DONE]"},
			want:   []string{role, delta(`{"content":"hi"}`), toldText("\n\n" + rm), finish("stop"), "[DONE]"},
			policy: refuse(false, "*"),
		},
		"text after the call": {
			in:     []string{role, tool(rmEntry), text("hi"), finish("tool_calls"), "[DONE]"},
			want:   []string{role, text("hi"), toldText("\n\n" + rm), finish("stop"), "[DONE]"},
			policy: refuse(false, "*"),
		},
		"everything in one chunk": {
			in: []string{strings.Replace(chunk(`{"index":0,"delta":{"role":"assistant","content":"hi","tool_calls":[`+rmEntry+`]},"finish_reason":"tool_calls"}`),
				`"choices"`, `"usage":{"prompt_tokens":1},"choices"`, 1), "[DONE]"},
			want: []string{
				told(0, `{"role":"assistant","content":"hi"}`), toldText("\n\n" + rm),
				strings.Replace(finish("stop"), `"choices"`, `"usage":{"prompt_tokens":1},"choices"`, 1), "[DONE]",
			},
			policy: refuse(false, "*"),
		},
		"usage on the call's chunk": {
			in:     []string{role, strings.Replace(tool(rmEntry), `"choices"`, `"usage":{"prompt_tokens":1},"choices"`, 1), finish("tool_calls"), "[DONE]"},
			want:   []string{role, strings.Replace(delta(`{}`), `"choices"`, `"usage":{"prompt_tokens":1},"choices"`, 1), toldText(rm), finish("stop"), "[DONE]"},
			policy: refuse(false, "*"),
		},
		"tokens of a call go": {
			in: []string{
				role, chunk(`{"index":0,"delta":{"content":"hi","tool_calls":[` + rmEntry + `]},"logprobs":{"content":[{"token":"{}"}]},"finish_reason":null}`),
				finish("tool_calls"), "[DONE]",
			},
			want:   []string{role, told(0, `{"content":"hi"}`), toldText("\n\n" + rm), finish("stop"), "[DONE]"},
			policy: refuse(false, "*"),
		},
		"tokens of text stay": {
			in: []string{
				role, chunk(`{"index":0,"delta":{"content":"hi"},"logprobs":{"content":[{"token":"hi"}]},"finish_reason":null}`), tool(rmEntry),
				finish("tool_calls"), "[DONE]",
			},
			want: []string{
				role, chunk(`{"index":0,"delta":{"content":"hi"},"logprobs":{"content":[{"token":"hi"}]},"finish_reason":null}`),
				toldText("\n\n" + rm), finish("stop"), "[DONE]",
			},
			policy: refuse(false, "*"),
		},
		"other reasons stay": {
			in:     []string{role, tool(rmEntry), finish("length"), "[DONE]"},
			want:   []string{role, toldText(rm), finish("length"), "[DONE]"},
			policy: refuse(false, "*"),
		},
		"legacy": {
			in:     []string{role, delta(`{"function_call":{"name":"rm","arguments":""}}`), delta(`{"function_call":{"arguments":"{}"}}`), finish("function_call"), "[DONE]"},
			want:   []string{role, toldText(rm), finish("stop"), "[DONE]"},
			policy: refuse(false, "*"),
		},
		"whole message in a chunk": {
			in:     []string{role, chunk(`{"index":0,"message":` + assistant(`"hi"`, rmCall) + `,"finish_reason":"tool_calls"}`), "[DONE]"},
			want:   []string{role, chunk(`{"index":0,"message":{"role":"assistant","content":` + quote("hi\n\n"+rm) + `},"finish_reason":"stop"}`), "[DONE]"},
			policy: refuse(false, "*"),
		},
		"one choice of two": {
			in: []string{role, choiceTool(1, open(0, "b", "ls", "{}")), tool(rmEntry), choiceEnd(1, "tool_calls"), choiceEnd(0, "tool_calls"), "[DONE]"},
			want: []string{
				role, tool(rmEntry), told(1, `{"role":"assistant","content":`+quote(ls)+`}`), choiceEnd(1, "stop"),
				choiceEnd(0, "tool_calls"), "[DONE]",
			},
			policy: refuse(false, "ls"),
		},
		"dropped": {
			in:     []string{role, tool(rmEntry), tool(open(1, "b", "ls", "{}")), finish("tool_calls"), "[DONE]"},
			want:   []string{role, tool(open(0, "b", "ls", "{}")), finish("tool_calls"), "[DONE]"},
			policy: refuse(true, "rm"),
		},
		"dropped, text": {
			in:     []string{role, text("hi"), tool(rmEntry), finish("tool_calls"), "[DONE]"},
			want:   []string{role, text("hi"), finish("stop"), "[DONE]"},
			policy: refuse(true, "rm"),
		},
		"dropped, nothing left": {
			in:     []string{role, tool(rmEntry), finish("tool_calls"), "[DONE]"},
			want:   []string{role, toldText(rm), finish("stop"), "[DONE]"},
			policy: refuse(true, "rm"),
		},
		"no finish": {
			in:     []string{role, tool(rmEntry), "[DONE]"},
			want:   []string{role, toldText(rm), "[DONE]"},
			policy: refuse(false, "*"),
		},
		"no finish, no end": {
			in:     []string{role, tool(rmEntry)},
			want:   []string{role, toldText(rm)},
			policy: refuse(false, "*"),
		},
		"an error ends it": {
			in:     []string{role, tool(rmEntry), failure, "[DONE]"},
			want:   []string{role, failure, "[DONE]"},
			policy: refuse(false, "*"),
		},
		"finish twice": {
			in:     []string{role, tool(rmEntry), finish("tool_calls"), finish("tool_calls"), "[DONE]"},
			want:   []string{role, toldText(rm), finish("stop"), finish("stop"), "[DONE]"},
			policy: refuse(false, "*"),
		},

		// Allowed, but not as it came.
		"cut by length": {
			in:     []string{role, tool(open(0, "a", "rm", `{\"p\"`)), finish("length"), "[DONE]"},
			want:   []string{role, toldText(cut), finish("length"), "[DONE]"},
			policy: allow,
		},
		"restated in one piece": {
			in: []string{
				role, tool(open(5, "a", "read_", ``)), tool(`{"index":5,"id":"a","x":1,"function":{"name":"file","arguments":"{\"p\":"}}`),
				tool(`{"index":5,"x":2.50,"function":{"arguments":"1}"}}`), finish("tool_calls"), "[DONE]",
			},
			want: []string{
				role, tool(`{"index":0,"id":"a","type":"function","function":{"name":"read_file","arguments":"{\"p\":1}"},"x":2.50}`),
				finish("tool_calls"), "[DONE]",
			},
			policy: allow,
		},
		"extras after a restated call": {
			in: []string{
				role, tool(`{"id":"a","type":"function","function":{"name":"rm","arguments":"{}"}}`), tool(`{"id":"a","extra_content":{"s":1}}`),
				finish("tool_calls"), "[DONE]",
			},
			want:   []string{role, tool(open(0, "a", "rm", "{}")), tool(`{"index":0,"extra_content":{"s":1}}`), finish("tool_calls"), "[DONE]"},
			policy: allow,
		},
		"extras of a refused call go": {
			in:     []string{role, tool(rmEntry), tool(`{"index":0,"extra_content":{"s":1}}`), finish("tool_calls"), "[DONE]"},
			want:   []string{role, toldText(rm), finish("stop"), "[DONE]"},
			policy: refuse(false, "*"),
		},
		"a type of its own is kept": {
			in:     []string{role, tool(`{"index":3,"id":"a","type":"builtin_function","function":{"name":"$search","arguments":{"q":1}}}`), finish("tool_calls"), "[DONE]"},
			want:   []string{role, tool(`{"index":0,"id":"a","type":"builtin_function","function":{"name":"$search","arguments":"{\"q\":1}"}}`), finish("tool_calls"), "[DONE]"},
			policy: allow,
		},
		"a choice gets its index": {
			in:     []string{role, chunk(`{"delta":{"tool_calls":[` + rmEntry + `]}}`), finish("tool_calls"), "[DONE]"},
			want:   []string{role, chunk(`{"delta":{"tool_calls":[` + rmEntry + `]},"index":0}`), finish("tool_calls"), "[DONE]"},
			policy: allow,
		},
	}
	format := subject(t)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := pass(stream(tt.in...), false, tt.policy)
			dialecttest.CheckOut(t, string(stream(tt.want...)), r)
			format.CheckJudged(t, r, frame.Events)
		})
	}
}

// What the judge is asked about: every reading of the name.
func TestReadings(t *testing.T) {
	tests := map[string]struct {
		frames []string
		want   call.Call
	}{
		"regular":  {[]string{tool(rmEntry)}, call.Call{WireID: "a", Tool: "rm", Args: []byte(`{}`)}},
		"pieces":   {[]string{tool(open(0, "a", "read_", "")), tool(open(0, "a", "file", "{}"))}, call.Call{WireID: "a", Tool: "read_file", Readings: call.Readings{Aliases: []string{"read_", "file"}}, Args: []byte(`{}`)}},
		"repeated": {[]string{tool(open(0, "a", "rm", "")), tool(open(0, "a", "rm", "{}"))}, call.Call{WireID: "a", Tool: "rm", Readings: call.Readings{Aliases: []string{"rmrm"}}, Args: []byte(`{}`)}},
		"custom":   {[]string{tool(customEntry)}, call.Call{WireID: "a", Tool: "sql", Args: []byte(`{"input":"select 1"}`)}},
		"its type": {[]string{tool(strings.Replace(rmEntry, `"type":"function"`, `"type":"shell"`, 1))}, call.Call{WireID: "a", Tool: "rm", Readings: call.Readings{Aliases: []string{"shell"}}, Args: []byte(`{}`)}},
		"unknown":  {[]string{tool(`{"index":0,"id":"a","type":"shell","n":1.0}`)}, call.Call{WireID: "a", Tool: "shell", Args: []byte(`{"id":"a","type":"shell","n":1.0}`), Delivery: call.Delivery{Fixed: true}}},
		"legacy":   {[]string{delta(`{"function_call":{"name":"rm","arguments":"{}"}}`)}, call.Call{Tool: "rm", Args: []byte(`{}`)}},
		"late":     {[]string{finish("stop"), tool(`{"index":0,"id":"a","type":"function","function":{"name":"rm","arguments":{"p":1}}}`)}, call.Call{WireID: "a", Tool: "rm", Args: []byte(`{"p":1}`)}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := pass(stream(append(append([]string{role}, tt.frames...), finish("tool_calls"), "[DONE]")...), false, dialecttest.AllowAll())
			got := r.Events[0].Call
			tt.want.Surface = call.Response
			tt.want.Exchange = call.Exchange{Dialect: "openai-chat", ResponseID: "c1", Model: "m"}
			if tt.want.Aliases == nil {
				tt.want.Aliases = []string{}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("the judge is asked about (-want +got):\n%s", diff)
			}
		})
	}
}

// A call without an id gets one, and the record has the same.
func TestInventedID(t *testing.T) {
	r := pass(stream(role, tool(`{"index":0,"function":{"name":"rm","arguments":"{}"}}`), finish("tool_calls"), "[DONE]"), false, dialecttest.AllowAll())
	id := r.Events[0].Call.WireID
	if !strings.HasPrefix(id, "call_weir_") || len(id) < 30 {
		t.Errorf("the call's id is %q", id)
	}
	want := stream(role, tool(open(0, id, "rm", "{}")), finish("tool_calls"), "[DONE]")
	dialecttest.CheckOut(t, string(want), r)
}

// What cannot pass for its size is refused before all of it is there, and recorded as far as it may be.
func TestOversize(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for name, entry := range map[string]string{
		"text":    open(0, "a", "rm", `{\"p\":\"`+long),
		"object":  `{"index":0,"id":"a","type":"function","function":{"name":"rm","arguments":{"p":"` + long + `"}}}`,
		"custom":  `{"index":0,"id":"a","type":"custom","custom":{"name":"rm","input":"x` + long + `"}}`,
		"unknown": `{"index":0,"id":"a","type":"rm","p":"` + long + `"}`,
		"extras":  strings.Replace(rmEntry, `{"index"`, `{"x":"`+long+`","index"`, 1),
	} {
		r := pass(stream(role, tool(entry), text("hi"), finish("tool_calls"), "[DONE]"), false, dialecttest.AllowAll())
		if got := len(r.Events[0].Call.Args); got > 1<<20+2*len(`"{\"p\":\"`) {
			t.Errorf("%s: %d bytes are recorded", name, got)
		}
		notice := `[weir] The call to "rm" was refused (args_oversize): Its arguments are larger than weir's bound. ` +
			"Do not retry it; continue without it or ask the user."
		want := stream(role, text("hi"), toldText("\n\n"+notice), finish("stop"), "[DONE]")
		if diff := cmp.Diff(string(want), string(r.Out)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
