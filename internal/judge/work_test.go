package judge_test

import (
	"context"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/policy"
)

// A call that takes too much work to judge is refused and recorded, and so is one that lists calls which do so together.
func TestTooCostly(t *testing.T) {
	p := mustPreset(t, "balanced")
	command := strings.Repeat("a=$b$a; rm $a1; ", 600_000/16)
	var list strings.Builder
	for i := range 400 {
		if i > 0 {
			list.WriteByte(',')
		}
		list.WriteString(`{"recipient_name":"functions.Bash","parameters":{"command":"` + strings.Repeat("echo $x; ", 1200) + `"}}`)
	}
	for name, c := range map[string]call.Call{
		"one":      aCall("Bash", `{"command":"`+strings.Repeat(command, 7)+`"}`),
		"together": aCall("multi_tool_use.parallel", `{"tool_uses":[`+list.String()+`]}`),
	} {
		r := &notebook{}
		j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: r})
		ruling := ruled(t, j, c)
		if ruling.Released || ruling.Code != call.CodeTooCostly {
			t.Errorf("%s: %+v", name, ruling)
		}
		costly := 0
		for _, e := range r.events {
			if e.Code == call.CodeTooCostly && e.Blocked {
				costly++
			}
		}
		if costly == 0 {
			t.Errorf("%s: the record has no event that says so", name)
		}
	}
}

// What nobody waits for is not judged to its end, does not pass, and is on record.
func TestClientGone(t *testing.T) {
	p := mustPreset(t, "balanced")
	r := &notebook{}
	j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: r})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	ruled := make(chan call.Ruling, 1)
	j.Judge(ctx, aCall("Bash", `{"command":"`+strings.Repeat("echo $x; ", 10_000)+`"}`), func(r call.Ruling) { ruled <- r })
	if got := <-ruled; got.Released || got.Code != call.CodeCutShort {
		t.Errorf("%+v", got)
	}
	if len(r.events) != 1 || r.events[0].Code != call.CodeCutShort || !r.events[0].Blocked {
		t.Errorf("%+v", r.events)
	}
	given := j.Given(ctx, call.Given{Method: "tools/call", Call: "call_1", Result: []byte(`{"content":[{"type":"text","text":"hi"}]}`)})
	if given.Released || given.Code != call.CodeCutShort {
		t.Errorf("%+v", given)
	}
}
