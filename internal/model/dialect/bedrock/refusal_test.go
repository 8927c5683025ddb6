package bedrock_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/bedrock"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

const removed = "[weir] The result of a refused call was removed."

// restOf is what the agent reads when the rest of a response is refused.
func restOf(reason string) string {
	return "[weir] The rest of this response was refused (malformed): " + reason + ". Nothing after this point was delivered; tell the user."
}

func TestRefusedCall(t *testing.T) {
	server := startBlock(0, `{"toolUse":{"toolUseId":"s","name":"web_search","type":"server_tool_use"}}`)
	result := func(index any) []string {
		return []string{startBlock(index, `{"toolResult":{"toolUseId":"s"}}`), delta(index, `{"toolResult":[{"text":"found"}]}`), stopBlock(index)}
	}
	notice := func(index any, tool string) []string {
		return []string{says(index, noticeFor(tool)), stopBlock(index)}
	}
	quoting := `metadata {"trace":{"a":"rm /"},"usage":{"inputTokens":7}}`
	tests := map[string]struct {
		in, want []string
		policy   dialecttest.Policy
	}{
		"replaced in place, the reason made true": {
			in:     framesOf(start, rm(0), end, costs),
			policy: refuse(false, "rm"),
			want:   framesOf(start, notice(0, "rm"), stopWith("end_turn"), costs),
		},
		"dropped, later blocks renumbered": {
			in:     framesOf(start, rm(0), says(1, "hi"), says(1, "!"), stopBlock(1), end, costs),
			policy: refuse(true, "rm"),
			want:   framesOf(start, says(0, "hi"), says(0, "!"), stopBlock(0), stopWith("end_turn"), costs),
		},
		"dropped, and nothing else there": {
			in:     framesOf(start, rm(0), end, costs),
			policy: refuse(true, "rm"),
			want:   framesOf(start, notice(0, "rm"), stopWith("end_turn"), costs),
		},
		"dropped, beside an empty text": {
			in:     framesOf(start, stopBlock(0), rm(1), end, costs),
			policy: refuse(true, "rm"),
			want:   framesOf(start, stopBlock(0), notice(1, "rm"), stopWith("end_turn"), costs),
		},
		"another call stays, and so does the reason": {
			in:     framesOf(start, rm(0), tool(1, "ls"), stopBlock(1), end, costs),
			policy: refuse(true, "rm"),
			want:   framesOf(start, tool(0, "ls"), stopBlock(0), end, costs),
		},
		"other reasons stay": {
			in:     framesOf(start, rm(0), stopWith("max_tokens"), costs),
			policy: refuse(false, "rm"),
			want:   framesOf(start, notice(0, "rm"), stopWith("max_tokens"), costs),
		},
		"provider-run, with its result": {
			in:     framesOf(start, server, piece(0, `"{}"`), stopBlock(0), result(1), stopWith("end_turn"), costs),
			policy: refuse(false, "web_search"),
			want:   framesOf(start, notice(0, "web_search"), says(1, removed), stopBlock(1), stopWith("end_turn"), costs),
		},
		"provider-run, dropped with its result": {
			in:     framesOf(start, server, stopBlock(0), result(1), says(2, "x"), stopBlock(2), stopWith("end_turn"), costs),
			policy: refuse(true, "web_search"),
			want:   framesOf(start, says(0, "x"), stopBlock(0), stopWith("end_turn"), costs),
		},
		"never closed": {
			in:     framesOf(start, tool(0, "rm"), piece(0, `"{}"`), end, costs),
			policy: refuse(false, "rm"),
			want:   framesOf(start, notice(0, "rm"), stopWith("end_turn"), costs),
		},
		"an unknown kind without a start": {
			in:     framesOf(start, delta(0, `{"newKind":{"x":1}}`), delta(0, `{"newKind":{"y":1}}`), stopBlock(0), end, costs),
			policy: refuse(false, "newKind"),
			want:   framesOf(start, notice(0, "newKind"), stopWith("end_turn"), costs),
		},
		"a failure in a call": {
			in:     framesOf(start, says(0, "x"), stopBlock(0), tool(1, "rm"), piece(1, `"{"`), failure),
			policy: dialecttest.AllowAll(),
			want:   framesOf(start, says(0, "x"), stopBlock(0), failure),
		},
		"a character in two pieces, allowed": {
			in:     framesOf(start, tool(0, "rm"), piece(0, `"{\"a\":\"\ud83d"`), piece(0, `"\ude00\"}"`), stopBlock(0), end, costs),
			policy: dialecttest.AllowAll(),
			want:   framesOf(start, tool(0, "rm"), piece(0, `"{\"a\":\"😀\"}"`), stopBlock(0), end, costs),
		},
		"what may quote it goes with it": {
			in:     framesOf(start, rm(0), `messageStop {"additionalModelResponseFields":{"x":"rm /"},"stopReason":"tool_use"}`, quoting),
			policy: refuse(false, "rm"),
			want:   framesOf(start, notice(0, "rm"), stopWith("end_turn"), `metadata {"usage":{"inputTokens":7}}`),
		},
		"what may quote it stays with it": {
			in:     framesOf(start, rm(0), `messageStop {"additionalModelResponseFields":{"x":"rm /"},"stopReason":"tool_use"}`, quoting),
			policy: dialecttest.AllowAll(),
			want:   framesOf(start, rm(0), `messageStop {"additionalModelResponseFields":{"x":"rm /"},"stopReason":"tool_use"}`, quoting),
		},
		"what has a call in it goes": {
			in:     framesOf(start, says(0, "x"), stopBlock(0), `messageStop {"stopReason":"end_turn","additionalModelResponseFields":{"content":[{"type":"tool_use","name":"rm"}]}}`, `metadata {"usage":{},"trace":{"toolUse":{"name":"rm"}}}`),
			policy: dialecttest.AllowAll(),
			want:   framesOf(start, says(0, "x"), stopBlock(0), stopWith("end_turn"), `metadata {"usage":{}}`),
		},
		"what may quote a call to come goes": {
			in:     framesOf(start, quoting, says(0, "x"), stopBlock(0), stopWith("end_turn")),
			policy: dialecttest.AllowAll(),
			want:   framesOf(start, `metadata {"usage":{"inputTokens":7}}`, says(0, "x"), stopBlock(0), stopWith("end_turn")),
		},
		"an impossible index ends the turn": {
			in:     framesOf(start, says(0, "hi"), tool(0, "rm"), stopBlock(0), end, costs),
			policy: dialecttest.AllowAll(),
			want:   framesOf(start, says(0, "hi"), stopBlock(0), says(1, restOf("a content block has an impossible index")), stopBlock(1), stopWith("end_turn")),
		},
		"an impossible index, after a released call": {
			in:     framesOf(start, rm(0), tool(0, "rm")),
			policy: dialecttest.AllowAll(),
			want:   framesOf(start, rm(0), says(1, restOf("a content block has an impossible index")), stopBlock(1), end),
		},
		"nonsense at once": {
			in:     framesOf(says(0, "hi")),
			policy: dialecttest.AllowAll(),
			want:   framesOf(start, says(0, restOf("the response does not begin with messageStart")), stopBlock(0), stopWith("end_turn")),
		},
		"nonsense after the end": {
			in:     framesOf(start, says(0, "hi"), stopBlock(0), stopWith("end_turn"), tool(1, "rm")),
			policy: dialecttest.AllowAll(),
			want:   framesOf(start, says(0, "hi"), stopBlock(0), stopWith("end_turn")),
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := pass(stream(tt.in...), false, tt.policy)
			if diff := cmp.Diff(tt.want, told(r.Out)); diff != "" {
				t.Errorf("what the agent gets (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(string(stream(tt.want...)), string(r.Out)); diff != "" {
				t.Errorf("its bytes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRefusedCallInBody(t *testing.T) {
	ls := `{"toolUse": {"toolUseId":"u","name":"ls","input":{"a":1.50}}}`
	text := func(s string) string { return `{"text":` + quote(s) + `}` }
	refusedRM, refusedLS := noticeFor("rm"), noticeFor("ls")
	server := `{"toolUse":{"toolUseId":"s","name":"web_search","type":"server_tool_use","input":{"q":1}}}`
	result := `{"toolResult":{"toolUseId":"s","content":[{"text":"found"}]}}`
	quoted := func(b string) string { return strings.Replace(b, `"usage"`, `"trace":{"x":"rm"},"usage"`, 1) }
	tests := map[string]struct {
		in, want string
		policy   dialecttest.Policy
	}{
		"replaced":        {body("tool_use", rmBlock, ls), body("tool_use", text(refusedRM), ls), refuse(false, "rm")},
		"dropped":         {body("tool_use", rmBlock, ls), body("tool_use", ls), refuse(true, "rm")},
		"all replaced":    {body("tool_use", rmBlock, ls), body("end_turn", text(refusedRM), text(refusedLS)), refuse(false, "*")},
		"all dropped":     {body("tool_use", rmBlock, ls), body("end_turn", text(refusedRM+"\n"+refusedLS)), refuse(true, "*")},
		"nothing refused": {quoted(body("tool_use", rmBlock, ls)), quoted(body("tool_use", rmBlock, ls)), dialecttest.AllowAll()},
		"quoted":          {quoted(body("tool_use", rmBlock, ls)), body("tool_use", text(refusedRM), ls), refuse(false, "rm")},
		"with its result": {body("end_turn", server, result), body("end_turn", text(noticeFor("web_search")), text(removed)), refuse(false, "web_search")},
		"broken": {
			`{"output":{"message":{"content":[{}]}}}`,
			`{"output":{"message":{"role":"assistant","content":[` + text(restOf("a content block is not an object of one member")) + `]}},"stopReason":"end_turn",` +
				`"usage":{"inputTokens":0,"outputTokens":0,"totalTokens":0},"metrics":{"latencyMs":0}}`,
			dialecttest.AllowAll(),
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := pass([]byte(tt.in), true, tt.policy)
			dialecttest.CheckOut(t, tt.want, r)
		})
	}
}

// What the judge is asked about.
func TestReadings(t *testing.T) {
	tests := map[string]struct {
		unit string
		want call.Call
	}{
		"tool":             {`{"toolUse":{"toolUseId":"t","name":"rm"}}`, call.Call{WireID: "t", Tool: "rm", Args: []byte("{}")}},
		"server tool":      {`{"toolUse":{"toolUseId":"t","name":"web_search","type":"server_tool_use"}}`, call.Call{WireID: "t", Tool: "web_search", Args: []byte("{}"), Delivery: call.Delivery{Ran: true, Fixed: true}}},
		"unknown":          {`{"newKind":{"a":1}}`, call.Call{Tool: "newKind", Args: []byte(`{"newKind":{"a":1}}`), Delivery: call.Delivery{Fixed: true}}},
		"unknown, a name":  {`{"newKind":{"name":"rm"}}`, call.Call{Tool: "newKind", Readings: call.Readings{Aliases: []string{"rm"}}, Args: []byte(`{"newKind":{"name":"rm"}}`), Delivery: call.Delivery{Fixed: true}}},
		"unknown, nothing": {`{"newKind":"x"}`, call.Call{Tool: "newKind", Args: []byte(`{"newKind":"x"}`), Delivery: call.Delivery{Fixed: true}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := pass(stream(start, startBlock(0, tt.unit), stopBlock(0), end, costs), false, dialecttest.AllowAll())
			got := r.Events[0].Call
			tt.want.Surface, tt.want.Exchange = call.Response, call.Exchange{Dialect: bedrock.Name}
			if len(tt.want.Aliases) == 0 {
				tt.want.Aliases = got.Aliases[:0]
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("the judge is asked about (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOutcome(t *testing.T) {
	usage := `{"usage":{"inputTokens":7,"outputTokens":3,"cacheReadInputTokens":5,"cacheWriteInputTokens":4}}`
	in := stream(start, says(0, "x"), stopBlock(0), stopWith("end_turn"), `metadata `+usage)
	want := call.Outcome{
		Exchange: call.Exchange{Dialect: bedrock.Name},
		Usage:    call.Usage{Input: 7, Output: 3, CacheRead: 5, CacheCreation: 4},
		Clean:    true,
	}
	if diff := cmp.Diff(want, pass(in, false, dialecttest.AllowAll()).Outcome()); diff != "" {
		t.Errorf("outcome (-want +got):\n%s", diff)
	}
	whole := strings.Replace(usage, `{"usage"`, `{"output":{"message":{"content":[{"text":"x"}]}},"usage"`, 1)
	if diff := cmp.Diff(want, pass([]byte(whole), true, dialecttest.AllowAll()).Outcome()); diff != "" {
		t.Errorf("outcome of a body (-want +got):\n%s", diff)
	}
}

func TestMeta(t *testing.T) {
	for _, tt := range []struct {
		frame frame.Frame
		want  dialect.Meta
	}{
		{frame.Frame{Type: []byte("weather"), Data: []byte("{}")}, dialect.Meta{}},
		{frame.Frame{Type: []byte("messageStop"), Data: []byte(`{"stopReason":"end_turn"}`)}, dialect.Meta{Ended: true}},
		{frame.Frame{Type: []byte("x"), Data: []byte("{}"), Failure: true}, dialect.Meta{Ended: true, Failed: true}},
	} {
		d := bedrock.Format().New(dialect.Options{MaxArguments: 1 << 10})
		for _, f := range []frame.Frame{{Type: []byte("messageStart"), Data: []byte("{}")}, tt.frame} {
			if _, err := d.Scan(f); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(tt.want, d.Meta()); diff != "" {
			t.Errorf("after %s (-want +got):\n%s", tt.frame.Type, diff)
		}
		if _, ok := d.KeepAlive(); ok {
			t.Error("there is a keep-alive in a format that has none")
		}
	}
}

func TestOversizeArguments(t *testing.T) {
	long := `"` + strings.Repeat("x", 1<<20) + `"`
	for name, in := range map[string][]byte{
		"in pieces":    stream(start, tool(0, "rm"), piece(0, long[:1<<19]+`"`), piece(0, `"`+long[1:]), stopBlock(0), end, costs),
		"unknown kind": stream(start, startBlock(0, `{"newKind":{}}`), delta(0, `{"x":`+long+`}`), stopBlock(0), end, costs),
	} {
		t.Run(name, func(t *testing.T) {
			r := pass(in, false, dialecttest.AllowAll())
			if e := r.Events[0]; e.Kind != "refuse" || e.Ruling.Code != call.CodeArgsOversize && e.Ruling.Code != call.CodeArgsUnreadable {
				t.Errorf("first event %v", e.Ruling)
			}
			if len(seenIn(r.Out, false)) > 0 || len(r.Out) > 4096 {
				t.Errorf("%d bytes went out", len(r.Out))
			}
		})
	}
	whole := []byte(body("tool_use", `{"toolUse":{"toolUseId":"t","name":"rm","input":{"a":`+long+`}}}`))
	if e := pass(whole, true, dialecttest.AllowAll()).Events[0]; e.Ruling.Code != call.CodeArgsOversize {
		t.Errorf("a body's call is ruled %v", e.Ruling)
	}
}

// A stream whose framing breaks gives nothing that was not whole and judged before.
func TestCorruptStream(t *testing.T) {
	good := stream(framesOf(start, rm(0), end, costs)...)
	for i := range good {
		in := append([]byte(nil), good...)
		in[i] ^= 0x20
		r := pass(in, false, refuse(false, "*"))
		if seen := seenIn(r.Out, false); len(seen) > 0 {
			t.Fatalf("byte %d: a client sees %v", i, seen)
		}
		if r.Err == nil && r.Outcome().Code == "" {
			t.Fatalf("byte %d: nobody minds", i)
		}
	}
}

// Only the path names the model.
func TestModelOfPath(t *testing.T) {
	for path, want := range map[string]string{
		"/model/us.anthropic.claude-sonnet-4-5-20250929-v1:0/converse-stream": "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
		"/model/us.amazon.nova-pro-v1%3A0/converse":                           "us.amazon.nova-pro-v1:0",
		"/model/arn:aws:bedrock:us-east-1:1:inference-profile%2Fx/converse":   "arn:aws:bedrock:us-east-1:1:inference-profile/x",
		"/gateway/model/m/converse":                                           "m",
		"/converse":                                                           "",
		"":                                                                    "",
	} {
		if got := bedrock.Format().New(dialect.Options{Path: path}).Meta().Model; got != want {
			t.Errorf("%s: %q", path, got)
		}
	}
}
