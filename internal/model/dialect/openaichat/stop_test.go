package openaichat_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/openaichat"
	"github.com/weir-gate/weir/internal/weirtest/fold"
)

const broken = "[weir] The rest of this response was refused (malformed): a frame is not strict JSON. " +
	"Nothing after this point was delivered; tell the user."

// TestStop breaks streams in every phase: what the agent has then comes to an end that every client accepts.
func TestStop(t *testing.T) {
	stopped := func(choice int, reason string) string {
		return strings.Replace(choiceEnd(choice, reason), `{},`, `{},"logprobs":null,`, 1)
	}
	other := chunk(`{"index":1,"delta":{"role":"assistant","content":null},"finish_reason":null}`)
	tests := map[string]struct {
		in, want []string
		policy   dialecttest.Policy
	}{
		"after the role": {
			in:   []string{role, "{"},
			want: []string{role, toldText(broken), stopped(0, "stop"), "[DONE]"},
		},
		"in the text": {
			in:   []string{role, text("hi"), "{"},
			want: []string{role, text("hi"), toldText("\n\n" + broken), stopped(0, "stop"), "[DONE]"},
		},
		"in a call": {
			in:   []string{role, tool(open(0, "a", "rm", "{")), "{"},
			want: []string{role, toldText(broken), stopped(0, "stop"), "[DONE]"},
		},
		"after a call": {
			in:   []string{role, tool(rmEntry), "{"},
			want: []string{role, tool(rmEntry), toldText(broken), stopped(0, "tool_calls"), "[DONE]"},
		},
		"after a legacy call": {
			in:   []string{role, delta(`{"function_call":{"name":"rm","arguments":"{}"}}`), "{"},
			want: []string{role, delta(`{"function_call":{"name":"rm","arguments":"{}"}}`), toldText(broken), stopped(0, "function_call"), "[DONE]"},
		},
		"after a message": {
			in:   []string{role, chunk(`{"index":0,"message":` + assistant("null", rmCall) + `}`), "{"},
			want: []string{role, chunk(`{"index":0,"message":` + assistant("null", rmCall) + `}`), toldText(broken), stopped(0, "tool_calls"), "[DONE]"},
		},
		"after a refused call": {
			in: []string{role, tool(rmEntry), "{"}, policy: refuse(false, "*"),
			want: []string{role, toldText(noticeFor("rm") + "\n" + broken), stopped(0, "stop"), "[DONE]"},
		},
		"after the finish": {
			in:   []string{role, finish("stop"), "{"},
			want: []string{role, finish("stop"), "[DONE]"},
		},
		"after [DONE]": {
			in:   []string{role, finish("stop"), "[DONE]", "{"},
			want: []string{role, finish("stop"), "[DONE]"},
		},
		"after an error": {
			in:   []string{role, failure, "{"},
			want: []string{role, failure},
		},
		"one choice finished": {
			in:   []string{role, other, choiceTool(1, open(0, "b", "ls", "{}")), choiceEnd(1, "tool_calls"), "{"},
			want: []string{role, other, choiceTool(1, open(0, "b", "ls", "{}")), choiceEnd(1, "tool_calls"), toldText(broken), stopped(0, "stop"), "[DONE]"},
		},
		"two choices": {
			in: []string{role, choiceTool(1, open(0, "b", "ls", "{}")), "{"},
			want: []string{
				role, choiceTool(1, open(0, "b", "ls", "{}")), toldText(broken), stopped(0, "stop"),
				told(1, `{"role":"assistant","content":`+quote(broken)+`}`), stopped(1, "tool_calls"), "[DONE]",
			},
		},
		"a choice that never came": {
			in: []string{role, chunk(`{"index":3,"delta":{"tool_calls":[1]}}`)},
			want: []string{
				role, toldText(strings.Replace(broken, "a frame is not strict JSON", "a tool call is not an object", 1)),
				stopped(0, "stop"), "[DONE]",
			},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := pass(stream(tt.in...), false, tt.policy)
			dialecttest.CheckOut(t, string(stream(tt.want...)), r)
			dialecttest.CheckEnded(t, &fold.Chat, r.Out, framingOf(false))
		})
	}
}

// Before anything came weir makes up the whole response.
func TestStopAtOnce(t *testing.T) {
	invented := regexp.MustCompile(`"chatcmpl-weir-[A-Z2-7]{26}"`)
	for _, whole := range []bool{false, true} {
		r := pass([]byte("data: {\n\n"), whole, dialecttest.AllowAll())
		want := `{"id":ID,"object":"chat.completion","created":0,"model":"","choices":[{"index":0,"message":{"role":"assistant","content":` +
			quote(broken) + `,"refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}}`
		if !whole {
			head := `{"id":ID,"object":"chat.completion.chunk","created":0,"model":"","choices":[{"index":0,`
			want = string(stream(head+`"delta":{"role":"assistant","content":`+quote(broken)+`},"logprobs":null,"finish_reason":null}]}`,
				head+`"delta":{},"logprobs":null,"finish_reason":"stop"}]}`, "[DONE]"))
		}
		ids := invented.FindAllString(string(r.Out), -1)
		got := string(invented.ReplaceAll(r.Out, []byte("ID")))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("whole %v (-want +got):\n%s", whole, diff)
		}
		if len(ids) == 0 || ids[0] != ids[len(ids)-1] {
			t.Errorf("the ids are %v", ids)
		}
	}
}

// A body that is refused keeps what is known of the response.
func TestStopBody(t *testing.T) {
	r := pass([]byte(message(`"x"`, "stop")), true, dialecttest.AllowAll())
	if !strings.HasPrefix(string(r.Out), `{"id":"c1","object":"chat.completion","created":1,"model":"m",`) {
		t.Errorf("the body is %s", r.Out)
	}
}

func TestKeepAlive(t *testing.T) {
	f, ok := openaichat.Format().New(dialect.Options{}).KeepAlive()
	out := frame.NewSSE(strings.NewReader(""), 0).Append(nil, f)
	if want := ": hold\n\n"; !ok || string(out) != want {
		t.Errorf("a stream shows life by %q (%v), want %q", out, ok, want)
	}
	if _, ok := openaichat.Format().New(dialect.Options{Whole: true}).KeepAlive(); ok {
		t.Error("a body shows life")
	}
}

// A call that is refused by name does not hold the text after it, although its arguments are still coming.
func TestEarlyRefusal(t *testing.T) {
	var steps []dialecttest.Step
	for _, step := range [][2]string{
		{role, role},
		{tool(open(0, "a", "rm", "{")), ""},
		{text("hi"), text("hi")},
		{tool(more(0, "}")), ""},
		{tool(open(1, "b", "ls", "{}")), tool(open(0, "b", "ls", "{}"))},
	} {
		s := dialecttest.Step{In: string(stream(step[0]))}
		if step[1] != "" {
			s.Want = string(stream(step[1]))
		}
		steps = append(steps, s)
	}
	dialecttest.CheckSteps(t, openaichat.Format(), refuse(false, "rm"), steps)
}
