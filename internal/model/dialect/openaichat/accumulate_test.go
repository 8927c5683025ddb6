package openaichat_test

import (
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// accumulations is the reference's table of what clients make of irregular streams, for the models of clients as they read
// the upstream. Behind the gate all of them must see what released says, and no call besides.
var accumulations = map[string]struct {
	in       []string
	node     string // openai-node stream
	loop     string // raw loop
	golang   string // openai-go accumulator
	python   string
	sdk      string // ai-sdk
	released string
	code     string // of the outcome
}{
	"regular": {
		in:   []string{role, tool(open(0, "a", "rm", ``)), tool(more(0, `{\"p\":`)), tool(more(0, `1}`)), finish("tool_calls"), "[DONE]"},
		node: `a rm {"p":1}`, loop: `a rm {"p":1}`, golang: `a rm {"p":1}`, python: `a rm {"p":1}`, sdk: `a rm {"p":1}`,
		released: `a rm {"p":1}`,
	},
	"name in two pieces": {
		in:   []string{role, tool(open(0, "a", "read_", ``)), tool(open(0, "a", "file", `{\"p\":`)), tool(more(0, `1}`)), finish("tool_calls"), "[DONE]"},
		node: `a file {"p":1}`, loop: `a read_ {"p":1}`, golang: `a read_file {"p":1}`, python: `aa read_file {"p":1}`,
		sdk: `a read_ not JSON: ; a file {"p":1}`, released: `a read_file {"p":1}`,
	},
	"name repeated": {
		in:   []string{role, tool(open(0, "a", "rm", `{\"p\":`)), tool(open(0, "a", "rm", `1}`)), finish("tool_calls"), "[DONE]"},
		node: `a rm {"p":1}`, loop: `a rm {"p":1}`, golang: `a rmrm {"p":1}`, python: `aa rmrm {"p":1}`,
		sdk: `a rm not JSON: {"p":; a rm not JSON: 1}`, released: `a rm {"p":1}`,
	},
	"id repeated": {
		in:   []string{role, tool(open(0, "a", "rm", `{`)), tool(`{"index":0,"id":"a","function":{"arguments":"}"}}`), finish("tool_calls"), "[DONE]"},
		node: `a rm {}`, loop: `a rm {}`, golang: `a rm {}`, python: `aa rm {}`, sdk: `a rm {}`, released: `a rm {}`,
	},
	"no index": {
		in:   []string{role, tool(strings.Replace(open(0, "a", "rm", `{}`), `"index":0,`, "", 1)), finish("tool_calls"), "[DONE]"},
		node: "", loop: `a rm {}`, golang: `a rm {}`, python: "", sdk: `a rm {}`, released: `a rm {}`,
	},
	"index -1": {
		in:   []string{role, tool(open(-1, "a", "rm", `{}`)), finish("tool_calls"), "[DONE]"},
		node: "", loop: `a rm {}`, golang: `a rm {}`, python: "", sdk: `a rm {}`, released: `a rm {}`,
	},
	"no type": {
		in:   []string{role, tool(`{"index":0,"id":"a","function":{"name":"rm","arguments":"{}"}}`), finish("tool_calls"), "[DONE]"},
		node: "throws", loop: `a rm {}`, golang: `a rm {}`, python: `a rm {}`, sdk: `a rm {}`, released: `a rm {}`,
	},
	"gap": {
		in:   []string{role, tool(open(0, "a", "rm", `{}`)), tool(open(2, "b", "ls", `{}`)), finish("tool_calls"), "[DONE]"},
		node: `a rm {}; b ls {}`, loop: `a rm {}; b ls {}`, golang: `a rm {}; b ls {}`, python: `a rm {}; b ls {}`,
		sdk: `a rm {}; b ls {}`, released: `a rm {}; b ls {}`,
	},
	"two full calls, same index": {
		in:   []string{role, tool(open(0, "a", "rm", `{}`)), tool(open(0, "b", "ls", `{}`)), finish("tool_calls"), "[DONE]"},
		node: `b ls not JSON: {}{}`, loop: `a rm not JSON: {}{}`, golang: `b rmls not JSON: {}{}`, python: `ab rmls not JSON: {}{}`,
		sdk: `a rm {}; b ls {}`, released: `a rm {}; b ls {}`,
	},
	"two full calls, same index, one delta": {
		in:   []string{role, tool(open(0, "a", "rm", `{}`), open(0, "b", "ls", `{}`)), finish("tool_calls"), "[DONE]"},
		node: `b ls not JSON: {}{}`, loop: `a rm not JSON: {}{}`, golang: `b rmls not JSON: {}{}`, python: `ab rmls not JSON: {}{}`,
		sdk: `a rm {}; b ls {}`, released: `a rm {}; b ls {}`,
	},
	"whole call sent twice": {
		in:   []string{role, tool(open(0, "a", "rm", `{}`)), tool(open(0, "a", "rm", `{}`)), finish("tool_calls"), "[DONE]"},
		node: `a rm not JSON: {}{}`, loop: `a rm not JSON: {}{}`, golang: `a rmrm not JSON: {}{}`, python: `aa rmrm not JSON: {}{}`,
		sdk: `a rm {}; a rm {}`, released: `a rm {}`, code: "malformed",
	},
	"arguments as an object": {
		in:   []string{role, tool(`{"index":0,"id":"a","type":"function","function":{"name":"rm","arguments":{"p":1}}}`), finish("tool_calls"), "[DONE]"},
		node: `a rm not JSON: [object Object]`, loop: `a rm not JSON: [object Object]`, golang: `a rm {"p":1}`,
		python: `a rm not JSON: [object Object]`, sdk: `a rm not JSON: [object Object]`, released: `a rm {"p":1}`,
	},
	"arguments null at first": {
		in: []string{
			role, tool(`{"index":0,"id":"a","type":"function","function":{"name":"rm","arguments":null}}`), tool(more(0, `{}`)),
			finish("tool_calls"), "[DONE]",
		},
		node: `a rm {}`, loop: `a rm not JSON: null{}`, golang: `a rm {}`, python: `a rm {}`, sdk: `a rm {}`, released: `a rm {}`,
	},
	"after finish_reason": {
		in:   []string{role, delta(`{"content":"hi"}`), finish("stop"), tool(open(0, "a", "rm", `{}`)), "[DONE]"},
		node: `a rm {}`, loop: `a rm {}`, golang: `a rm {}`, python: `a rm {}`, sdk: `a rm {}`, released: "",
	},
	"after [DONE]": {
		in:   []string{role, finish("stop"), "[DONE]", tool(open(0, "a", "rm", `{}`))},
		node: "", loop: "", golang: "", python: "", sdk: `a rm {}`, released: "", code: "malformed",
	},
	"choice without index": {
		in:   []string{role, chunk(`{"delta":{"tool_calls":[` + open(0, "a", "rm", `{}`) + `]},"finish_reason":null}`), finish("tool_calls"), "[DONE]"},
		node: "", loop: `a rm {}`, golang: `a rm {}`, python: "", sdk: `a rm {}`, released: `a rm {}`,
	},
	"n=2 interleaved": {
		in: []string{
			role, choiceTool(0, open(0, "a", "rm", `{\"p\":`)), choiceTool(1, open(0, "b", "ls", `{\"q\":`)),
			choiceTool(0, more(0, `1}`)), choiceTool(1, more(0, `2}`)), choiceEnd(0, "tool_calls"), choiceEnd(1, "tool_calls"), "[DONE]",
		},
		node: `a rm {"p":1}; b ls {"q":2}`, loop: `a rm {"p":1}; b ls {"q":2}`, golang: `a rm {"p":1}; b ls {"q":2}`,
		python: `a rm {"p":1}; b ls {"q":2}`, sdk: `a rm not JSON: {"p":; b ls {"q":1}`, released: `a rm {"p":1}; b ls {"q":2}`,
	},
	"whole message in a chunk": {
		in: []string{
			role, chunk(`{"index":0,"message":{"tool_calls":[{"id":"a","type":"function","function":{"name":"rm","arguments":"{}"}}]},"finish_reason":"tool_calls"}`),
			"[DONE]",
		},
		node: `a rm {}`, loop: "", golang: "", python: "", sdk: "", released: `a rm {}`,
	},
	"whole message, then pieces": {
		in: []string{
			role, chunk(`{"index":0,"message":{"tool_calls":[{"id":"a","type":"function","function":{"name":"rm","arguments":"{}"}}]},"finish_reason":null}`),
			tool(open(0, "b", "ls", `{}`)), finish("tool_calls"), "[DONE]",
		},
		node: `b ls not JSON: {}{}`, loop: `b ls {}`, golang: `b ls {}`, python: `b ls {}`, sdk: `b ls {}`, released: `a rm {}`, code: "malformed",
	},
	"tool_calls twice": {
		in:   []string{role, delta(`{"tool_calls":[` + open(0, "a", "rm", `{}`) + `],"tool_calls":[]}`), finish("tool_calls"), "[DONE]"},
		node: "", loop: "", golang: `a rm {}`, python: "", sdk: "", released: "", code: "malformed",
	},
	"a character in two pieces": {
		in:   []string{role, tool(open(0, "a", "rm", `{\"p\":\"\ud83d`)), tool(more(0, `\ude00\"}`)), finish("tool_calls"), "[DONE]"},
		node: `a rm {"p":"😀"}`, loop: `a rm {"p":"😀"}`, golang: "a rm {\"p\":\"\ufffd\ufffd\"}", python: "a rm {\"p\":\"\ufffd\ufffd\"}",
		sdk: `a rm {"p":"😀"}`, released: `a rm {"p":"😀"}`,
	},
	"custom in pieces": {
		in: []string{
			role, tool(`{"index":0,"id":"a","type":"custom","custom":{"name":"sql","input":"select"}}`),
			tool(`{"index":0,"custom":{"input":" 1"}}`), finish("tool_calls"), "[DONE]",
		},
		node: "", loop: "", golang: "", python: `a sql {"input":"select 1"}`, sdk: "throws",
		released: `a sql {"input":"select 1"}`,
	},
	"custom among pieces": {
		in: []string{
			role, tool(open(0, "a", "rm", `{`)), tool(more(0, `\"p\":1`), strings.Replace(customEntry, `"index":0,"id":"a"`, `"index":1,"id":"b"`, 1)),
			tool(more(0, `}`)), finish("tool_calls"), "[DONE]",
		},
		node: `a rm {"p":1}; b sql {"input":"select 1"}`, loop: `a rm {"p":1}`, golang: `a rm {"p":1}`,
		python: `a rm {"p":1}; b sql {"input":"select 1"}`, sdk: `a rm not JSON: {"p":1`,
		released: `a rm {"p":1}; b sql {"input":"select 1"}`,
	},
	"legacy name in pieces": {
		in: []string{
			role, delta(`{"function_call":{"name":"read_","arguments":""}}`), delta(`{"function_call":{"name":"file","arguments":"{}"}}`),
			finish("function_call"), "[DONE]",
		},
		node: ` file {}`, loop: "", golang: ` read_file {}`, python: ` read_file {}`, sdk: "", released: ` read_file {}`,
	},
}

func TestAccumulators(t *testing.T) {
	for name, tt := range accumulations {
		t.Run(name, func(t *testing.T) {
			want := map[string]string{
				"openai-node stream": tt.node, "raw loop": tt.loop, "openai-go accumulator": tt.golang,
				"openai-python accumulator": tt.python, "ai-sdk compat": tt.sdk,
			}
			events := dialecttest.Framings()[0].Events(stream(tt.in...))
			for _, c := range clients() {
				if _, listed := want[c.name]; !listed {
					continue
				}
				seen, err := c.read(events)
				got := spell(seen)
				if err != nil && len(seen) == 0 {
					got = "throws"
				}
				if got != want[c.name] {
					t.Errorf("the model of %s sees %q, want %q (%v)", c.name, got, want[c.name], err)
				}
			}
			r := pass(stream(tt.in...), false, dialecttest.AllowAll())
			if got := spell(lenientCalls(dialecttest.Framings()[0].Events(r.Out))); got != tt.released {
				t.Errorf("behind the gate clients see %q, want %q\n%s", got, tt.released, r.Out)
			}
			if got := r.Outcome().Code; got != tt.code {
				t.Errorf("the outcome is %q, want %q", got, tt.code)
			}
		})
	}
}

// spell writes calls as a table has them.
func spell(seen []dialecttest.Seen) string {
	var list []string
	for _, s := range seen {
		list = append(list, s.ID+" "+s.Name+" "+s.Args)
	}
	return strings.Join(list, "; ")
}
