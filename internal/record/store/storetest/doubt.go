package storetest

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/verify"
)

// An unsure store stores entries or not, as stores says, and reports an error in both cases.
type unsure struct {
	Store
	stores bool
	down   atomic.Bool
}

var errUnsure = errors.New("the connection is gone")

// Append is for the recorder.
func (u *unsure) Append(ctx context.Context, entries []record.Entry) error {
	if !u.down.Load() {
		return u.Store.Append(ctx, entries)
	}
	if u.stores {
		if err := u.Store.Append(ctx, entries); err != nil {
			return err
		}
	}
	return errUnsure
}

// Head is for the recorder.
func (u *unsure) Head(ctx context.Context, chain string) (record.Head, error) {
	if u.down.Load() {
		return record.Head{}, errUnsure
	}
	return u.Store.Head(ctx, chain)
}

// testDoubt: a call whose commit had an unknown outcome is recorded once, with its ruling. If it was recorded as released, it is
// also recorded that it was not delivered.
func testDoubt(t *testing.T, open func(t *testing.T) Backend) {
	for name, tt := range map[string]struct {
		stores, released bool
		want             []string
	}{
		"a released call that was stored":     {true, true, []string{"tool_call allow", "tool_call_withdrawn deny"}},
		"a released call that was not stored": {false, true, []string{"tool_call deny"}},
		"a refused call that was stored":      {true, false, []string{"tool_call deny"}},
		"a refused call that was not stored":  {false, false, []string{"tool_call deny"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t)
			u := &unsure{Store: b, stores: tt.stores}
			u.down.Store(true)
			told := make(chan struct{})
			r := recorder.New(recorder.Config{Store: u})
			e := record.Event{
				ID: record.NewID(), Type: record.Types.ToolCall, CallID: "call_1", Tool: "ls",
				Ruling: record.Ruling{Verdict: "deny", Blocked: true, Code: call.CodeToolDenied},
			}
			var instead []record.Event
			if tt.released {
				e.Verdict, e.Blocked, e.Code = "allow", false, ""
			}
			r.RecordAll([]record.Event{e}, record.Effects{}, func(err error) {
				defer close(told)
				if err == nil {
					t.Error("an event whose commit is in doubt was reported as stored")
				}
				if tt.released {
					e.Verdict, e.Blocked, e.Code = "deny", true, call.CodeStoreUnavailable
					w := e
					w.ID, w.Type = record.NewID(), record.Types.CallWithdrawn
					instead = []record.Event{w}
				}
				r.RecordAgain([]record.Event{e}, instead, record.Effects{})
			})
			<-told
			u.down.Store(false)
			if err := r.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range entries(t, b, query.Filter{}) {
				got = append(got, string(e.Type)+" "+e.Verdict)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("on record (-want +got):\n%s", diff)
			}
			if r := check(t, b, verify.Check{}); r.Found != 0 {
				t.Errorf("verify: %v", r.Problems)
			}
		})
	}
}

// testArguments: the arguments that follow a call are found with it.
func testArguments(t *testing.T, b Backend) {
	refused := record.Event{
		ID: "e1", Time: at(1), Type: record.Types.ToolCall, CallID: "call_1", Tool: "rm",
		Ruling: record.Ruling{Verdict: "deny", Blocked: true, Code: call.CodeToolDenied},
		Detail: record.ToolCall{ArgsFollow: true, Written: "rm"},
	}
	cut := refused
	cut.ID, cut.Time, cut.CallID = "e2", at(2), "call_2"
	open := refused
	open.ID, open.Time, open.CallID = "e3", at(3), "call_3"
	plain := record.Event{
		ID: "e4", Time: at(4), Type: record.Types.ToolCall, CallID: "call_4", Tool: "ls",
		Ruling: record.Ruling{Verdict: "allow"}, Args: []byte(`{"args_follow":true}`),
	}
	followed := record.Event{
		ID: "e5", Time: at(5), Type: record.Types.CallArguments, CallID: "call_1", WireID: "toolu_1", Tool: "rm",
		Args: []byte(`{"path":"/"}`),
	}
	never := record.Event{
		ID: "e6", Time: at(6), Type: record.Types.CallArguments, CallID: "call_2", Tool: "rm", Args: []byte(`"{"`),
		Ruling: record.Ruling{Code: call.CodeCutShort},
	}
	appendAll(t, b, seal(t, refused, cut, open, plain, followed, never))

	var got []record.Event
	hashes := map[string]bool{}
	for _, e := range entries(t, b, query.Filter{}) {
		hashes[e.Hash] = true
	}
	for e, err := range query.Joined(t.Context(), b, b.Entries(t.Context(), query.Filter{Types: record.Types.Where(record.Type.IsCall)})) {
		if err != nil {
			t.Fatal(err)
		}
		if !hashes[e.Hash] {
			t.Errorf("row %d: a hash that is not on record", e.Row)
		}
		ev, err := e.Event()
		if err != nil {
			t.Fatal(err)
		}
		ev.Head, ev.PrevHash = record.Head{}, ""
		got = append(got, ev)
	}
	refused.Args, refused.WireID, refused.Detail = followed.Args, followed.WireID, record.ToolCall{Written: "rm"}
	cut.Args, cut.Detail = never.Args, record.ToolCall{Written: "rm", ArgsCode: call.CodeCutShort}
	if diff := cmp.Diff([]record.Event{refused, cut, open, plain}, got); diff != "" {
		t.Errorf("calls with their arguments (-want +got):\n%s", diff)
	}
}
