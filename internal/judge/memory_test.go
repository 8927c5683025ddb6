package judge_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
)

// A memory remembers one ruling of every call, or fails.
type memory struct {
	ruling *call.Ruling // nil: none
	err    error
	asked  int
}

func (*memory) Remember(call.Remembered) func() { return func() {} }

func (m *memory) Ruled(_ context.Context, x call.Exchange, wireID string) (call.Ruling, bool, error) {
	m.asked++
	if x.Provider != "anthropic" || wireID != "toolu_1" {
		return call.Ruling{}, false, errors.New("asked for another call")
	}
	if m.err != nil || m.ruling == nil {
		return call.Ruling{}, false, m.err
	}
	return *m.ruling, true, nil
}

// storedCall is a call that the provider keeps.
func storedCall(tool, args string) call.Call {
	c := aCall(tool, args)
	c.Exchange.ResponseID, c.Exchange.Conversation = "resp_1", "conv_1"
	c.Unit, c.Notice = "function_call", "msg_weir_1"
	return c
}

func readAgain(c call.Call) call.Call {
	c.Exchange.Reread = true
	return c
}

// kept is what is remembered of a call.
func kept(c call.Call, r call.Ruling) *call.Remembered {
	return &call.Remembered{
		Upstream: "anthropic", Response: "resp_1", Conversation: "conv_1", WireID: c.WireID, Unit: c.Unit, Notice: c.Notice,
		Tool: c.Tool, Ruling: r,
	}
}

var (
	released = call.Ruling{Released: true}
	deploy   = call.Ruling{
		Code: call.CodeNotApproved, Reason: "Deploys want a yes.", Rule: "ask", Policy: version,
	}
	rm      = call.Ruling{Code: call.CodeToolDenied, Reason: "Never.", Rule: "no-rm", Policy: version}
	sudo    = call.Ruling{Code: call.CodeArgsDenied, Reason: `Not as root. The tool itself is allowed; this use of it is not: "sudo".`, Rule: "no-sudo", Policy: version}
	earlier = call.Ruling{Code: call.CodeArgsDenied, Reason: "Not then.", Rule: "gone", Policy: "p0"}
	cut     = call.Ruling{Code: call.CodeCutShort, Reason: "It was cut."}
	unread  = call.Ruling{Code: call.CodeStoreUnavailable, Reason: "What was ruled before could not be read."}
)

// telling returns the event of a call that was refused with r.
func telling(t *testing.T, c call.Call, r call.Ruling, blocked bool) record.Event {
	t.Helper()
	e := record.Event{Ruling: record.Ruling{Verdict: "deny", Blocked: true, Code: r.Code, Reason: r.Reason, Rule: r.Rule}}
	if r.Code == call.CodeNotApproved {
		e.Verdict = "pending_approval"
	}
	if !blocked {
		e.Verdict, e.WouldBe, e.Blocked = "audit", e.Verdict, false
	}
	fill(t, &e, c)
	if r.Policy != "" {
		e.PolicyVersion = r.Policy
	}
	return e
}

// allowing returns the event of a call that passed with nothing said against it.
func allowing(t *testing.T, c call.Call) record.Event {
	t.Helper()
	e := record.Event{Ruling: record.Ruling{Verdict: "allow"}}
	fill(t, &e, c)
	return e
}

// TestKept has rulings that must be remembered with their event, and such that must not.
func TestKept(t *testing.T) {
	ls, remove := storedCall("ls", `{}`), storedCall("rm", `{}`)
	nobody := ls
	nobody.Unit = ""
	ran, ranRemove := storedCall("bash", `{"command":"sudo"}`), remove
	ran.Ran, ranRemove.Ran = true, true
	silent := cut
	silent.Silent = true
	without := func(k *call.Remembered) *call.Remembered { k.Unit = ""; return k }
	for _, tt := range []struct {
		name  string
		mode  judge.Mode
		call  call.Call
		fault *call.Ruling // refused for what it is
		want  *call.Remembered
	}{
		{name: "released", call: ls, want: kept(ls, released)},
		{name: "refused", call: remove, want: kept(remove, rm)},
		{name: "refused for what it is", call: ls, fault: &cut, want: kept(ls, cut)},
		{name: "broken off", call: ls, fault: &silent},
		{name: "nobody keeps it", call: nobody},
		{name: "nobody keeps it, refused for what it is", call: nobody, fault: &cut},
		{name: "run by the provider: found again, but waits for no output", call: ran, want: without(kept(ran, released))},
		{name: "run by the provider, refused", call: ranRemove, want: without(kept(ranRemove, rm))},
		{name: "shadow", mode: judge.Shadow, call: remove, want: kept(remove, released)},
		{name: "shadow, refused for what it is", mode: judge.Shadow, call: ls, fault: &cut, want: kept(ls, cut)},
		{name: "observe", mode: judge.Observe, call: remove},
		{name: "observe, refused for what it is", mode: judge.Observe, call: ls, fault: &cut},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &notebook{}
			m := &memory{err: errors.New("it is no reread")}
			rulingOn(t, made(t, r, func(c *judge.Config) { c.Mode, c.Memory = tt.mode, m }), tt.call, tt.fault)
			if diff := cmp.Diff(tt.want, r.with[0].Remember); diff != "" {
				t.Errorf("kept (-want +got):\n%s", diff)
			}
			if e := r.events[0]; len(r.events) != 1 || e.Type != record.Types.ToolCall || m.asked != 0 {
				t.Errorf("%d events, the first of type %s; the memory was asked %d times", len(r.events), e.Type, m.asked)
			}
		})
	}
}

// rulingOn has a call judged, or refused for a fault, and returns the ruling, which must come at once.
func rulingOn(t *testing.T, j *judge.Judge, c call.Call, fault *call.Ruling) call.Ruling {
	t.Helper()
	if fault == nil {
		return ruled(t, j, c)
	}
	var got []call.Ruling
	j.Refuse(c, *fault, func(r call.Ruling) { got = append(got, r) })
	if len(got) != 1 {
		t.Fatalf("%d rulings", len(got))
	}
	return got[0]
}

// TestReread has every pair of what is remembered and what would be ruled now.
func TestReread(t *testing.T) {
	ls, remove := readAgain(storedCall("ls", `{}`)), readAgain(storedCall("rm", `{}`))
	write := readAgain(storedCall("write", `{}`))
	ran := readAgain(storedCall("bash", `{"command":"sudo"}`))
	ran.Ran = true
	nobody := remove
	nobody.Unit = ""
	silent := cut
	silent.Silent = true
	earlierSilent := earlier
	earlierSilent.Silent = true
	trouble := errors.New("disk gone")
	again := func(e record.Event) record.Event { e.Type = record.Types.Reread; return e }
	wouldBe := allowing(t, write)
	wouldBe.WouldBe, wouldBe.Rule = "deny", "some-day"
	for _, tt := range []struct {
		name   string
		mode   judge.Mode
		call   call.Call
		fault  *call.Ruling
		before *call.Ruling // what is remembered
		err    error        // of the memory
		want   call.Ruling
		event  record.Event
		keeps  *call.Remembered // what is remembered from now on
	}{
		{name: "released, still allowed", call: ls, before: &released, want: released, event: again(allowing(t, ls))},
		{name: "released, a rule in shadow", call: write, before: &released, want: released, event: again(wouldBe)},
		{
			name: "released, denied now", call: remove, before: &released, want: rm, event: again(telling(t, remove, rm, true)),
			keeps: kept(remove, rm),
		},
		{name: "refused, allowed now", call: ls, before: &earlier, want: earlier, event: again(telling(t, ls, earlier, true))},
		{name: "refused, denied now", call: remove, before: &earlier, want: earlier, event: again(telling(t, remove, earlier, true))},
		{name: "refused for a fault, allowed now", call: ls, before: &cut, want: cut, event: again(telling(t, ls, cut, true))},
		{name: "not remembered, allowed", call: ls, want: released, event: allowing(t, ls), keeps: kept(ls, released)},
		{name: "not remembered, denied", call: remove, want: rm, event: telling(t, remove, rm, true), keeps: kept(remove, rm)},
		{name: "nobody keeps it, released before, denied now", call: nobody, before: &released, want: rm, event: again(telling(t, nobody, rm, true))},

		{
			name: "a fault, released before", call: ls, fault: &cut, before: &released, want: cut, event: again(telling(t, ls, cut, true)),
			keeps: kept(ls, cut),
		},
		{name: "a fault, refused before", call: ls, fault: &cut, before: &earlier, want: earlier, event: again(telling(t, ls, earlier, true))},
		{name: "a fault, not remembered", call: ls, fault: &cut, want: cut, event: telling(t, ls, cut, true), keeps: kept(ls, cut)},
		{name: "broken off, released before", call: ls, fault: &silent, before: &released, want: silent, event: again(telling(t, ls, cut, true))},
		{name: "broken off, refused before", call: ls, fault: &silent, before: &earlier, want: earlierSilent, event: again(telling(t, ls, earlier, true))},

		{name: "trouble", call: ls, err: trouble, want: unread, event: again(telling(t, ls, unread, true))},
		{name: "trouble, denied now", call: remove, err: trouble, want: unread, event: again(telling(t, remove, unread, true))},
		{name: "trouble, a fault", call: ls, fault: &cut, err: trouble, want: cut, event: again(telling(t, ls, cut, true))},
		{name: "trouble in shadow", mode: judge.Shadow, call: ls, err: trouble, want: unread, event: again(telling(t, ls, unread, true))},

		{name: "run by the provider, denied by arguments", call: ran, before: &released, want: released, event: again(telling(t, ran, sudo, false))},
		{name: "run by the provider, refused before", call: ran, before: &earlier, want: earlier, event: again(telling(t, ran, earlier, true))},

		{name: "shadow, refused before", mode: judge.Shadow, call: ls, before: &earlier, want: earlier, event: again(telling(t, ls, earlier, true))},
		{name: "shadow, denied now", mode: judge.Shadow, call: remove, before: &released, want: released, event: again(telling(t, remove, rm, false))},
		{name: "observe", mode: judge.Observe, call: remove, before: &earlier, want: released, event: telling(t, remove, rm, false)},
		{name: "observe, a fault", mode: judge.Observe, call: ls, fault: &cut, before: &earlier, want: released, event: telling(t, ls, cut, false)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, m := &notebook{}, &memory{ruling: tt.before, err: tt.err}
			j := made(t, r, func(c *judge.Config) { c.Mode, c.Memory = tt.mode, m })
			if diff := cmp.Diff(tt.want, rulingOn(t, j, tt.call, tt.fault)); diff != "" {
				t.Errorf("ruling (-want +got):\n%s", diff)
			}
			checkEvents(t, r.events, tt.event)
			if diff := cmp.Diff(tt.keeps, r.with[0].Remember); diff != "" {
				t.Errorf("remembered (-want +got):\n%s", diff)
			}
			if asked := tt.mode != judge.Observe; asked != (m.asked == 1) {
				t.Errorf("the memory was asked %d times", m.asked)
			}
		})
	}
}

// Without a memory, a call that is read again is judged like any other, and its ruling is kept for who has one.
func TestNoMemory(t *testing.T) {
	c, r := readAgain(storedCall("ls", `{}`)), &notebook{}
	ruled(t, made(t, r, nil), c)
	checkEvents(t, r.events, allowing(t, c))
	if diff := cmp.Diff(kept(c, released), r.with[0].Remember); diff != "" {
		t.Errorf("remembered (-want +got):\n%s", diff)
	}
}

// A call is not large twice.
func TestNoWarningAgain(t *testing.T) {
	r := &notebook{}
	j := made(t, r, func(c *judge.Config) { c.Memory, c.WarnArguments = &memory{ruling: &released}, 1 })
	ruled(t, j, readAgain(storedCall("ls", `{"a":1}`)))
	if len(r.events) != 1 || r.events[0].Type != record.Types.Reread {
		t.Errorf("%d events, the first of type %s", len(r.events), r.events[0].Type)
	}
}

// A refusal that must be remembered is not told before it is, also where records may come later.
func TestKeptRefusalIsDurableFirst(t *testing.T) {
	for _, tt := range []struct {
		name  string
		call  call.Call
		fault *call.Ruling
		waits bool
	}{
		{name: "released", call: storedCall("ls", `{}`)},
		{name: "refused", call: storedCall("rm", `{}`), waits: true},
		{name: "refused for what it is", call: storedCall("ls", `{}`), fault: &cut, waits: true},
		{name: "refused, and nobody keeps it", call: aCall("rm", `{}`)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			told := false
			j := made(t, &notebook{hangs: true}, func(c *judge.Config) { c.RecordLater = true })
			done := func(call.Ruling) { told = true }
			if tt.fault != nil {
				j.Refuse(tt.call, *tt.fault, done)
			} else {
				j.Judge(t.Context(), tt.call, done)
			}
			if told == tt.waits {
				t.Errorf("ruled before the record is durable: %v", told)
			}
		})
	}
}

// A hanging memory answers when it is told to stop.
type hanging struct{}

func (hanging) Remember(call.Remembered) func() { return func() {} }

func (hanging) Ruled(ctx context.Context, _ call.Exchange, _ string) (call.Ruling, bool, error) {
	<-ctx.Done()
	return call.Ruling{}, false, ctx.Err()
}

func TestMemoryIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := made(t, &notebook{}, func(c *judge.Config) { c.Memory = hanging{} })
		began := time.Now()
		if got := ruled(t, j, readAgain(storedCall("ls", `{}`))); !cmp.Equal(unread, got) {
			t.Errorf("ruled %+v", got)
		}
		if waited := time.Since(began); waited > 10*time.Second {
			t.Errorf("waited %v for the memory", waited)
		}
	})
}

// An agent that hangs up is no trouble with the memory.
func TestHangingUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p, r := parse(t, rules), &notebook{}
	j := judge.New(judge.Config{Policy: func() *policy.Policy { return p }, Recorder: r, Memory: careful{}})
	j.Judge(ctx, readAgain(storedCall("ls", `{}`)), func(call.Ruling) {})
	if e := r.events[0]; e.Code != "" || e.Type != record.Types.Reread {
		t.Errorf("recorded as %s with the code %q", e.Type, e.Code)
	}
}

// A careful memory looks at its context first.
type careful struct{}

func (careful) Remember(call.Remembered) func() { return func() {} }

func (careful) Ruled(ctx context.Context, _ call.Exchange, _ string) (call.Ruling, bool, error) {
	return released, true, ctx.Err()
}
