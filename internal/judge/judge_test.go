package judge_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recorder"
)

const rules = `
version: 1
default: allow
rules:
  - {id: no-rm, tool: rm, verdict: deny, reason: Never.}
  - id: no-sudo
    tool: bash
    verdict: deny
    reason: Not as root.
    conditions: {any: [{param_path: command, operator: contains, value: sudo}]}
  - {id: look, tool: read, verdict: audit}
  - {id: some-day, tool: write, verdict: deny, shadow: true}
  - {id: ask, tool: [deploy, rm], verdict: pending_approval, reason: Deploys want a yes.}
  - {id: ask-some-day, tool: release, verdict: pending_approval, shadow: true}
`

func parse(t *testing.T, source string) *policy.Policy {
	t.Helper()
	p, err := policy.Parse("policy.yaml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// version is that of the rules of this file.
var version = func() string {
	p, err := policy.Parse("policy.yaml", []byte(rules))
	if err != nil {
		panic(err)
	}
	return p.Version()
}()

// A call that was refused by name is recorded with the policy that refused it, also if another one is in force by then.
func TestRefusalKeepsItsPolicy(t *testing.T) {
	first := parse(t, rules)
	p, r := first, &notebook{}
	j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: r})
	ruling, refused := j.RefusedByName(aCall("rm", ""))
	if !refused {
		t.Fatal("not refused by name")
	}
	p = parse(t, "version: 1\ndefault: allow\nrules: []\n")
	j.Refuse(aCall("rm", `{}`), ruling, func(call.Ruling) {})
	if e := r.events[0]; e.Rule != "no-rm" || e.PolicyVersion != first.Version() {
		t.Errorf("recorded with rule %q of policy %q", e.Rule, e.PolicyVersion)
	}
}

// A notebook keeps events and says what the test wants it to.
type notebook struct {
	mu     sync.Mutex // of events, while several record at once
	events []record.Event
	with   []record.Effects // of each event: those of several have the first
	err    error
	hangs  bool // nothing ever becomes durable
}

func (r *notebook) Record(e record.Event, done func(error)) {
	r.RecordAll([]record.Event{e}, record.Effects{}, done)
}

func (r *notebook) RecordAll(events []record.Event, with record.Effects, done func(error)) {
	r.mu.Lock()
	for _, e := range events {
		e.ID = "" // differs from run to run
		r.events, r.with = append(r.events, e), append(r.with, with)
		with = record.Effects{}
	}
	r.mu.Unlock()
	if done != nil && !r.hangs {
		done(r.err)
	}
}

func (r *notebook) RecordAgain(events, _ []record.Event, with record.Effects) {
	r.RecordAll(events, with, nil)
}

// made returns a judge over the rules of this file.
func made(t *testing.T, r judge.Recorder, change func(*judge.Config)) *judge.Judge {
	p := parse(t, rules)
	cfg := judge.Config{Policy: func() *policy.Policy { return p }, Recorder: r}
	if change != nil {
		change(&cfg)
	}
	return judge.New(cfg)
}

func aCall(tool, args string) call.Call {
	return call.Call{
		ID: "call_1", Surface: call.Response, Actor: call.Actor{Org: "acme", Session: "s"},
		Exchange: call.Exchange{RequestID: "req_1", Provider: "anthropic", Model: "m"},
		WireID:   "toolu_1", Tool: tool, Args: []byte(args),
	}
}

// ruled asks for a ruling, which must come at once.
func ruled(t *testing.T, j *judge.Judge, c call.Call) call.Ruling {
	t.Helper()
	var got []call.Ruling
	j.Judge(context.Background(), c, func(r call.Ruling) { got = append(got, r) })
	if len(got) != 1 {
		t.Fatalf("%d rulings", len(got))
	}
	return got[0]
}

func TestRulings(t *testing.T) {
	deny := record.Event{Ruling: record.Ruling{Verdict: "deny", Blocked: true}}
	asked := record.Event{Ruling: record.Ruling{Verdict: "pending_approval", Blocked: true}}
	wouldDeny := record.Event{Ruling: record.Ruling{Verdict: "audit", WouldBe: "deny"}}
	tests := []struct {
		name   string
		mode   judge.Mode
		call   call.Call
		ran    bool
		ruling call.Ruling
		event  record.Event // what it says of the decision; code, reason and rule of a refusal are filled in
		denied call.Ruling  // whose code, reason and rule the event has
	}{
		{name: "allowed", call: aCall("ls", `{}`), ruling: released, event: record.Event{Ruling: record.Ruling{Verdict: "allow"}}},
		{
			name: "audited", call: aCall("read", `{}`), ruling: released,
			event: record.Event{Ruling: record.Ruling{Verdict: "audit", Rule: "look"}},
		},
		{
			name: "a rule in shadow", call: aCall("write", `{}`), ruling: released,
			event: record.Event{Ruling: record.Ruling{Verdict: "allow", WouldBe: "deny", Rule: "some-day"}},
		},
		{name: "denied by name", call: aCall("rm", `{"path":"/"}`), ruling: rm, event: deny, denied: rm},
		{name: "denied by arguments", call: aCall("bash", `{"command":"sudo ls"}`), ruling: sudo, event: deny, denied: sudo},
		{
			name: "other arguments", call: aCall("bash", `{"command":"ls"}`), ruling: released,
			event: record.Event{Ruling: record.Ruling{Verdict: "allow"}},
		},

		{name: "shadow, denied by name", mode: judge.Shadow, call: aCall("rm", `{}`), ruling: released, event: wouldDeny, denied: rm},
		{name: "shadow, denied by arguments", mode: judge.Shadow, call: aCall("bash", `{"command":"sudo"}`), ruling: released, event: wouldDeny, denied: sudo},
		{
			name: "shadow, allowed", mode: judge.Shadow, call: aCall("ls", `{}`), ruling: released,
			event: record.Event{Ruling: record.Ruling{Verdict: "allow"}},
		},
		{name: "observe, denied by name", mode: judge.Observe, call: aCall("rm", `{}`), ruling: released, event: wouldDeny, denied: rm},

		{name: "a person would be asked", call: aCall("deploy", `{}`), ruling: deploy, event: asked, denied: deploy},
		{
			name: "shadow, a person would be asked", mode: judge.Shadow, call: aCall("deploy", `{}`), ruling: released, denied: deploy,
			event: record.Event{Ruling: record.Ruling{Verdict: "audit", WouldBe: "pending_approval"}},
		},
		{
			name: "a rule in shadow would ask", call: aCall("release", `{}`), ruling: released,
			event: record.Event{Ruling: record.Ruling{Verdict: "allow", WouldBe: "pending_approval", Rule: "ask-some-day"}},
		},

		{name: "already run, denied by name", ran: true, call: aCall("rm", `{}`), ruling: rm, event: deny, denied: rm},
		{name: "already run, denied by arguments", ran: true, call: aCall("bash", `{"command":"sudo"}`), ruling: released, event: wouldDeny, denied: sudo},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &notebook{}
			j := made(t, r, func(c *judge.Config) { c.Mode = tt.mode })
			tt.call.Ran = tt.ran
			if diff := cmp.Diff(tt.ruling, ruled(t, j, tt.call)); diff != "" {
				t.Errorf("ruling (-want +got):\n%s", diff)
			}
			want := tt.event
			if tt.denied.Code != "" {
				want.Code, want.Reason, want.Rule = tt.denied.Code, tt.denied.Reason, tt.denied.Rule
			}
			fill(t, &want, tt.call)
			checkEvents(t, r.events, want)
		})
	}
}

// fill gives an event what it has from its call.
func fill(t *testing.T, e *record.Event, c call.Call) {
	t.Helper()
	if c.Ran {
		e.Detail = record.ToolCall{Ran: true}
	}
	if e.Type == "" {
		e.Type = record.Types.ToolCall
		if c.Server != "" {
			e.Type = record.Types.MCPIntercepted
		}
	}
	e.Actor, e.Exchange, e.CallID, e.Surface = c.Actor, c.Exchange, c.ID, c.Surface
	e.Server, e.Tool, e.WireID = c.Server, c.Tool, c.WireID
	if e.Type.IsCall() {
		e.Args = c.Args
	}
	e.PolicyVersion = parse(t, rules).Version()
}

func checkEvents(t *testing.T, got []record.Event, want ...record.Event) {
	t.Helper()
	for i := range got {
		if age := time.Since(got[i].Time); age < 0 || age > time.Hour {
			t.Errorf("event %d has the time %v", i, got[i].Time)
		}
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(record.Event{}, "Time"), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestRefusedByName(t *testing.T) {
	tests := []struct {
		mode judge.Mode
		tool string
		want bool
	}{
		{judge.Enforce, "rm", true},
		{judge.Enforce, "bash", false},
		{judge.Enforce, "write", false},
		{judge.Enforce, "ls", false},
		{judge.Shadow, "rm", false},
		{judge.Observe, "rm", false},
	}
	for _, tt := range tests {
		r := &notebook{}
		ruling, got := made(t, r, func(c *judge.Config) { c.Mode = tt.mode }).RefusedByName(aCall(tt.tool, ""))
		if got != tt.want {
			t.Errorf("%s, %s: refused %v, want %v", tt.mode, tt.tool, got, tt.want)
		}
		if want := (call.Ruling{Code: call.CodeToolDenied, Reason: "Never.", Rule: "no-rm", Policy: version}); got && !cmp.Equal(want, ruling) {
			t.Errorf("%s, %s: ruled %+v", tt.mode, tt.tool, ruling)
		}
		if len(r.events) > 0 {
			t.Errorf("%s, %s: recorded before the call was complete", tt.mode, tt.tool)
		}
	}
}

// Every reading of a name is judged, and one refusal refuses.
func TestAliases(t *testing.T) {
	j := made(t, &notebook{}, nil)
	c := aCall("browser.rm", `{}`)
	c.Aliases = []string{"rm"}
	if r := ruled(t, j, c); r.Released {
		t.Error("a call was released that one reading refuses")
	}
	if _, refused := j.RefusedByName(c); !refused {
		t.Error("not refused by name")
	}
}

func TestRefuse(t *testing.T) {
	cut := call.Ruling{Code: call.CodeCutShort, Reason: "It was cut.", Silent: true}
	for _, tt := range []struct {
		mode  judge.Mode
		want  call.Ruling
		event record.Event
	}{
		{judge.Enforce, cut, record.Event{Ruling: record.Ruling{Verdict: "deny", Blocked: true}}},
		{judge.Shadow, cut, record.Event{Ruling: record.Ruling{Verdict: "deny", Blocked: true}}},
		{judge.Observe, call.Ruling{Released: true}, record.Event{Ruling: record.Ruling{Verdict: "audit", WouldBe: "deny"}}},
	} {
		t.Run(string(tt.mode), func(t *testing.T) {
			r := &notebook{}
			var got []call.Ruling
			c := aCall("ls", `"{\"a\":"`)
			made(t, r, func(c *judge.Config) { c.Mode = tt.mode }).Refuse(c, cut, func(r call.Ruling) { got = append(got, r) })
			if diff := cmp.Diff([]call.Ruling{tt.want}, got); diff != "" {
				t.Errorf("rulings (-want +got):\n%s", diff)
			}
			want := tt.event
			want.Code, want.Reason = cut.Code, cut.Reason
			fill(t, &want, c)
			checkEvents(t, r.events, want)
		})
	}
}

func TestRecording(t *testing.T) {
	full := errors.New("disk full")
	lost := call.Ruling{Code: call.CodeStoreUnavailable, Reason: "The call could not be recorded."}
	t.Run("what cannot be recorded is refused", func(t *testing.T) {
		if got := ruled(t, made(t, &notebook{err: full}, nil), aCall("ls", `{}`)); !cmp.Equal(lost, got) {
			t.Errorf("ruled %+v", got)
		}
	})
	t.Run("a refusal stays what it is", func(t *testing.T) {
		if got := ruled(t, made(t, &notebook{err: full}, nil), aCall("rm", `{}`)); got.Released || got.Code != call.CodeToolDenied {
			t.Errorf("ruled %+v", got)
		}
	})
	t.Run("in shadow too", func(t *testing.T) {
		shadow := func(c *judge.Config) { c.Mode = judge.Shadow }
		if got := ruled(t, made(t, &notebook{err: full}, shadow), aCall("rm", `{}`)); !cmp.Equal(lost, got) {
			t.Errorf("ruled %+v", got)
		}
	})
	t.Run("no ruling before the record is durable", func(t *testing.T) {
		asked := false
		made(t, &notebook{hangs: true}, nil).Judge(t.Context(), aCall("ls", `{}`), func(call.Ruling) { asked = true })
		if asked {
			t.Error("ruled before the record was durable")
		}
	})
	t.Run("unless that was waived", func(t *testing.T) {
		r := &notebook{hangs: true}
		if got := ruled(t, made(t, r, func(c *judge.Config) { c.RecordLater = true }), aCall("ls", `{}`)); !got.Released {
			t.Errorf("ruled %+v", got)
		}
		if got := ruled(t, made(t, r, func(c *judge.Config) { c.RecordLater = true }), aCall("rm", `{}`)); got.Released {
			t.Errorf("ruled %+v", got)
		}
		if len(r.events) != 2 {
			t.Errorf("%d events, want 2", len(r.events))
		}
	})
	t.Run("nor when observing", func(t *testing.T) {
		observe := func(c *judge.Config) { c.Mode = judge.Observe }
		if got := ruled(t, made(t, &notebook{hangs: true}, observe), aCall("rm", `{}`)); !got.Released {
			t.Errorf("ruled %+v", got)
		}
	})
}

// A failing is a store that keeps nothing.
type failing struct{}

func (failing) Append(context.Context, []record.Entry) error { return errors.New("disk full") }

func (failing) Head(context.Context, string) (record.Head, error) {
	return record.Head{}, errors.New("disk full")
}

// The same with the real recorder over a store that fails.
func TestFailingStore(t *testing.T) {
	recorder := recorder.New(recorder.Config{Store: failing{}})
	j := made(t, recorder, nil)
	rulings := make(chan call.Ruling, 2)
	j.Judge(t.Context(), aCall("ls", `{}`), func(r call.Ruling) { rulings <- r })
	j.Judge(t.Context(), aCall("rm", `{}`), func(r call.Ruling) { rulings <- r })
	if r := <-rulings; r.Released || r.Code != call.CodeStoreUnavailable {
		t.Errorf("ruled %+v", r)
	}
	if r := <-rulings; r.Released || r.Code != call.CodeToolDenied {
		t.Errorf("ruled %+v", r)
	}
	if err := recorder.Close(t.Context()); err != nil {
		t.Error(err)
	}
	var late call.Ruling
	j.Judge(t.Context(), aCall("ls", `{}`), func(r call.Ruling) { late = r })
	if late.Code != call.CodeStoreUnavailable {
		t.Errorf("after the recorder was closed: ruled %+v", late)
	}
}

func TestWarning(t *testing.T) {
	large := aCall("ls", fmt.Sprintf(`{"a":%q}`, strings.Repeat("x", 100)))
	r := &notebook{}
	j := made(t, r, func(c *judge.Config) { c.WarnArguments = 50 })
	ruled(t, j, large)
	ruled(t, j, aCall("ls", `{}`))
	warning := record.Event{
		Type:   record.Types.CallWarning,
		Detail: record.CallWarning{SizeBytes: int64(len(large.Args)), LimitBytes: 50},
	}
	called, small := record.Event{Ruling: record.Ruling{Verdict: "allow"}}, record.Event{Ruling: record.Ruling{Verdict: "allow"}}
	fill(t, &warning, large)
	fill(t, &called, large)
	fill(t, &small, aCall("ls", `{}`))
	checkEvents(t, r.events, warning, called, small)
}

func TestEnded(t *testing.T) {
	o := call.Outcome{
		Actor: call.Actor{Org: "acme"}, Exchange: call.Exchange{ResponseID: "msg_1"},
		Usage: call.Usage{Input: 3, Output: 4}, Released: 1, Refused: 2, Clean: true,
	}
	version := parse(t, rules).Version()
	finished := record.Event{
		Type: record.Types.ResponseDone, Actor: o.Actor, Exchange: o.Exchange, Ruling: record.Ruling{PolicyVersion: version},
		Detail: record.ResponseDone{Usage: o.Usage, Released: 1, Refused: 2, Clean: true},
	}
	t.Run("well", func(t *testing.T) {
		r := &notebook{}
		made(t, r, nil).Ended(o)
		checkEvents(t, r.events, finished)
	})
	t.Run("usage that cannot be", func(t *testing.T) {
		r := &notebook{}
		odd := o
		odd.Usage = call.Usage{Input: 1 << 62, Output: -5, CacheRead: -1 << 63, CacheCreation: 7}
		made(t, r, nil).Ended(odd)
		want := call.Usage{Input: 1_000_000_000, CacheCreation: 7}
		if d := r.events[0].Detail.(record.ResponseDone); d.Usage != want {
			t.Errorf("recorded %+v, want %+v", d.Usage, want)
		}
	})
	o.Code, o.Reason = call.CodeMalformed, "why"
	for mode, blocked := range map[judge.Mode]bool{judge.Enforce: true, judge.Shadow: true, judge.Observe: false} {
		t.Run("refused, "+string(mode), func(t *testing.T) {
			r := &notebook{}
			made(t, r, func(c *judge.Config) { c.Mode = mode }).Ended(o)
			checkEvents(t, r.events, record.Event{
				Type: record.Types.StreamRefused, Actor: o.Actor, Exchange: o.Exchange,
				Ruling: record.Ruling{PolicyVersion: version, Blocked: blocked, Code: o.Code, Reason: o.Reason},
			}, finished)
		})
	}
}

// The policy in force is asked for each call: a new one counts at once.
func TestNewPolicy(t *testing.T) {
	p := parse(t, rules)
	r := &notebook{}
	j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: r})
	if ruled(t, j, aCall("rm", `{}`)).Released {
		t.Error("released under the first policy")
	}
	first := p
	p = parse(t, "version: 1\ndefault: allow\nrules: []\n")
	if !ruled(t, j, aCall("rm", `{}`)).Released {
		t.Error("refused under the second policy")
	}
	if r.events[0].PolicyVersion != first.Version() || r.events[1].PolicyVersion != p.Version() || first.Version() == p.Version() {
		t.Errorf("policy versions %q and %q", r.events[0].PolicyVersion, r.events[1].PolicyVersion)
	}
}

// A rule in shadow may also allow what is refused: the record says so, and the refusal stands.
func TestShadowRuleThatWouldAllow(t *testing.T) {
	const source = "version: 1\ndefault: deny\nrules: [{id: soon, tool: ls, verdict: allow, shadow: true}]\n"
	for mode, want := range map[judge.Mode]record.Event{
		judge.Enforce: {Ruling: record.Ruling{Verdict: "deny", Blocked: true, WouldBe: "allow", Rule: "soon"}},
		judge.Shadow:  {Ruling: record.Ruling{Verdict: "audit", WouldBe: "deny"}},
	} {
		p, r := parse(t, source), &notebook{}
		j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: r, Mode: mode})
		if got := ruled(t, j, aCall("ls", `{}`)); got.Released != (mode == judge.Shadow) || got.Rule != "" {
			t.Errorf("%s: ruled %+v", mode, got)
		}
		e := r.events[0]
		if got := (record.Event{Ruling: record.Ruling{
			Verdict: e.Verdict, Blocked: e.Blocked, WouldBe: e.WouldBe,
			Rule: e.Rule,
		}}); !cmp.Equal(want, got) {
			t.Errorf("%s: recorded %+v", mode, got)
		}
	}
}

// A name that is not what it looks like is matched all the same; the record says so, the model is not told.
func TestDisguisedName(t *testing.T) {
	r := &notebook{}
	got := ruled(t, made(t, r, nil), aCall("R\u200bM", `{}`))
	if want := (call.Ruling{Code: call.CodeToolDenied, Reason: "Never.", Rule: "no-rm", Policy: version}); !cmp.Equal(want, got) {
		t.Errorf("ruled %+v", got)
	}
	if reason := r.events[0].Reason; !strings.HasPrefix(reason, "Never. ") || !strings.Contains(reason, "folding") {
		t.Errorf("recorded with the reason %q", reason)
	}
}
