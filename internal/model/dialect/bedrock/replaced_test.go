package bedrock_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

const odd = dialecttest.OddArguments

// given is the piece with all arguments of a call that got others.
func given(index any) string { return delta(index, `{"toolUse":{"input":`+dialect.Quote(odd)+`}}`) }

// sent is the piece with what stands between the quotes of its string.
func sent(index any, body string) string { return piece(index, `"`+body+`"`) }

func TestReplacedInStream(t *testing.T) {
	quoting := `messageStop {"stopReason":"tool_use","additionalModelResponseFields":{"x":"secret"}}`
	traced := strings.TrimSuffix(costs, "}") + `,"trace":{"guardrail":{"modelOutput":["secret"]}}}`
	tests := map[string]struct{ in, want []string }{
		"in pieces": {
			[]string{start, tool(0, "rm"), sent(0, ""), sent(0, `{\"p\":\"sec`), sent(0, `ret\"}`), stopBlock(0), end, costs},
			[]string{start, tool(0, "rm"), given(0), stopBlock(0), end, costs},
		},
		"a character in two pieces": {
			[]string{start, tool(0, "rm"), sent(0, `{\"p\":\"\ud83d`), sent(0, `\ude00\"}`), stopBlock(0), end, costs},
			[]string{start, tool(0, "rm"), given(0), stopBlock(0), end, costs},
		},
		"no arguments": {
			[]string{start, tool(0, "rm"), stopBlock(0), end, costs},
			[]string{start, tool(0, "rm"), given(0), stopBlock(0), end, costs},
		},
		"one of two, after text": {
			[]string{
				start, says(0, "hi"), stopBlock(0), tool(1, "ls"), sent(1, `{\"n\":`), sent(1, `1.50}`), stopBlock(1),
				tool(2, "rm"), sent(2, `{\"p\":\"secret\"}`), stopBlock(2), end, costs,
			},
			[]string{
				start, says(0, "hi"), stopBlock(0), tool(1, "ls"), sent(1, `{\"n\":`), sent(1, `1.50}`), stopBlock(1),
				tool(2, "rm"), given(2), stopBlock(2), end, costs,
			},
		},
		"indexes with a gap": {
			[]string{start, tool(3, "rm"), sent(3, `{}`), stopBlock(3), end, costs},
			[]string{start, tool(0, "rm"), given(0), stopBlock(0), end, costs},
		},
		"what quotes it": {
			[]string{start, tool(0, "rm"), sent(0, `{\"p\":\"secret\"}`), stopBlock(0), quoting, traced},
			[]string{start, tool(0, "rm"), given(0), stopBlock(0), end, costs},
		},
		"what quotes another": {
			[]string{start, tool(0, "ls"), sent(0, `{}`), stopBlock(0), quoting, traced},
			[]string{start, tool(0, "ls"), sent(0, `{}`), stopBlock(0), quoting, traced},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := pass(stream(tt.in...), false, dialecttest.ReplaceWith(map[string]string{"rm": odd}))
			if diff := cmp.Diff(told(stream(tt.want...)), told(r.Out)); diff != "" {
				t.Errorf("what the agent gets (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReplacedInBody(t *testing.T) {
	block := func(input string) string {
		return `{"toolUse":{"toolUseId":"t","name":"rm"` + input + `,"x": 1.50}}`
	}
	quoting := func(body string) string {
		return strings.TrimSuffix(body, "}") + `,"trace":{"modelOutput":["secret"]}}`
	}
	other := `{"toolUse":{"toolUseId":"u","name":"ls","input":{"n":1.50}}}`
	tests := map[string]struct{ in, want string }{
		"an object":    {body("tool_use", block(`,"input":{"p":"secret"}`)), body("tool_use", block(`,"input":`+odd))},
		"no arguments": {body("tool_use", block(`,"input":null`)), body("tool_use", block(`,"input":`+odd))},
		"no member": {
			body("tool_use", block("")),
			body("tool_use", strings.Replace(block(""), `"x": 1.50`, `"x": 1.50,"input":`+odd, 1)),
		},
		"one of two":     {body("tool_use", other, block(`,"input":{}`)), body("tool_use", other, block(`,"input":`+odd))},
		"what quotes it": {quoting(body("tool_use", block(`,"input":{"p":"secret"}`))), body("tool_use", block(`,"input":`+odd))},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := pass([]byte(tt.in), true, dialecttest.ReplaceWith(map[string]string{"rm": odd}))
			dialecttest.CheckOut(t, tt.want, r)
		})
	}
}

// What cannot be given other arguments says so.
func TestFixed(t *testing.T) {
	tests := map[string]struct {
		block string
		want  bool
	}{
		"a call":           {rmBlock, false},
		"one that has run": {`{"toolUse":{"toolUseId":"t","name":"rm","type":"server_tool_use","input":{}}}`, true},
		"something new":    {`{"hologram":{"x":1}}`, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := pass([]byte(body("tool_use", tt.block)), true, dialecttest.AllowAll())
			if got := r.Events[0].Call.Fixed; got != tt.want {
				t.Errorf("fixed: %v, want %v", got, tt.want)
			}
		})
	}
}
