package judge_test

import (
	"errors"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/record"
)

// TestArgumentsFollow: a refusal without arguments and the arguments that follow are one call to who reads the record.
func TestArgumentsFollow(t *testing.T) {
	r := &notebook{}
	j := made(t, r, func(c *judge.Config) { c.MaxArguments = 30 })
	c := aCall("rm", "")
	c.Args, c.ArgsFollow = nil, true
	ruling, refused := j.RefusedByName(c)
	if !refused {
		t.Fatal("it is not refused by its name")
	}
	told := false
	j.Refuse(c, ruling, func(call.Ruling) { told = true })
	if !told || len(r.events) != 1 {
		t.Fatalf("recorded %+v", r.events)
	}
	first := r.events[0]
	if first.Type != record.Types.ToolCall || !first.ArgsFollow() || first.Args != nil || !first.Blocked || first.Rule != "no-rm" {
		t.Errorf("recorded %+v", first)
	}
	c.ArgsFollow = false
	for args, fault := range map[string]call.Ruling{`{"path":"/"}`: {}, `"{"`: cut} {
		c.Args = []byte(args)
		r.events = nil
		j.Arguments(c, fault)
		e := r.events[0]
		if e.Type != record.Types.CallArguments || string(e.Args) != args || e.Code != fault.Code || e.CallID != c.ID || e.Blocked || e.Verdict != "" {
			t.Errorf("recorded %+v", e)
		}
		joined := first.Join(e)
		d, _ := joined.Detail.(record.ToolCall)
		if string(joined.Args) != args || d.ArgsFollow || d.ArgsCode != fault.Code || joined.Code != call.CodeToolDenied || !joined.Blocked {
			t.Errorf("joined %+v", joined)
		}
	}
	c.Args = []byte(`{"path":"/a/path/that/is/longer/than/its/bound"}`)
	r.events = nil
	j.Arguments(c, call.Ruling{})
	if d, _ := first.Join(r.events[0]).Detail.(record.ToolCall); r.events[0].Args != nil || d.Omitted.SizeBytes != int64(len(c.Args)) {
		t.Errorf("recorded %+v", r.events[0])
	}
}

// again keeps what is recorded again.
type again struct {
	notebook
	events, instead []record.Event
}

func (a *again) RecordAgain(events, instead []record.Event, _ record.Effects) {
	a.events, a.instead = events, instead
}

// TestInDoubt: what could not be recorded for sure is recorded again under the same ids, and if it was there all the same, only that a
// released call was not delivered.
func TestInDoubt(t *testing.T) {
	for name, tt := range map[string]struct {
		tool    string
		instead int
	}{"released": {"ls", 1}, "refused": {"rm", 0}} {
		t.Run(name, func(t *testing.T) {
			a := &again{notebook: notebook{err: errors.New("the connection is gone")}}
			ids := map[string]bool{}
			watched := &noting{again: a, ids: ids}
			made(t, watched, nil).Judge(t.Context(), aCall(tt.tool, `{}`), func(r call.Ruling) {
				if r.Released {
					t.Error("it was released")
				}
			})
			if len(a.events) != 1 || !ids[a.events[0].ID] || !a.events[0].Blocked {
				t.Errorf("recorded again: %+v; the ids were %v", a.events, ids)
			}
			if len(a.instead) != tt.instead {
				t.Fatalf("recorded instead: %+v", a.instead)
			}
			for _, e := range a.instead {
				if e.Type != record.Types.CallWithdrawn || e.CallID != "call_1" || ids[e.ID] || e.ID == "" || !e.Blocked || e.Code != call.CodeStoreUnavailable {
					t.Errorf("recorded instead: %+v", e)
				}
			}
		})
	}
}

// noting notes the ids of what is recorded.
type noting struct {
	*again
	ids map[string]bool
}

func (w *noting) RecordAll(events []record.Event, with record.Effects, done func(error)) {
	for _, e := range events {
		w.ids[e.ID] = true
	}
	w.again.RecordAll(events, with, done)
}
