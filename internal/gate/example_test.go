package gate_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/ollama"
)

// strict refuses every call of Bash. The real judge asks the policy and records the ruling before it calls done.
type strict struct{}

func (strict) rule(c call.Call) call.Ruling {
	if c.Tool == "Bash" {
		return call.Ruling{Code: call.CodeToolDenied, Reason: "No shell."}
	}
	return call.Ruling{Released: true}
}

func (strict) RefusedByName(call.Call) (call.Ruling, bool) { return call.Ruling{}, false }

func (s strict) Judge(_ context.Context, c call.Call, done func(call.Ruling)) { done(s.rule(c)) }

func (strict) Refuse(_ call.Call, r call.Ruling, done func(call.Ruling)) { done(r) }

func (strict) Arguments(call.Call, call.Ruling) {}

func (strict) Withdraw(_ call.Call, r call.Ruling, done func(call.Ruling)) { done(r) }

func (strict) Ended(call.Outcome) {}

type client struct{ bytes.Buffer }

func (*client) Flush() error { return nil }

// A response goes through the gate: text unchanged, and a notice in the place of a refused call.
func ExampleGate_Pass() {
	const upstream = `{"model":"m","message":{"role":"assistant","content":"On it."},"done":false}
{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"Bash","arguments":{"command":"rm -rf /"}}}]},"done":false}
{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}
`
	source := &frame.Source{R: strings.NewReader(upstream)}
	var out client
	err := gate.New(gate.Config{Judge: strict{}}).Pass(context.Background(), gate.Passage{
		Dialect: ollama.Format().New(dialect.Options{MaxArguments: 1 << 20}),
		Source:  source,
		In:      frame.NewLines(source, 0),
		Out:     &out,
	})
	fmt.Println(err)
	fmt.Print(out.String())
	// Output:
	// <nil>
	// {"model":"m","message":{"role":"assistant","content":"On it."},"done":false}
	// {"model":"m","message":{"role":"assistant","content":""},"done":false}
	// {"model":"m","message":{"role":"assistant","content":"\n\n[weir] The call to \"Bash\" was refused (tool_denied): No shell. Do not retry it; continue without it or ask the user."},"done":true,"done_reason":"stop"}
}
