package judge_test

import (
	"fmt"
	"testing"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/record"
)

// TestRulingsOnTheirWay: a call that was released is known while only the log has its ruling, and until the store has it.
func TestRulingsOnTheirWay(t *testing.T) {
	b := judge.NewRulings(&shelf{}, func() bool { return true })
	entry := func(id string, released bool) record.Entry {
		return record.Entry{With: record.Effects{Remember: &call.Remembered{
			Upstream: "u", WireID: id, Response: "r" + id, Unit: "x", Ruling: call.Ruling{Released: released, Policy: id},
		}}}
	}
	known := func(id, response string) string {
		t.Helper()
		r, found, err := b.Ruled(t.Context(), call.Exchange{Provider: "u", ResponseID: response}, id)
		return fmt.Sprint(r.Policy, " ", found, " ", err)
	}
	for _, step := range []struct {
		do   func()
		want string // of call 1, 2 and 3
	}{
		{func() {}, " false <nil>, false <nil>, false <nil>"},
		{func() { b.Logged([]record.Entry{entry("1", true), entry("2", true), {}}) }, "1 true <nil>,2 true <nil>, false <nil>"},
		{func() { b.Logged([]record.Entry{entry("3", false), entry("1", true)}) }, "1 true <nil>,2 true <nil>, false <nil>"},
		{func() { b.Stored([]record.Entry{entry("1", true)}) }, "1 true <nil>,2 true <nil>, false <nil>"},
		{func() { b.Stored([]record.Entry{entry("2", true), {}, entry("3", false)}) }, "1 true <nil>, false <nil>, false <nil>"},
		{func() { b.Stored([]record.Entry{entry("1", true)}) }, " false <nil>, false <nil>, false <nil>"},
	} {
		step.do()
		if got := known("1", "r1") + "," + known("2", "r2") + "," + known("3", "r3"); got != step.want {
			t.Errorf("known: %q, want %q", got, step.want)
		}
		if got := known("1", "other"); got != " false <nil>" {
			t.Errorf("a call of another response: %q", got)
		}
	}
}

// TestTooManyRulingsOnTheirWay: a ruling that may have been forgotten is not taken for none.
func TestTooManyRulingsOnTheirWay(t *testing.T) {
	b := judge.NewRulings(&shelf{}, func() bool { return true })
	many := make([]record.Entry, 65_537)
	for i := range many {
		many[i].With.Remember = &call.Remembered{Upstream: "u", WireID: fmt.Sprint(i), Ruling: call.Ruling{Released: true}}
	}
	ruled := func() error {
		_, _, err := b.Ruled(t.Context(), call.Exchange{Provider: "u"}, "another")
		return err
	}
	b.Logged(many)
	if ruled() == nil {
		t.Error("a ruling that there was no room for is taken for none")
	}
	b.Stored(many)
	if err := ruled(); err != nil {
		t.Errorf("when all are stored: %v", err)
	}
}
