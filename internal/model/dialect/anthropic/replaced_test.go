package anthropic_test

import (
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

const odd = dialecttest.OddArguments

// given is the piece with all arguments of a call that got others.
func given(index any, args string) string { return piece(index, dialect.Quote(args)) }

// part is a piece with what stands between the quotes of its string.
func part(index any, body string) string { return piece(index, `"`+body+`"`) }

func TestReplacedInStream(t *testing.T) {
	ls := `{"type":"tool_use","id":"t2","name":"ls","input":{}}`
	traced := strings.TrimSuffix(ending, "}") + `,"amazon-bedrock-trace":{"guardrail":{"modelOutput":["secret"]}}}`
	tests := map[string]struct {
		in, want []string
		args     map[string]string
	}{
		"in pieces": {
			[]string{start, toolBlock(0, "{}"), part(0, ""), part(0, `{\"p\":\"sec`), part(0, `ret\"}`), stopBlock(0), end, ending},
			[]string{start, toolBlock(0, "{}"), given(0, odd), stopBlock(0), end, ending},
			map[string]string{"rm": odd},
		},
		"a character in two pieces": {
			[]string{start, toolBlock(0, "{}"), part(0, `{\"p\":\"\ud83d`), part(0, `\ude00\"}`), stopBlock(0), end, ending},
			[]string{start, toolBlock(0, "{}"), given(0, odd), stopBlock(0), end, ending},
			map[string]string{"rm": odd},
		},
		"no arguments": {
			[]string{start, toolBlock(0, "{}"), stopBlock(0), end, ending},
			[]string{start, toolBlock(0, "{}"), given(0, odd), stopBlock(0), end, ending},
			map[string]string{"rm": odd},
		},
		"in the start": {
			[]string{start, toolBlock(0, `{"p":"secret"}`), stopBlock(0), end, ending},
			[]string{start, toolBlock(0, odd), stopBlock(0), end, ending},
			map[string]string{"rm": odd},
		},
		"one of two, interleaved": {
			[]string{
				start, toolBlock(0, "{}"), startBlock(1, ls), part(0, `{\"p\":`), part(1, `{\"n\":`), part(0, `\"secret\"}`), stopBlock(0),
				part(1, `1.50}`), stopBlock(1), end, ending,
			},
			[]string{
				start, toolBlock(0, "{}"), given(0, odd), startBlock(1, ls), part(1, `{\"n\":`), stopBlock(0), part(1, `1.50}`), stopBlock(1), end, ending,
			},
			map[string]string{"rm": odd},
		},
		"in the message's start": {
			[]string{strings.Replace(start, `"content":[]`, `"content":[{"type":"tool_use","id":"t","name":"rm","input":{"p":"secret"},"x":1}]`, 1), end, ending},
			[]string{strings.Replace(start, `"content":[]`, `"content":[{"type":"tool_use","id":"t","name":"rm","input":`+odd+`,"x":1}]`, 1), end, ending},
			map[string]string{"rm": odd},
		},
		"a guardrail's trace": {
			[]string{start, toolBlock(0, "{}"), part(0, `{\"p\":\"secret\"}`), stopBlock(0), end, traced},
			[]string{start, toolBlock(0, "{}"), given(0, odd), stopBlock(0), end, ending},
			map[string]string{"rm": odd},
		},
		"another tool's": {
			[]string{start, toolBlock(0, "{}"), part(0, `{\"p\":`), part(0, `1}`), stopBlock(0), end, traced},
			[]string{start, toolBlock(0, "{}"), part(0, `{\"p\":`), part(0, `1}`), stopBlock(0), end, traced},
			map[string]string{"ls": odd},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := pass(stream(tt.in...), false, dialecttest.ReplaceWith(tt.args))
			dialecttest.CheckOut(t, string(stream(tt.want...)), r)
		})
	}
}

func TestReplacedInBody(t *testing.T) {
	message := func(input, more string) string {
		return `{"type":"message","role":"assistant","content":[{"type":"text","text":"hi"},{"type":"tool_use","id":"t","name":"rm"` + input +
			`,"caller":{"y": 1}}],"stop_reason":"tool_use"` + more + `}`
	}
	trace := `,"amazon-bedrock-trace":{"guardrail":{"modelOutput":["secret"]}}`
	tests := map[string]struct{ in, want string }{
		"an object":    {message(`,"input":{"p":"secret"}`, trace), message(`,"input":`+odd, "")},
		"no arguments": {message(`,"input":null`, ""), message(`,"input":`+odd, "")},
		"no member": {
			message("", ""),
			strings.Replace(message("", ""), `,"caller":{"y": 1}`, `,"caller":{"y": 1},"input":`+odd, 1),
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := pass([]byte(tt.in), true, dialecttest.ReplaceWith(map[string]string{"rm": odd}))
			dialecttest.CheckOut(t, tt.want, r)
		})
	}
}

// What cannot be given other arguments is refused by who wants that, and not asked to be.
func TestFixed(t *testing.T) {
	tests := map[string]struct {
		block string
		want  bool
	}{
		"a call":           {`{"type":"tool_use","id":"t","name":"rm","input":{}}`, false},
		"one that has run": {`{"type":"server_tool_use","id":"t","name":"rm","input":{}}`, true},
		"one of a server":  {`{"type":"mcp_tool_use","id":"t","name":"rm","server_name":"s","input":{}}`, true},
		"something new":    {`{"type":"new","id":"t"}`, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := pass(stream(start, startBlock(0, tt.block), stopBlock(0), end, ending), false, dialecttest.AllowAll())
			if got := r.Events[0].Call.Fixed; got != tt.want {
				t.Errorf("fixed: %v, want %v", got, tt.want)
			}
		})
	}
}
