package judge_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/record"
)

// A shelf is a store of rulings that holds what the test puts there.
type shelf struct {
	kept     []call.Remembered
	answered []string
	err      error
}

func (s *shelf) Ruled(context.Context, call.Exchange, string) (call.Ruling, bool, error) {
	return call.Ruling{}, false, s.err
}

func (s *shelf) Refused(context.Context, string, string) ([]call.Remembered, error) {
	return s.kept, s.err
}

func (s *shelf) RefusedIn(context.Context, string, string) ([]call.Remembered, error) {
	return slices.DeleteFunc(slices.Clone(s.kept), func(k call.Remembered) bool { return slices.Contains(s.answered, k.WireID) }), s.err
}

func (s *shelf) Noticed(context.Context, string, string) (call.Remembered, bool, error) {
	return call.Remembered{}, false, s.err
}

func (s *shelf) SetAnswered(_ context.Context, _, _ string, ids []string, answered bool) error {
	if answered {
		s.answered = append(s.answered, ids...)
	}
	return s.err
}

// TestRefusedWhileTheStoreIsLost: a call of a stored response that could not be recorded stays refused when it is read again, and has
// its output.
func TestRefusedWhileTheStoreIsLost(t *testing.T) {
	lost := false
	s := &shelf{}
	b := judge.NewRulings(s, func() bool { return !lost })
	r := &notebook{}
	j := made(t, r, func(c *judge.Config) { c.Memory = b })
	c := storedCall("ls", `{}`)

	lost, r.err = true, errors.New("the disk is full")
	var ruling call.Ruling
	j.Judge(t.Context(), c, func(got call.Ruling) { ruling = got })
	if ruling.Code != call.CodeStoreUnavailable {
		t.Fatalf("ruling %+v", ruling)
	}
	lost, r.err = false, nil // and the record has not caught up yet
	r.events = nil
	j.Judge(t.Context(), readAgain(c), func(got call.Ruling) { ruling = got })
	if ruling.Released || ruling.Code != call.CodeStoreUnavailable {
		t.Errorf("read again: %+v; it was refused", ruling)
	}
	if len(r.events) != 1 || r.events[0].Type != record.Types.Reread || !r.events[0].Blocked {
		t.Errorf("recorded %+v", r.events)
	}
	want := *kept(c, call.Ruling{Code: call.CodeStoreUnavailable, Reason: "The call could not be recorded."})
	ignoring := cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "Ruling.Judged" }, cmp.Ignore())
	for what, ask := range map[string]func() ([]call.Remembered, error){
		"response":     func() ([]call.Remembered, error) { return b.Refused(t.Context(), "anthropic", "resp_1") },
		"conversation": func() ([]call.Remembered, error) { return b.RefusedIn(t.Context(), "anthropic", "conv_1") },
	} {
		if got, err := ask(); err != nil || !cmp.Equal([]call.Remembered{want}, got, ignoring) {
			t.Errorf("refused in the %s: %+v, %v", what, got, err)
		}
	}
	if got, found, err := b.Noticed(t.Context(), "anthropic", "msg_weir_1"); err != nil || !found || got.WireID != c.WireID {
		t.Errorf("noticed: %+v, %v, %v", got, found, err)
	}
	if got, err := b.Refused(t.Context(), "anthropic", "resp_2"); err != nil || len(got) != 0 {
		t.Errorf("of another response: %+v, %v", got, err)
	}

	// The output is given once, also when the store has the ruling by then.
	if err := b.SetAnswered(t.Context(), "anthropic", "conv_1", []string{c.WireID}, true); err != nil {
		t.Fatal(err)
	}
	s.answered, s.kept = nil, []call.Remembered{want}
	if got, err := b.RefusedIn(t.Context(), "anthropic", "conv_1"); err != nil || len(got) != 0 {
		t.Errorf("after it was answered: %+v, %v", got, err)
	}
	if !slices.Equal(s.answered, []string{c.WireID}) {
		t.Errorf("the store was told that %v are answered", s.answered)
	}
	if got, err := b.Refused(t.Context(), "anthropic", "resp_1"); err != nil || len(got) != 1 {
		t.Errorf("that the store has by now: %+v, %v; want it once", got, err)
	}
}

// TestTooMuchRefusedWhileTheStoreIsLost: what cannot be kept in mind makes the memory doubtful, until the store has it.
func TestTooMuchRefusedWhileTheStoreIsLost(t *testing.T) {
	lost := true
	b := judge.NewRulings(&shelf{}, func() bool { return !lost })
	for range 16_384 {
		b.Remember(call.Remembered{Upstream: "u", Response: "r", WireID: "w", Unit: "function_call"})()
	}
	queued := b.Remember(call.Remembered{Upstream: "u", Response: "r", WireID: "w", Unit: "function_call"})
	if _, _, err := b.Ruled(t.Context(), call.Exchange{Provider: "u", ResponseID: "other"}, "w"); err == nil {
		t.Error("nobody knows what was forgotten, and it says that it does")
	}
	if _, err := b.Refused(t.Context(), "u", "other"); err == nil {
		t.Error("likewise")
	}
	lost = false
	if _, _, err := b.Ruled(t.Context(), call.Exchange{Provider: "u", ResponseID: "other"}, "w"); err == nil {
		t.Error("nothing waits to be stored, because the last one does not yet, and it says that the store has all")
	}
	queued()
	if _, found, err := b.Ruled(t.Context(), call.Exchange{Provider: "u", ResponseID: "other"}, "w"); err != nil || found {
		t.Errorf("after the store has all: %v, %v", found, err)
	}
}

// TestNotForgottenBeforeItWaits: a ruling that the store does not have is not forgotten in the moment before it waits to be stored again.
func TestNotForgottenBeforeItWaits(t *testing.T) {
	b := judge.NewRulings(&shelf{}, func() bool { return true }) // the store works again, and nothing waits
	queued := b.Remember(call.Remembered{Upstream: "u", Response: "first", WireID: "w"})
	for range 16_384 {
		b.Remember(call.Remembered{Upstream: "u", Response: "r", WireID: "w"})()
	}
	if _, found, err := b.Ruled(t.Context(), call.Exchange{Provider: "u", ResponseID: "first"}, "w"); !found && err == nil {
		t.Error("it is forgotten, and the store never had it")
	}
	queued()
	queued()
	if _, _, err := b.Ruled(t.Context(), call.Exchange{Provider: "u", ResponseID: "first"}, "w"); err != nil {
		t.Errorf("after the store has all: %v", err)
	}
}

// TestFoundAsTheStoreFindsIt: what is not known of a call, or of the one that is asked for, does not keep them apart.
func TestFoundAsTheStoreFindsIt(t *testing.T) {
	b := judge.NewRulings(&shelf{}, func() bool { return false })
	for _, k := range []call.Remembered{
		{Upstream: "u", Response: "r", Conversation: "c", WireID: "both"},
		{Upstream: "u", Conversation: "c", WireID: "conversation"},
		{Upstream: "u", WireID: "neither"},
		{Upstream: "u", Response: "r"},
		{Upstream: "u", Conversation: "c"},
	} {
		b.Remember(k)()
	}
	for _, tt := range []struct {
		x    call.Exchange
		id   string
		want bool
	}{
		{call.Exchange{ResponseID: "r"}, "both", true},
		{call.Exchange{ResponseID: "r", Conversation: "other"}, "both", true},
		{call.Exchange{ResponseID: "other", Conversation: "c"}, "both", false},
		{call.Exchange{Conversation: "c"}, "both", true},
		{call.Exchange{Conversation: "other"}, "both", false},
		{call.Exchange{}, "both", true},
		{call.Exchange{ResponseID: "r", Conversation: "c"}, "conversation", true},
		{call.Exchange{ResponseID: "r", Conversation: "other"}, "conversation", false},
		{call.Exchange{ResponseID: "r"}, "conversation", true},
		{call.Exchange{ResponseID: "r", Conversation: "c"}, "neither", true},
		{call.Exchange{ResponseID: "r"}, "", true},
		{call.Exchange{ResponseID: "other"}, "", false},
		{call.Exchange{Conversation: "c"}, "", false},
		{call.Exchange{ResponseID: "r"}, "unknown", false},
	} {
		tt.x.Provider = "u"
		if _, found, err := b.Ruled(t.Context(), tt.x, tt.id); found != tt.want || err != nil {
			t.Errorf("%+v %q: found %v, %v", tt.x, tt.id, found, err)
		}
		tt.x.Provider = "another"
		if _, found, _ := b.Ruled(t.Context(), tt.x, tt.id); found {
			t.Errorf("%+v %q: found at another upstream", tt.x, tt.id)
		}
	}
}
