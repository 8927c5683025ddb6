package openaichat_test

import (
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

const (
	rmCall  = `{"id":"a","type":"function","function":{"name":"rm","arguments":"{\"p\":1}"}}`
	lsCall  = `{"id":"b", "type":"function","function":{"name":"ls","arguments":"{\"n\":1.50}"}}`
	sqlCall = `{"id":"c","type":"custom","custom":{"name":"sql","input":"select 1"}}`
)

// assistant is a message with such content and calls.
func assistant(content, calls string) string {
	return `{"role":"assistant","content":` + content + `,"tool_calls":[` + calls + `]}`
}

func TestBody(t *testing.T) {
	rm := expected{calls: []string{`rm {"p":1}`}, same: true}
	with := func(entry string) string { return message(assistant("null", entry), "tool_calls") }
	tests := map[string]struct {
		body string
		want expected
	}{
		"call":                   {with(rmCall), rm},
		"forced tool":            {message(assistant("null", rmCall), "stop"), rm},
		"call, turn cut":         {message(assistant(`"x"`, rmCall), "length"), rm},
		"content in parts":       {message(assistant(`[{"type":"text","text":"x"}]`, rmCall), "tool_calls"), rm},
		"custom":                 {with(sqlCall), expected{calls: []string{`sql {"input":"select 1"}`}, same: true}},
		"custom, turn cut":       {message(assistant("null", sqlCall), "length"), faulty(call.CodeCutShort)},
		"legacy":                 {message(`{"role":"assistant","content":null,"function_call":{"name":"rm","arguments":"{\"p\":1}"}}`, "function_call"), rm},
		"unknown type":           {with(`{"id":"a","type":"shell","cmd":"ls"}`), expected{calls: []string{`shell {"cmd":"ls","id":"a","type":"shell"}`}, same: true}},
		"no id":                  {with(strings.Replace(rmCall, `"id":"a",`, "", 1)), expected{calls: rm.calls}},
		"no type":                {with(strings.Replace(rmCall, `"type":"function",`, "", 1)), expected{calls: rm.calls}},
		"arguments as an object": {with(`{"id":"a","type":"function","function":{"name":"rm","arguments":{"p":1}}}`), expected{calls: rm.calls}},
		"no arguments":           {with(`{"id":"a","type":"function","function":{"name":"rm","arguments":""}}`), expected{calls: []string{"rm {}"}}},
		"no arguments, cut":      {message(assistant("null", `{"id":"a","type":"function","function":{"name":"rm","arguments":""}}`), "length"), faulty(call.CodeCutShort)},
		"no arguments, no end":   {strings.Replace(message(assistant("null", `{"id":"a","type":"function","function":{"name":"rm","arguments":""}}`), "x"), `"x"}`, `null}`, 1), faulty(call.CodeCutShort)},
		"two objects":            {with(strings.Replace(rmCall, `1}`, `1}{}`, 1)), faulty(call.CodeArgsUnreadable)},
		"ambiguous arguments":    {with(strings.Replace(rmCall, `1}`, `1,\"P\":2}`, 1)), faulty(call.CodeArgsUnreadable)},
		"index in the message":   {with(strings.Replace(rmCall, `{"id"`, `{"index":7,"id"`, 1)), rm},
		"choices without index":  {`{"object":"chat.completion","choices":[{"message":` + assistant("null", rmCall) + `,"finish_reason":"stop"}]}`, rm},
		"choices of one index": {`{"object":"chat.completion","choices":[{"index":0,"message":` + assistant("null", rmCall) + `,"finish_reason":"stop"},` +
			`{"index":0,"message":` + assistant("null", lsCall) + `,"finish_reason":"stop"}]}`, expected{calls: []string{`rm {"p":1}`, `ls {"n":1.50}`}, same: true}},
		"pieces in a body":      {tool(rmEntry), malformed},
		"text chunk as a body":  {text("x"), asSent},
		"error":                 {failure, asSent},
		"error and a call":      {strings.Replace(with(rmCall), `"choices"`, `"error":{"code":1},"choices"`, 1), faulty(call.CodeCutShort)},
		"no choices":            {`{"object":"chat.completion","choices":[]}`, asSent},
		"message a string":      {message(`"x"`, "stop"), malformed},
		"tool_calls twice":      {message(`{"tool_calls":[],"tool_calls":[`+rmCall+`]}`, "stop"), malformed},
		"message in both cases": {strings.Replace(with(rmCall), `"message"`, `"Message":{},"message"`, 1), malformed},
		"not JSON":              {`{"choices"`, malformed},
		"stored list":           {`{"object":"list","data":[` + with(rmCall) + `]}`, malformed},
		"[DONE]":                {"[DONE]", asSent},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { checkExpected(t, []byte(tt.body), true, tt.want) })
	}
}

func TestRefusedInBody(t *testing.T) {
	all, some := refuse(false, "*"), refuse(false, "rm")
	denied := quote(noticeFor("rm"))
	legacy := `{"role":"assistant","content":null,"function_call":{"name":"rm","arguments":"{}"}}`
	tests := map[string]struct {
		in, want string
		policy   dialecttest.Policy
	}{
		"all": {
			message(assistant("null", rmCall+","+lsCall), "tool_calls"),
			message(`{"role":"assistant","content":`+quote(noticeFor("rm")+"\n"+noticeFor("ls"))+`}`, "stop"), all,
		},
		"one": {
			message(assistant("null", rmCall+", "+lsCall), "tool_calls"),
			message(assistant(denied, lsCall), "tool_calls"), some,
		},
		"after text": {
			message(assistant(`"hi"`, rmCall), "tool_calls"),
			message(`{"role":"assistant","content":`+quote("hi\n\n"+noticeFor("rm"))+`}`, "stop"), all,
		},
		"after empty text": {
			message(assistant(`""`, rmCall), "tool_calls"),
			message(`{"role":"assistant","content":`+denied+`}`, "stop"), all,
		},
		"after parts": {
			message(assistant(`[ {"type":"text","text":"hi"} ]`, rmCall), "tool_calls"),
			message(`{"role":"assistant","content":[ {"type":"text","text":"hi"},{"type":"text","text":`+quote("\n\n"+noticeFor("rm"))+`}]}`, "stop"), all,
		},
		"after no parts": {
			message(assistant(`[]`, rmCall), "tool_calls"),
			message(`{"role":"assistant","content":[{"type":"text","text":`+denied+`}]}`, "stop"), all,
		},
		"no content": {
			message(`{"role":"assistant","tool_calls":[`+rmCall+`]}`, "tool_calls"),
			message(`{"role":"assistant","content":`+denied+`}`, "stop"), all,
		},
		"legacy":        {message(legacy, "function_call"), message(`{"role":"assistant","content":`+denied+`}`, "stop"), all},
		"other reasons": {message(assistant("null", rmCall), "stop"), message(`{"role":"assistant","content":`+denied+`}`, "stop"), all},
		"dropped":       {message(assistant("null", rmCall+","+lsCall), "tool_calls"), message(assistant("null", lsCall), "tool_calls"), refuse(true, "rm")},
		"dropped, text": {message(assistant(`"hi"`, rmCall), "tool_calls"), message(`{"role":"assistant","content":"hi"}`, "stop"), refuse(true, "rm")},
		"dropped, nothing left": {
			message(assistant("null", rmCall), "tool_calls"),
			message(`{"role":"assistant","content":`+denied+`}`, "stop"), refuse(true, "rm"),
		},
		"tokens go": {
			strings.Replace(message(assistant("null", rmCall), "tool_calls"), `"logprobs":null`, `"logprobs":{"content":[{"token":"{\"p\":1}"}]}`, 1),
			message(`{"role":"assistant","content":`+denied+`}`, "stop"), all,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := pass([]byte(tt.in), true, tt.policy)
			dialecttest.CheckOut(t, tt.want, r)
		})
	}
}
