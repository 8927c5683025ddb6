package judge_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/limit"
	"github.com/weir-gate/weir/internal/record"
)

const duties = `
version: 1
default: allow
rules:
  - {id: no-mail, tool: post, verdict: sanitize, sanitize: {presets: [email]}}
  - {id: no-keys, tool: post, verdict: sanitize, sanitize: {patterns: [{name: ticket, regex: 'T-[0-9]+'}], paths: [note]}}
  - {id: slow, tool: ping, verdict: allow, rate_limit: {calls_per_minute: 1, burst: 2, per: session}, reason: Wait.}
  - {id: cheap, tool: ask, verdict: cap_cost, cap_cost: {limit: 1, per: org, window: 24h}}
`

// fixed prices make every response cost half a dollar.
type fixedPrices struct{}

func (fixedPrices) Version() string { return "fixed" }

func (fixedPrices) Cost(string, string, call.Usage) (int64, bool) { return 500_000, true }

func dutiful(t *testing.T, r judge.Recorder, mode judge.Mode) *judge.Judge {
	t.Helper()
	p := parse(t, duties)
	budgets, err := limit.NewBudgets(t.Context(), limit.BudgetsConfig{Now: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	return judge.New(judge.Config{
		Policy: func() *policy.Policy { return p }, Recorder: r, Mode: mode,
		Rates: limit.NewRates(limit.RatesConfig{}), Budgets: budgets, Prices: fixedPrices{},
	})
}

// Secrets are replaced in what goes out and in what is recorded, rule by rule; in modes that change nothing, in the record alone.
func TestSanitize(t *testing.T) {
	const args = `{"note":"T-12 for ann@acme.com","other":"T-13"}`
	const clean = `{"note":"[redacted:ticket] for [redacted:email]","other":"T-13"}`
	for mode, want := range map[judge.Mode]struct{ args, verdict, wouldBe string }{
		judge.Enforce: {clean, "sanitize", ""},
		judge.Shadow:  {"", "audit", "sanitize"},
		judge.Observe: {"", "audit", "sanitize"},
	} {
		r := &notebook{}
		got := ruled(t, dutiful(t, r, mode), aCall("post", args))
		if !got.Released || string(got.Args) != want.args {
			t.Errorf("%s: ruled %+v", mode, got)
		}
		e := r.events[0]
		if string(e.Args) != clean || e.Verdict != want.verdict || e.WouldBe != want.wouldBe || e.Rule != "no-mail" || e.Blocked {
			t.Errorf("%s: recorded %+v", mode, e)
		}
		detail := record.ToolCall{Replaced: []record.Replaced{{Name: "email", Count: 1}, {Name: "ticket", Count: 1}}}
		if diff := cmp.Diff(record.Detail(detail), e.Detail); diff != "" {
			t.Errorf("%s: detail (-want +got):\n%s", mode, diff)
		}
	}
	r := &notebook{}
	if got := ruled(t, dutiful(t, r, judge.Enforce), aCall("post", `{"note":"nothing"}`)); got.Args != nil || r.events[0].Verdict != "allow" {
		t.Errorf("nothing to replace: ruled %+v, recorded %+v", got, r.events[0])
	}
}

// What cannot be replaced is not released.
func TestUnsanitizable(t *testing.T) {
	fixed := aCall("post", `{"note":"ann@acme.com"}`)
	fixed.Fixed = true
	inside := aCall("all", `{}`)
	inside.Inner = []call.Inner{{Tool: "post", Args: []byte(`{"note":"ann@acme.com"}`)}}
	for name, c := range map[string]call.Call{"fixed": fixed, "inside another": inside} {
		r := &notebook{}
		got := ruled(t, dutiful(t, r, judge.Enforce), c)
		if got.Released || got.Code != call.CodeArgsDenied || got.Rule != "no-mail" {
			t.Errorf("%s: ruled %+v", name, got)
		}
		for _, e := range r.events {
			if !e.Blocked || string(e.Args) == `{"note":"ann@acme.com"}` {
				t.Errorf("%s: recorded %+v", name, e)
			}
		}
	}
}

func TestRates(t *testing.T) {
	j := dutiful(t, &notebook{}, judge.Enforce)
	for i, released := range []bool{true, true, false} {
		if got := ruled(t, j, aCall("ping", `{}`)); got.Released != released || !released && (got.Code != call.CodeRateLimited || got.Rule != "slow" || got.Reason != "Wait.") {
			t.Errorf("call %d: ruled %+v", i, got)
		}
	}
	other := aCall("ping", `{}`)
	other.Actor.Session = "another"
	if !ruled(t, j, other).Released {
		t.Error("another session has a rate of its own")
	}
	if shadow := dutiful(t, &notebook{}, judge.Shadow); true {
		for range 5 {
			if !ruled(t, shadow, aCall("ping", `{}`)).Released {
				t.Error("refused in shadow")
			}
		}
	}
}

func TestBudget(t *testing.T) {
	r := &notebook{}
	j := dutiful(t, r, judge.Enforce)
	for i, released := range []bool{true, true, true, false} {
		if got := ruled(t, j, aCall("ask", `{}`)); got.Released != released || !released && (got.Code != call.CodeBudgetExceeded || got.Rule != "cheap") {
			t.Errorf("call %d: ruled %+v", i, got)
		}
		j.Ended(call.Outcome{Actor: aCall("", "").Actor})
	}
	stranger := aCall("ask", `{}`)
	stranger.Actor.Org = "other"
	if !ruled(t, j, stranger).Released {
		t.Error("another organisation has a budget of its own")
	}
	at := len(r.events) - 2
	last := r.events[at]
	if d, ok := last.Detail.(record.ResponseDone); !ok || d.CostMicros != 500_000 || len(r.with[at].Spend) != 5 {
		t.Errorf("recorded %+v", last)
	}
}

// Responses that do not say what they used, or not all of it, are counted by their size.
func TestGuessedCost(t *testing.T) {
	volume := call.Volume{Asked: 4000, Frames: 10, Answered: 1000}
	for name, tt := range map[string]struct {
		outcome call.Outcome
		guessed bool
		cost    int64
	}{
		"said":              {call.Outcome{Usage: call.Usage{Input: 3, Output: 2}, Volume: volume, Clean: true}, false, 5},
		"not said":          {call.Outcome{Volume: volume, Clean: true}, true, 1010},
		"cut before it was": {call.Outcome{Usage: call.Usage{Input: 3, Output: 1}, Volume: volume}, true, 13},
		"nothing answered":  {call.Outcome{Volume: call.Volume{Asked: 4000}}, false, 0},
	} {
		r := &notebook{}
		p := parse(t, duties)
		j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: r, Prices: countedPrices{}})
		j.Ended(tt.outcome)
		done, _ := r.events[0].Detail.(record.ResponseDone)
		if done.CostGuessed != tt.guessed || done.CostMicros != tt.cost || done.Prices != "counted" || done.Usage != tt.outcome.Usage {
			t.Errorf("%s: recorded %+v", name, done)
		}
	}
}

// countedPrices make every token cost a millionth of a dollar.
type countedPrices struct{}

func (countedPrices) Version() string { return "counted" }

func (countedPrices) Cost(_, _ string, u call.Usage) (int64, bool) { return u.Input + u.Output, true }
