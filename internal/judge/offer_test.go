package judge_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/policy"
)

const inboundRules = `
version: 1
default: deny
rules:
  - {id: no-search, tool: web_search, surface: inbound, verdict: deny, reason: No searching.}
  - {id: watched, tool: container, surface: inbound, verdict: audit}
  - {id: some-day, tool: code_execution, surface: inbound, verdict: deny, shadow: true}
  - {id: fine, tool: read, surface: [inbound, response], verdict: allow}
`

func offered(names ...string) []call.Call {
	var offers []call.Call
	for _, n := range names {
		c := aCall(n, `{"name":"x"}`)
		c.Surface, c.WireID = call.Inbound, ""
		offers = append(offers, c)
	}
	return offers
}

// line is what an event says of a ruling, in few words.
func lines(r *notebook) (out []string) {
	for _, e := range r.events {
		text := e.Tool + " " + e.Verdict
		if e.Blocked {
			text += " blocked"
		}
		if e.WouldBe != "" {
			text += " would be " + e.WouldBe
		}
		out = append(out, text+" "+e.Rule)
	}
	return out
}

// What a rule says of an offer is recorded; what none does, and what is plainly allowed, is not.
func TestOffered(t *testing.T) {
	tools := []string{"read", "web_search", "container", "code_execution", "other"}
	for _, tt := range []struct {
		mode     judge.Mode
		released []bool
		recorded []string
	}{
		{judge.Enforce, []bool{true, false, true, true, true}, []string{
			"web_search deny blocked no-search", "container audit watched", "code_execution allow would be deny some-day",
		}},
		{judge.Shadow, []bool{true, true, true, true, true}, []string{
			"web_search audit would be deny no-search", "container audit watched", "code_execution allow would be deny some-day",
		}},
		{judge.Observe, []bool{true, true, true, true, true}, []string{
			"web_search audit would be deny no-search", "container audit watched", "code_execution allow would be deny some-day",
		}},
	} {
		t.Run(string(tt.mode), func(t *testing.T) {
			p, r := parse(t, inboundRules), &notebook{}
			j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: r, Mode: tt.mode})
			if !j.Inspects(call.Actor{}) {
				t.Error("the rules about requests are not seen")
			}
			rulings, err := j.Offered(t.Context(), offered(tools...))
			if err != nil {
				t.Fatal(err)
			}
			var released []bool
			for _, r := range rulings {
				released = append(released, r.Released)
			}
			if diff := cmp.Diff(tt.released, released); diff != "" {
				t.Errorf("released (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.recorded, lines(r)); diff != "" {
				t.Errorf("recorded (-want +got):\n%s", diff)
			}
		})
	}
	if made(t, &notebook{}, nil).Inspects(call.Actor{}) {
		t.Error("rules about calls are taken for rules about requests")
	}
}

// An offer that a rule wants on record does not pass without it. One that no rule speaks of does.
func TestOfferedUnrecorded(t *testing.T) {
	p := parse(t, inboundRules)
	lost := &notebook{err: errors.New("the disk is gone")}
	j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: lost})
	if _, err := j.Offered(t.Context(), offered("container")); !errors.Is(err, judge.ErrUnrecorded) {
		t.Errorf("got the error %v", err)
	}
	if _, err := j.Offered(t.Context(), offered("read", "other")); err != nil {
		t.Errorf("got the error %v for nothing that is recorded", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	j = judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: &notebook{hangs: true}})
	if _, err := j.Offered(ctx, offered("container")); !errors.Is(err, context.Canceled) {
		t.Errorf("got the error %v from a record that hangs", err)
	}
	j = judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: &notebook{hangs: true}, RecordLater: true})
	if _, err := j.Offered(t.Context(), offered("container")); err != nil {
		t.Errorf("got the error %v where records may come later", err)
	}
}
