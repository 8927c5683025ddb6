package storetest

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// A Ledger is what weir needs from a backend for spent money.
type Ledger interface {
	Spends(ctx context.Context, since time.Time) ([]call.Spend, error)
}

func testBudget(t *testing.T, open func(t *testing.T) Backend) {
	for name, test := range map[string]func(*testing.T, Backend){
		"Sums":      testSums,
		"Since":     testSince,
		"OddScopes": testOddScopes,
		"Overflow":  testOverflow,
		"Forgotten": testForgotten,
		"WithEvent": testSpentWithItsEvent,
		"Restart":   testSpentBeforeARestart,
		"Cancelled": testLedgerCancelled,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

// noon is the beginning of a minute.
var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// A spending is an event, and the money that is counted when it is stored.
type spending struct {
	event  record.Event
	spends []call.Spend
}

func spent(at time.Time, spends ...call.Spend) spending {
	return spending{record.Event{Type: record.Types.ResponseDone, Time: at}, spends}
}

// sealSpent is seal for events that spend money.
func sealSpent(t *testing.T, all ...spending) []record.Entry {
	t.Helper()
	events := make([]record.Event, len(all))
	for i, s := range all {
		events[i] = s.event
	}
	entries := seal(t, events...)
	for i, s := range all {
		entries[i].With.Spend = s.spends
	}
	return entries
}

func spend(scope string, micro int64) call.Spend { return call.Spend{Scope: scope, Micro: micro} }

func spendAt(at time.Time, scope string, micro int64) call.Spend {
	return call.Spend{Scope: scope, Micro: micro, Time: at}
}

// wantSpends checks the spends since a time.
func wantSpends(t *testing.T, s Store, since time.Time, want ...call.Spend) {
	t.Helper()
	got, err := s.Spends(t.Context(), since)
	if err != nil {
		t.Fatal(err)
	}
	byScope := func(all []call.Spend) map[string][]call.Spend {
		scopes := map[string][]call.Spend{}
		for _, s := range all {
			scopes[s.Scope] = append(scopes[s.Scope], s)
		}
		return scopes
	}
	if diff := cmp.Diff(byScope(want), byScope(got)); diff != "" {
		t.Errorf("spent since %v (-want +got):\n%s", since, diff)
	}
	for i := range got[min(1, len(got)):] {
		if got[i+1].Time.Before(got[i].Time) {
			t.Errorf("spend %d is of %v, the one before of %v", i+1, got[i+1].Time, got[i].Time)
		}
	}
}

func testSums(t *testing.T, b Backend) {
	appendAll(t, b, sealSpent(t,
		spent(noon, spend("session a", 3), spend("org", 3)),
		spending{event: record.Event{Type: record.Types.ToolCall, Time: noon}},
		spent(noon.Add(59*time.Second+999*time.Millisecond), spend("session a", 4), spend("session a", 5), spend("org", 9)),
		spent(noon.Add(time.Minute), spend("session b", 1), spend("org", 1)),
		spent(noon, spend("nothing", 0), spend("less", -5), spend("org", -5)),
	))
	later := noon.Add(time.Minute)
	wantSpends(t, b, noon,
		spendAt(noon, "session a", 12), spendAt(noon, "org", 12), spendAt(later, "session b", 1), spendAt(later, "org", 1))
	appendAll(t, b, sealSpent(t, spent(noon.Add(30*time.Second), spend("org", 8))))
	wantSpends(t, b, noon,
		spendAt(noon, "session a", 12), spendAt(noon, "org", 20), spendAt(later, "session b", 1), spendAt(later, "org", 1))
}

func testSince(t *testing.T, b Backend) {
	before := time.Date(1969, 12, 31, 23, 59, 30, 0, time.UTC)
	appendAll(t, b, sealSpent(t, spent(before, spend("old", 1)), spent(before.Add(time.Minute), spend("old", 2))))
	first, second := before.Truncate(time.Minute), before.Add(time.Minute).Truncate(time.Minute)
	wantSpends(t, b, before.Add(-time.Minute), spendAt(first, "old", 1), spendAt(second, "old", 2))
	wantSpends(t, b, before.Add(29*time.Second), spendAt(first, "old", 1), spendAt(second, "old", 2))
	wantSpends(t, b, second, spendAt(second, "old", 2))
	wantSpends(t, b, second.Add(time.Minute))
}

func testOddScopes(t *testing.T, b Backend) {
	var all, want []call.Spend
	for i, id := range append([]string{""}, oddIDs...) {
		all = append(all, spend(id, int64(i+1)))
		want = append(want, spendAt(noon, id, int64(i+1)))
	}
	appendAll(t, b, sealSpent(t, spent(noon, all...)))
	wantSpends(t, b, noon, want...)
}

// testOverflow spends more than a column can hold: that must not open a budget.
func testOverflow(t *testing.T, b Backend) {
	appendAll(t, b, sealSpent(t,
		spent(noon, spend("a", math.MaxInt64-1), spend("b", math.MaxInt64)),
		spent(noon, spend("a", 1), spend("b", 1)),
	))
	wantSpends(t, b, noon, spendAt(noon, "a", math.MaxInt64), spendAt(noon, "b", math.MaxInt64))
	appendAll(t, b, sealSpent(t, spent(noon, spend("a", math.MaxInt64))))
	wantSpends(t, b, noon, spendAt(noon, "a", math.MaxInt64), spendAt(noon, "b", math.MaxInt64))
}

// testForgotten spends after so long a time that no budget asks for the beginning.
func testForgotten(t *testing.T, b Backend) {
	month := noon.Add(31 * 24 * time.Hour)
	appendAll(t, b, sealSpent(t, spent(noon, spend("a", 1)), spent(month, spend("a", 2))))
	wantSpends(t, b, noon, spendAt(noon, "a", 1), spendAt(month, "a", 2))
	year := noon.Add(365 * 24 * time.Hour)
	appendAll(t, b, seal(t, record.Event{Type: record.Types.ToolCall, Time: year}))
	wantSpends(t, b, noon, spendAt(noon, "a", 1), spendAt(month, "a", 2))
	appendAll(t, b, sealSpent(t, spent(year, spend("b", 3))))
	wantSpends(t, b, noon, spendAt(year, "b", 3))
}

// testSpentWithItsEvent fails to store an event: its money is not counted, nor that of the same batch.
func testSpentWithItsEvent(t *testing.T, b Backend) {
	all := sealSpent(t, spent(noon, spend("a", 1)), spent(noon, spend("a", 2)), spent(noon, spend("a", 4)))
	appendAll(t, b, all[:1])
	if err := b.Append(t.Context(), []record.Entry{all[1], all[2], all[2]}); err == nil {
		t.Fatal("a batch with an event twice was stored")
	}
	wantSpends(t, b, noon, spendAt(noon, "a", 1))
	appendAll(t, b, all[1:])
	wantSpends(t, b, noon, spendAt(noon, "a", 7))
	for _, e := range entries(t, b, query.Filter{}) {
		if e.With.Spend != nil {
			t.Errorf("an entry came back with money to spend: %+v", e.With.Spend)
		}
	}
	if r := verified(t, b); !b.Kept && (r.Found != 0 || r.Events != 3) { // a log takes an event twice, which the recorder never gives it
		t.Errorf("verified: %+v", r)
	}
}

func testSpentBeforeARestart(t *testing.T, b Backend) {
	other := b.Again(t)
	appendAll(t, b, sealSpent(t, spent(noon, spend("a", 1))))
	appendAll(t, other, sealSpent(t, spent(noon, spend("a", 2))))
	wantSpends(t, b, noon, spendAt(noon, "a", 3))
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	wantSpends(t, b.Again(t), noon, spendAt(noon, "a", 3))
}

func testLedgerCancelled(t *testing.T, b Backend) {
	appendAll(t, b, sealSpent(t, spent(noon, spend("a", 1))))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Spends(ctx, noon); err == nil {
		t.Error("Spends succeeded though cancelled")
	}
}
