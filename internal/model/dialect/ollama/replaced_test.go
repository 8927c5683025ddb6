package ollama_test

import (
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

const odd = dialecttest.OddArguments

// secret is a call whose arguments are replaced.
func secret(args string) string { return numbered("x", "0", "rm", args) }

var replacedLines = map[string]struct{ in, want []string }{
	"an object":    {[]string{tools(secret(`{"p":"secret"}`)), done}, []string{tools(secret(odd)), done}},
	"a text":       {[]string{tools(secret(`"{\"p\":\"secret\"}"`)), done}, []string{tools(secret(odd)), done}},
	"no arguments": {[]string{tools(secret(`null`)), done}, []string{tools(secret(odd)), done}},
	"no member": {
		[]string{tools(`{"function":{"name":"rm"}}`), done}, []string{tools(`{"function":{"name":"rm","arguments":` + odd + `}}`), done},
	},
	"one of two": {[]string{tools(ls, secret(`{"p":"secret"}`)), done}, []string{tools(ls, numbered("x", "1", "rm", odd)), done}},
	"tokens": {
		[]string{tokens(tools(secret(`{"p":"secret"}`)), "secret"), done}, []string{noTokens(tools(secret(odd))), done},
	},
	"tokens of another": {[]string{tokens(tools(ls), "x"), done}, []string{tokens(tools(ls), "x"), done}},
	"text beside it": {
		[]string{said(`"content":"hi","tool_calls":[` + secret(`{"p":"secret"}`) + `],"x":1`), done},
		[]string{said(`"content":"hi","tool_calls":[` + secret(odd) + `],"x":1`), done},
	},
}

func TestReplaced(t *testing.T) {
	for name, tt := range replacedLines {
		t.Run(name, func(t *testing.T) {
			r := pass(lines(tt.in...), false, dialecttest.ReplaceWith(map[string]string{"rm": odd}))
			dialecttest.CheckOut(t, string(lines(tt.want...)), r)
		})
	}
}

func TestReplacedInBody(t *testing.T) {
	body := strings.Replace(done, `"content":""`, `"content":"","tool_calls":[ENTRY]`, 1)
	in := strings.Replace(body, "ENTRY", secret(`{"p":"secret"}`), 1)
	r := pass([]byte(in), true, dialecttest.ReplaceWith(map[string]string{"rm": odd}))
	dialecttest.CheckOut(t, strings.Replace(body, "ENTRY", secret(odd), 1), r)
}

// What cannot be given other arguments says so.
func TestFixed(t *testing.T) {
	for entry, want := range map[string]bool{secret("{}"): false, `{"type":"new","x":1}`: true} {
		r := pass(lines(tools(entry), done), false, dialecttest.AllowAll())
		if got := r.Events[0].Call.Fixed; got != want {
			t.Errorf("%s is fixed: %v, want %v", entry, got, want)
		}
	}
}
