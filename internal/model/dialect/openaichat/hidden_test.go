package openaichat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// Nothing of a call passes in a place where no client of this format looks for one: clients of others might.
func TestNothingPassesBesideTheCalls(t *testing.T) {
	const secret = "only-in-the-arguments"
	calls := `[{"index":0,"id":"a","type":"function","function":{"name":"rm","arguments":"{\"a\":\"` + secret + `\"}"}}]`
	single := `{"name":"rm","arguments":"` + secret + `"}`
	for _, tt := range []string{
		`"choices":[{"index":0,"delta":{"content":"x"},"tool_calls":` + calls + `}]`,
		`"choices":[{"index":0,"delta":{"content":"x"},"function_call":` + single + `}]`,
		`"choices":[{"index":0,"delta":{"content":"x"}}],"tool_calls":` + calls,
		`"choices":[{"index":0,"delta":{"content":"x"}}],"toolUse":` + single,
		`"choices":[{"index":0,"delta":{"content":"x","toolCalls":` + calls + `}}]`,
		`"choices":[{"index":0,"delta":{"content":"x","functionCall":` + single + `}}]`,
		`"choices":[{"index":0,"delta":{"content":"x"},"logprobs":{"tool_calls":` + calls + `}}]`,
		`"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"ls","arguments":"{}"},"name":"rm","arguments":"` + secret + `"}]}}]`,
		`"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"ls","arguments":"{}","input":"` + secret + `"}}]}}]`,
		`"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"ls","arguments":"{}"},"functionCall":` + single + `}]}}]`,
	} {
		for name, in := range map[string][]string{
			"at once": {"{" + tt + "}"},
			"later":   {role, text("hi"), "{" + tt + "}"},
		} {
			out := string(pass(stream(append(in, finish("stop"), "[DONE]")...), false, dialecttest.AllowAll()).Out)
			if strings.Contains(out, secret) {
				t.Errorf("%s: %s\n%s", name, tt, out)
			}
		}
		whole := strings.ReplaceAll(tt, `"delta":`, `"message":`)
		if out := string(pass([]byte("{"+whole+"}"), true, dialecttest.AllowAll()).Out); strings.Contains(out, secret) {
			t.Errorf("whole: %s\n%s", whole, out)
		}
	}
}

// The tokens of a refused call are not in the log probabilities either, wherever they come.
func TestTokensOfRefusedCalls(t *testing.T) {
	tokens := `"logprobs":{"content":[{"token":"only-in-the-arguments"}]}`
	in := stream(role, tool(open(0, "a", "rm", "{")),
		chunk(`{"index":0,"delta":{"content":""},`+tokens+`,"finish_reason":null}`), tool(more(0, "}")),
		chunk(`{"index":0,"delta":{},`+tokens+`,"finish_reason":"tool_calls"}`), "[DONE]")
	if out := string(pass(in, false, refuse(false, "rm")).Out); strings.Contains(out, "only-in-the-arguments") {
		t.Error(out)
	}
	if out := string(pass(in, false, dialecttest.AllowAll()).Out); strings.Count(out, "only-in-the-arguments") != 2 {
		t.Errorf("tokens of an allowed call: %s", out)
	}
}

// Members that we do not know are kept, but not without end.
func TestTooManyExtras(t *testing.T) {
	var extras strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&extras, `,"k%d":0`, i)
	}
	entry := strings.TrimSuffix(rmEntry, "}") + extras.String() + "}"
	out := string(pass(stream(role, tool(entry), finish("tool_calls"), "[DONE]"), false, dialecttest.AllowAll()).Out)
	if !strings.Contains(out, "args_oversize") || strings.Contains(out, "k99999") {
		t.Errorf("%.500s", out)
	}
}
