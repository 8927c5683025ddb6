package judge_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recorder"
)

// wrapper is a call with others in its arguments.
func wrapper(tool string, inner ...call.Inner) call.Call {
	c := storedCall(tool, `{"tool_uses":[]}`)
	c.Server = "srv"
	c.Inner = inner
	return c
}

func inner(tool, args string) call.Inner { return call.Inner{Tool: tool, Args: []byte(args)} }

// innerCall is what the judge makes of an inner call. Its id is the judge's own.
func innerCall(c call.Call, i int) call.Call {
	return call.Call{Surface: c.Surface, Actor: c.Actor, Exchange: c.Exchange, Tool: c.Inner[i].Tool, Args: c.Inner[i].Args, Delivery: call.Delivery{Ran: c.Ran}}
}

// A telltale says what the event of one part is: nothing against it, or the ruling that refuses it.
type telltale struct {
	ruling  call.Ruling // zero: it is allowed
	blocked bool
}

func TestInnerCalls(t *testing.T) {
	bad := inner("bash", `{"command":"sudo ls"}`)
	good, remove := inner("ls", `{}`), inner("rm", `{}`)
	allow := telltale{}
	ran := wrapper("parallel", good, bad)
	ran.Ran = true
	ranByName := wrapper("parallel", bad, remove)
	ranByName.Ran = true
	for _, tt := range []struct {
		name   string
		mode   judge.Mode
		call   call.Call
		before *call.Ruling // remembered; the call is read again
		want   call.Ruling
		events []telltale // of the call itself and of those in it
	}{
		{name: "all allowed", call: wrapper("parallel", good, good), want: released, events: []telltale{allow, allow, allow}},
		{name: "one denied", call: wrapper("parallel", good, bad, good), want: sudo, events: []telltale{{sudo, true}, {sudo, true}, {sudo, true}, {sudo, true}}},
		{name: "two denied: each for what it is", call: wrapper("parallel", bad, good, remove), want: sudo, events: []telltale{{sudo, true}, {sudo, true}, {sudo, true}, {rm, true}}},
		{name: "the whole denied", call: wrapper("rm", good, bad), want: rm, events: []telltale{{rm, true}, {rm, true}, {sudo, true}}},
		{
			name: "a deny counts more than a question", call: wrapper("parallel", inner("deploy", `{}`), remove), want: rm,
			events: []telltale{{rm, true}, {deploy, true}, {rm, true}},
		},
		{name: "none inside", call: wrapper("parallel"), want: released, events: []telltale{allow}},

		{name: "shadow", mode: judge.Shadow, call: wrapper("parallel", good, bad, remove), want: released, events: []telltale{{sudo, false}, {sudo, false}, {sudo, false}, {rm, false}}},
		{name: "observe", mode: judge.Observe, call: wrapper("parallel", bad), want: released, events: []telltale{{sudo, false}, {sudo, false}}},
		{name: "run by the provider, denied by arguments", call: ran, want: released, events: []telltale{{sudo, false}, {sudo, false}, {sudo, false}}},
		{name: "run by the provider, denied by name", call: ranByName, want: rm, events: []telltale{{rm, true}, {rm, true}, {rm, true}}},

		{name: "refused before", call: wrapper("parallel", good, bad), before: &earlier, want: earlier, events: []telltale{{earlier, true}, {earlier, true}, {earlier, true}}},
		{name: "released before, one denied now", call: wrapper("parallel", good, bad), before: &released, want: sudo, events: []telltale{{sudo, true}, {sudo, true}, {sudo, true}}},
		{name: "released before", call: wrapper("parallel", good), before: &released, want: released, events: []telltale{allow, allow}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &notebook{}
			j := made(t, r, func(c *judge.Config) { c.Mode, c.Memory = tt.mode, &memory{ruling: tt.before} })
			c := tt.call
			c.Exchange.Reread = tt.before != nil
			if diff := cmp.Diff(tt.want, ruled(t, j, c)); diff != "" {
				t.Errorf("ruling (-want +got):\n%s", diff)
			}
			checkParts(t, c, r.events, tt.events)
			keeps := tt.mode != judge.Observe && (tt.before == nil || tt.before.Released && !tt.want.Released)
			for i := range r.events {
				if has := r.with[i].Remember != nil; has != (keeps && i == 0) {
					t.Errorf("event %d is kept: %v", i, has)
				}
			}
		})
	}
}

func checkParts(t *testing.T, c call.Call, got []record.Event, telltales []telltale) {
	t.Helper()
	var want []record.Event
	for i, tell := range telltales {
		part := c
		if i > 0 {
			part = innerCall(c, i-1)
		}
		e := allowing(t, part)
		if tell.ruling.Code != "" {
			e = telling(t, part, tell.ruling, tell.blocked)
		}
		if c.Exchange.Reread {
			e.Type = record.Types.Reread
		}
		if i > 0 {
			e.Within = c.ID
		}
		want = append(want, e)
	}
	ids := map[call.ID]bool{}
	for i := range got {
		ids[got[i].CallID] = true
		if i > 0 && i < len(want) {
			want[i].CallID = got[i].CallID
		}
	}
	if len(ids) != len(want) || ids[""] {
		t.Errorf("the ids of %d calls are %v", len(want), ids)
	}
	for i := range got {
		if i < len(want) {
			checkEvents(t, got[i:i+1], want[i])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d events, want %d", len(got), len(want))
	}
}

// The events of one call are recorded together, and the call passes only with all of them.
func TestInnerCallsAreRecordedTogether(t *testing.T) {
	c := wrapper("parallel", inner("ls", `{}`), inner("ls", `{}`))
	together := &batches{}
	if got := ruled(t, made(t, together, nil), c); !got.Released {
		t.Errorf("ruled %+v", got)
	}
	if diff := cmp.Diff([]int{3}, together.sizes); diff != "" {
		t.Errorf("recorded at once (-want +got):\n%s", diff)
	}
	together.err = errors.New("disk full")
	if got := ruled(t, made(t, together, nil), c); got.Code != call.CodeStoreUnavailable {
		t.Errorf("ruled %+v", got)
	}
}

// batches is a recorder that counts what is recorded at once.
type batches struct {
	notebook
	sizes []int
}

func (b *batches) RecordAll(events []record.Event, with record.Effects, done func(error)) {
	b.sizes = append(b.sizes, len(events))
	b.notebook.RecordAll(events, with, done)
}

// An inner call that the record cannot hold takes the whole call with it, by way of the real recorder.
func TestInnerCallThatCannotBeRecorded(t *testing.T) {
	recorder := recorder.New(recorder.Config{Store: failing{}})
	defer recorder.Close(t.Context()) // nothing is left to record
	c := wrapper("parallel", inner("ls", `{}`), inner("ls", `{"a":`))
	rulings := make(chan call.Ruling, 1)
	made(t, recorder, nil).Judge(t.Context(), c, func(r call.Ruling) { rulings <- r })
	if got := <-rulings; got.Code != call.CodeStoreUnavailable {
		t.Errorf("ruled %+v", got)
	}
}
