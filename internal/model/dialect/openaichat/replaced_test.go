package openaichat_test

import (
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

const odd = dialecttest.OddArguments

// given are arguments that replace others, as they stand between quotes.
var given = strings.Trim(dialect.Quote(odd), `"`)

// sqlGiven is what replaces the text of a custom call: its arguments, the text, and how that stands between quotes.
const (
	sqlArgs  = `{"input":"select \ud83d\ude00 \"x\" </script>\u2028"}`
	sqlText  = "select \U0001F600 \"x\" </script>\u2028"
	sqlEntry = `{"index":0,"id":"a","type":"custom","custom":{"name":"sql","input":"TEXT"},"x":1}`
)

func customWith(text string) string {
	return strings.Replace(sqlEntry, `"TEXT"`, dialect.Quote(text), 1)
}

// legacy is a delta with a function_call.
func legacyDelta(members string) string { return delta(`{"function_call":{` + members + `}}`) }

var replacedStreams = map[string]struct{ in, want []string }{
	"in pieces": {
		[]string{role, tool(open(0, "a", "rm", "")), tool(more(0, `{\"p\":\"sec`)), tool(more(0, `ret\"}`)), finish("tool_calls"), "[DONE]"},
		[]string{role, tool(open(0, "a", "rm", given)), finish("tool_calls"), "[DONE]"},
	},
	"at once": {
		[]string{role, tool(open(0, "a", "rm", `{\"p\":\"secret\"}`)), finish("tool_calls"), "[DONE]"},
		[]string{role, tool(open(0, "a", "rm", given)), finish("tool_calls"), "[DONE]"},
	},
	"no arguments": {
		[]string{role, tool(open(0, "a", "rm", "")), finish("tool_calls"), "[DONE]"},
		[]string{role, tool(open(0, "a", "rm", given)), finish("tool_calls"), "[DONE]"},
	},
	"a character in two pieces": {
		[]string{role, tool(open(0, "a", "rm", `{\"p\":\"\ud83d`)), tool(more(0, `\ude00\"}`)), finish("tool_calls"), "[DONE]"},
		[]string{role, tool(open(0, "a", "rm", given)), finish("tool_calls"), "[DONE]"},
	},
	"members that we do not know": {
		[]string{
			role, tool(`{"index":0,"id":"a","type":"function","function":{"name":"rm","arguments":"{","y":2},"x":1}`),
			tool(`{"index":0,"function":{"arguments":"}"},"sig":"c2ln"}`), finish("tool_calls"), "[DONE]",
		},
		[]string{
			role, tool(`{"index":0,"id":"a","type":"function","function":{"name":"rm","arguments":"` + given + `","y":2},"x":1}`),
			tool(`{"index":0,"sig":"c2ln"}`), finish("tool_calls"), "[DONE]",
		},
	},
	"white space behind it": {
		[]string{role, tool(open(0, "a", "rm", "{}")), tool(more(0, `\n`)), finish("tool_calls"), "[DONE]"},
		[]string{role, tool(open(0, "a", "rm", given)), finish("tool_calls"), "[DONE]"},
	},
	"text beside a piece": {
		[]string{role, tool(open(0, "a", "rm", "{")), delta(`{"content":"hi","tool_calls":[` + more(0, "}") + `]}`), finish("tool_calls"), "[DONE]"},
		[]string{role, tool(open(0, "a", "rm", given)), text("hi"), finish("tool_calls"), "[DONE]"},
	},
	"one of two": {
		[]string{role, tool(open(0, "b", "ls", "")), tool(more(0, "{}")), tool(open(1, "a", "rm", "{")), tool(more(1, `}`)), finish("tool_calls"), "[DONE]"},
		[]string{role, tool(open(0, "b", "ls", "")), tool(more(0, "{}")), tool(open(1, "a", "rm", given)), finish("tool_calls"), "[DONE]"},
	},
	"one of two in one delta": {
		[]string{role, tool(open(0, "a", "rm", `{\"p\":\"secret\"}`), open(1, "b", "ls", "{}")), finish("tool_calls"), "[DONE]"},
		[]string{role, tool(open(0, "a", "rm", given), open(1, "b", "ls", "{}")), finish("tool_calls"), "[DONE]"},
	},
	"interleaved": {
		[]string{role, tool(open(0, "a", "rm", "{")), tool(open(1, "b", "ls", "{")), tool(more(0, "}")), tool(more(1, "}")), finish("tool_calls"), "[DONE]"},
		[]string{role, tool(open(0, "a", "rm", given)), tool(open(1, "b", "ls", "{}")), finish("tool_calls"), "[DONE]"},
	},
	"an object": {
		[]string{role, tool(`{"index":0,"id":"a","type":"function","function":{"name":"rm","arguments":{"p":"secret"}}}`), finish("tool_calls"), "[DONE]"},
		[]string{role, tool(open(0, "a", "rm", given)), finish("tool_calls"), "[DONE]"},
	},
	"free text": {
		[]string{role, tool(customWith("secret")), finish("tool_calls"), "[DONE]"},
		[]string{role, tool(customWith(sqlText)), finish("tool_calls"), "[DONE]"},
	},
	"free text in pieces": {
		[]string{role, tool(customWith("sec")), tool(`{"index":0,"custom":{"input":"ret"}}`), finish("tool_calls"), "[DONE]"},
		[]string{role, tool(customWith(sqlText)), finish("tool_calls"), "[DONE]"},
	},
	"function_call": {
		[]string{role, legacyDelta(`"name":"rm","arguments":"","x":1`), legacyDelta(`"arguments":"{\"p\":\"sec"`), legacyDelta(`"arguments":"ret\"}"`), finish("function_call"), "[DONE]"},
		[]string{role, legacyDelta(`"name":"rm","arguments":"` + given + `","x":1`), finish("function_call"), "[DONE]"},
	},
	"function_call without a first text": {
		[]string{role, legacyDelta(`"name":"rm"`), legacyDelta(`"arguments":"{}"`), finish("function_call"), "[DONE]"},
		[]string{role, legacyDelta(`"name":"rm","arguments":"` + given + `"`), finish("function_call"), "[DONE]"},
	},
	"a whole message in a stream": {
		[]string{chunk(`{"index":0,"message":` + assistant("null", rmCall) + `,"finish_reason":"tool_calls"}`), "[DONE]"},
		[]string{chunk(`{"index":0,"message":` + assistant("null", given1(rmCall)) + `,"finish_reason":"tool_calls"}`), "[DONE]"},
	},
	"tokens": {
		[]string{
			role, chunk(`{"index":0,"delta":{"tool_calls":[` + open(0, "a", "rm", "{}") + `]},"logprobs":{"content":[{"token":"secret"}]},"finish_reason":null}`),
			chunk(`{"index":0,"delta":{"content":"hi"},"logprobs":{"content":[{"token":"secret"}]},"finish_reason":null}`), finish("tool_calls"), "[DONE]",
		},
		[]string{
			role, chunk(`{"index":0,"delta":{"tool_calls":[` + open(0, "a", "rm", given) + `]},"logprobs":null,"finish_reason":null}`),
			chunk(`{"index":0,"delta":{"content":"hi"},"logprobs":null,"finish_reason":null}`), finish("tool_calls"), "[DONE]",
		},
	},
	"a guardrail's trace": {
		[]string{role, tool(open(0, "a", "rm", "{}")), traced(finish("tool_calls")), "[DONE]"},
		[]string{role, tool(open(0, "a", "rm", given)), finish("tool_calls"), "[DONE]"},
	},
	"the trace of another": {
		[]string{role, tool(open(0, "a", "ls", "{}")), traced(finish("tool_calls")), "[DONE]"},
		[]string{role, tool(open(0, "a", "ls", "{}")), traced(finish("tool_calls")), "[DONE]"},
	},
}

// given1 is rmCall, or a call like it, with other arguments.
func given1(entry string) string { return strings.Replace(entry, `{\"p\":1}`, given, 1) }

func traced(frame string) string {
	return strings.TrimSuffix(frame, "}") + `,"amazon-bedrock-trace":{"guardrail":{"modelOutput":["secret"]}}}`
}

var replacing = dialecttest.ReplaceWith(map[string]string{"rm": odd, "sql": sqlArgs})

func TestReplacedInStream(t *testing.T) {
	for name, tt := range replacedStreams {
		t.Run(name, func(t *testing.T) {
			r := pass(stream(tt.in...), false, replacing)
			dialecttest.CheckOut(t, string(stream(tt.want...)), r)
		})
	}
}

func TestReplacedInBody(t *testing.T) {
	with := func(entries string) string { return message(assistant("null", entries), "tool_calls") }
	old := func(args string) string {
		return message(`{"role":"assistant","content":null,"function_call":{"name":"rm","arguments":"`+args+`","x":1}}`, "function_call")
	}
	tests := map[string]struct{ in, want string }{
		"a call":        {with(rmCall), with(given1(rmCall))},
		"one of two":    {with(lsCall + "," + rmCall), with(lsCall + "," + given1(rmCall))},
		"a member more": {with(strings.Replace(rmCall, `"id"`, `"x": 1,"id"`, 1)), with(strings.Replace(given1(rmCall), `"id"`, `"x": 1,"id"`, 1))},
		"an object":     {with(strings.Replace(rmCall, `"{\"p\":1}"`, `{"p":"secret"}`, 1)), with(given1(rmCall))},
		"no arguments":  {with(strings.Replace(rmCall, `{\"p\":1}`, "", 1)), with(given1(rmCall))},
		"free text":     {with(sqlCall), with(strings.Replace(sqlCall, `"select 1"`, dialect.Quote(sqlText), 1))},
		"function_call": {old(`{\"p\":\"secret\"}`), old(given)},
		"tokens": {
			strings.Replace(with(rmCall), `"logprobs":null`, `"logprobs":{"content":[{"token":"secret"}]}`, 1), with(given1(rmCall)),
		},
		"a trace": {traced(with(rmCall)), with(given1(rmCall))},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := pass([]byte(tt.in), true, replacing)
			dialecttest.CheckOut(t, tt.want, r)
		})
	}
}

// A judge that gives a call arguments which it cannot have gets it refused.
func TestReplacedWithoutCare(t *testing.T) {
	tests := map[string]struct{ entry, tool, args string }{
		"a call that is fixed":    {`{"id":"a","type":"shell","cmd":"secret"}`, "shell", `{"id":"a","type":"shell","cmd":"x"}`},
		"no text for a free text": {strings.Replace(sqlCall, "select 1", "secret", 1), "sql", `{"p":"x"}`},
		"no object":               {strings.Replace(rmCall, "1", `\"secret\"`, 1), "rm", `"x"`},
		"a name twice":            {strings.Replace(rmCall, "1", `\"secret\"`, 1), "rm", `{"p":1,"P":2}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			policy := dialecttest.ReplaceWith(map[string]string{tt.tool: tt.args})
			policy.Careless = true
			r := pass([]byte(message(assistant("null", tt.entry), "tool_calls")), true, policy)
			if len(r.Events) != 3 || r.Events[1].Kind != "refuse" || r.Events[1].Ruling.Code != call.CodeArgsDenied {
				t.Errorf("the judge is told %+v", r.Events)
			}
			if o := r.Outcome(); o.Released != 0 || o.Refused != 1 {
				t.Errorf("the outcome counts %+v", o)
			}
			if out := string(r.Out); strings.Contains(out, "secret") || !strings.Contains(out, "(args_denied)") || strings.Contains(out, "tool_calls") {
				t.Errorf("the agent gets\n%s", out)
			}
		})
	}
}

// What cannot be given other arguments says so.
func TestFixed(t *testing.T) {
	for entry, want := range map[string]bool{rmCall: false, sqlCall: false, `{"id":"a","type":"shell","cmd":"ls"}`: true} {
		r := pass([]byte(message(assistant("null", entry), "tool_calls")), true, dialecttest.AllowAll())
		if got := r.Events[0].Call.Fixed; got != want {
			t.Errorf("%s is fixed: %v, want %v", entry, got, want)
		}
	}
}
