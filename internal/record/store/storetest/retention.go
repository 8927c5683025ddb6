package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/custodian"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/verify"
)

const day = 24 * time.Hour

// aDay is the time of an event some days after the tests' beginning of time.
func aDay(n int) time.Time { return at(0).Add(time.Duration(n) * day) }

// daily are n events, one a day.
func daily(n int) []record.Event {
	events := make([]record.Event, n)
	for i := range events {
		events[i] = record.Event{ID: fmt.Sprint("day", i), Type: record.Types.ToolCall, Time: aDay(i)}
	}
	return events
}

// A custodianAt is a custodian whose clock the test sets.
type custodianAt struct {
	*custodian.Custodian
	now     time.Time
	removed int64
}

func newCustodian(t *testing.T, b Backend, c custodian.Config) *custodianAt {
	t.Helper()
	k := &custodianAt{}
	c.Store, c.Key = b, testKey(t)
	c.Now = func() time.Time { return k.now }
	c.OnRemoved = func(n int64, why string) {
		if why == "" {
			t.Error("events were removed, and nobody says why")
		}
		k.removed += n
	}
	k.Custodian = custodian.New(c)
	return k
}

// keep calls Maintain at a time and checks that so many events are removed.
func (k *custodianAt) retain(t *testing.T, b Backend, now time.Time, want int64) {
	t.Helper()
	k.now, k.removed = now, 0
	if err := k.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if k.removed != want {
		t.Errorf("at %s %d events were removed, want %d", now.Format(time.DateTime), k.removed, want)
	}
	if r := check(t, b, verify.Check{}); r.Found != 0 {
		t.Errorf("verified: %v", r.Problems)
	}
}

func testRetention(t *testing.T, open func(t *testing.T) Backend) {
	for name, test := range map[string]func(*testing.T, Backend){
		"Age":       testRetentionByAge,
		"Clock":     testRetentionClock,
		"OldestYet": testRetentionOrder,
		"Whole":     testRetentionOfAll,
		"Size":      testRetentionBySize,
		"Portions":  testRetentionInPortions,
		"Broken":    testRetentionStops,
		"Atomic":    testCutAtomic,
		"Rulings":   testRetentionOfRulings,
		"Nothing":   testRetentionOfNothing,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

func testRetentionByAge(t *testing.T, b Backend) {
	storeVouched(t, b, seal(t, daily(100)...))
	k := newCustodian(t, b, custodian.Config{Retention: 90 * day})
	k.retain(t, b, aDay(99), 9)
	if got := entries(t, b, query.Filter{Limit: 1}); got[0].Seq != 10 {
		t.Errorf("the oldest event is %d, want 10", got[0].Seq)
	}
	k.retain(t, b, aDay(99).Add(10*time.Minute), 0)
	storeVouched(t, b, seal(t, record.Event{Type: record.Types.ToolCall, Time: aDay(105)}))
	k.retain(t, b, aDay(99).Add(20*time.Minute), 0)  // too soon, and the clock of the writer is ahead
	k.retain(t, b, aDay(105).Add(-12*time.Hour), 6)  // before that event, by this clock
	k.retain(t, b, aDay(105).Add(48*time.Hour), 0)   // nothing is older than it yet
	k.retain(t, b, aDay(105).Add(9000*time.Hour), 0) // and never will be, unless something happens
}

// testRetentionClock lets the clock jump.
func testRetentionClock(t *testing.T, b Backend) {
	storeVouched(t, b, seal(t, daily(100)...))
	k := newCustodian(t, b, custodian.Config{Retention: 200 * day})
	k.retain(t, b, aDay(100), 0)
	k.retain(t, b, aDay(10_000), 0)
	k.retain(t, b, aDay(-10_000), 0)
	storeVouched(t, b, seal(t, record.Event{Type: record.Types.ToolCall, Time: aDay(10_000)}))
	k.retain(t, b, aDay(10_000), 11)                    // a tenth of all events, rounded up
	k.retain(t, b, aDay(10_000).Add(29*time.Minute), 0) // too soon
	k.retain(t, b, aDay(10_000).Add(31*time.Minute), 9) // a tenth again
	k.retain(t, b, aDay(101), 0)                        // somebody has noticed
	again := newCustodian(t, b, custodian.Config{Retention: 200 * day})
	again.retain(t, b, aDay(10_000).Add(40*time.Minute), 0) // a restart changes nothing
}

// testRetentionOrder removes events from the chain with the oldest event.
func testRetentionOrder(t *testing.T, b Backend) {
	newer, older := daily(50)[20:], daily(50)
	for i := range older {
		older[i].ID = fmt.Sprint("older", i)
	}
	storeVouched(t, b, seal(t, newer...))
	storeVouched(t, b, seal(t, older...))
	k := newCustodian(t, b, custodian.Config{Retention: day})
	k.retain(t, b, aDay(50), 8)
	if got := ids(t, entries(t, b, query.Filter{})); !strings.Contains(got, "day20") || strings.Contains(got,
		"older7 ") || !strings.Contains(got, "older8 ") {
		t.Errorf("left: %s", got)
	}
}

// settle calls Maintain until nothing is removed any more. It checks that at most a tenth is removed at once.
func (k *custodianAt) settle(t *testing.T, b Backend, now time.Time) (removed int64) {
	t.Helper()
	for {
		before := int64(len(entries(t, b, query.Filter{})))
		k.now, k.removed = now, 0
		if err := k.Maintain(t.Context()); err != nil {
			t.Fatal(err)
		}
		if k.removed == 0 {
			return removed
		}
		if most := (before + 9) / 10; k.removed > most {
			t.Errorf("%d of %d events were removed at once", k.removed, before)
		}
		removed += k.removed
	}
}

// testRetentionOfAll removes every event of a chain, and the chain can still be verified and goes on. The event that was stored
// last stays, so that its row number is never used again.
func testRetentionOfAll(t *testing.T, b Backend) {
	all, last := seal(t, daily(3)...), seal(t, daily(2)...)
	storeVouched(t, b, all[:2])
	storeVouched(t, b, last)
	row := entries(t, b, query.Filter{})[3].Row
	k := newCustodian(t, b, custodian.Config{MaxBytes: 1})
	if n := k.settle(t, b, aDay(3)); n != 3 {
		t.Errorf("%d events were removed, want 3", n)
	}
	r := check(t, b, verify.Check{Heads: []record.Head{headOf(all[0]), headOf(all[1])}})
	if r.Found != 0 || r.Events != 1 || len(r.Heads) != 2 || !slices.Contains(r.Heads, headOf(all[1])) {
		t.Errorf("verified: %+v", r)
	}
	storeVouched(t, b, all[2:])
	if r := check(t, b, verify.Check{}); r.Found != 0 || r.Events != 2 {
		t.Errorf("verified: %+v", r)
	}
	if next := entries(t, b, query.Filter{})[1].Row; next <= row {
		t.Errorf("row %d came after row %d", next, row)
	}
}

func testRetentionBySize(t *testing.T, b Backend) {
	var events []record.Event
	for i := range 60 {
		events = append(events, record.Event{
			ID: fmt.Sprint("big", i), Type: record.Types.ToolCall, Time: aDay(i), Args: jsontext.Value(`"` + strings.Repeat("x", 100<<10) + `"`),
		})
	}
	one, two := seal(t, events[:30]...), seal(t, events[30:]...)
	storeVouched(t, b, two)
	storeVouched(t, b, one)
	k := newCustodian(t, b, custodian.Config{MaxBytes: 100 << 20})
	k.retain(t, b, aDay(60), 0)
	k = newCustodian(t, b, custodian.Config{MaxBytes: 1 << 20})
	// Whatever the time. The event that was stored last stays, though it is not the newest.
	if n := k.settle(t, b, aDay(-1)); n != 50 {
		t.Errorf("%d events were removed, want 50", n)
	}
	var left []string
	for _, e := range entries(t, b, query.Filter{}) {
		ev, err := e.Event()
		if err != nil {
			t.Fatal(err)
		}
		left = append(left, ev.ID)
	}
	if len(left) != 10 || left[0] != "big51" || left[9] != "big29" {
		t.Errorf("left: %v", left)
	}
	k.retain(t, b, aDay(60), 0)
	chains, err := b.Chains(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range chains {
		want := int64(0)
		for _, e := range entries(t, b, query.Filter{}) {
			if e.Chain == c.Chain {
				want += int64(len(e.Text))
			}
		}
		if c.Bytes != want {
			t.Errorf("chain %s is said to have %d bytes, and has %d", c.Chain, c.Bytes, want)
		}
	}
}

// testRetentionInPortions removes more than is removed at once, while somebody writes.
func testRetentionInPortions(t *testing.T, b Backend) {
	const n = 2503
	all := seal(t, make([]record.Event, n)...)
	storeVouched(t, b, all[:n-3])
	k := newCustodian(t, b, custodian.Config{MaxBytes: 10 << 10})
	done := make(chan error, 1)
	go func() { done <- b.Append(t.Context(), all[n-3:]) }()
	k.settle(t, b, aDay(1))
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	r := check(t, b, verify.Check{Heads: []record.Head{headOf(all[0]), headOf(all[n-1])}})
	if r.Found != 0 || r.Events < 5 || r.Events > 10 || r.Checkpoints < 4 {
		t.Errorf("verified: %d events, %d checkpoints, %v", r.Events, r.Checkpoints, r.Problems)
	}
}

// testRetentionStops: retention stops at a changed event. To remove it would remove the traces.
func testRetentionStops(t *testing.T, b Backend) {
	if err := b.Unlock(); err != nil {
		t.Fatal(err)
	}
	changes := []string{"UPDATE events SET text = replace(text, 'day2', 'day3') WHERE seq = 3", "DELETE FROM events WHERE seq = 1"}
	if !b.Kept { // logs have no columns
		changes = append(changes, "UPDATE events SET time = time - 1 WHERE seq = 3", "UPDATE events SET hash = 'x' WHERE seq = 5")
	}
	for _, change := range changes {
		all := seal(t, daily(100)...)
		storeVouched(t, b, all)
		if err := b.Exec(change+" AND chain = ?", all[0].Chain); err != nil {
			t.Fatal(err)
		}
		before := len(entries(t, b, query.Filter{}))
		for _, c := range []custodian.Config{{Retention: 50 * day}, {MaxBytes: 1}} {
			k := newCustodian(t, b, c)
			k.now = aDay(100)
			err := k.Maintain(t.Context())
			if err == nil || !strings.Contains(err.Error(), "is not as it was written") && !strings.Contains(err.Error(),
				"nothing is removed for its size") {
				t.Errorf("%s: %v", change, err)
			}
		}
		if after := len(entries(t, b, query.Filter{})); after != before {
			t.Errorf("%s: %d of %d events are left", change, after, before)
		}
	}
}

// testCutAtomic makes each half of a cut fail, and checks that the other is undone.
func testCutAtomic(t *testing.T, b Backend) {
	all := seal(t, corpus...)
	appendAll(t, b, all)
	unchanged := func(what string, checkpoints int64) {
		t.Helper()
		chains, err := b.Chains(t.Context())
		if err != nil || chains[0].First != 1 {
			t.Errorf("%s: the chain is kept from %d on, %v", what, chains[0].First, err)
		}
		if r := check(t, b, verify.Check{}); r.Checkpoints != checkpoints {
			t.Errorf("%s: %d checkpoints, want %d", what, r.Checkpoints, checkpoints)
		}
	}
	for name, cut := range map[string]checkpoint.Cut{
		"another event":  {First: 1, Last: record.Head{Chain: all[0].Chain, Seq: 3, Hash: all[3].Hash}},
		"past the end":   {First: 1, Last: record.Head{Chain: all[0].Chain, Seq: 8, Hash: all[6].Hash}},
		"nothing":        {First: 1, Last: record.Head{Chain: all[0].Chain, Seq: 0, Hash: record.Genesis}},
		"begins earlier": {First: 0, Last: headOf(all[2])},
		"begins later":   {First: 2, Last: headOf(all[2])},
		"no such chain":  {First: 1, Last: record.Head{Chain: "chain_x", Seq: 3, Hash: all[2].Hash}},
	} {
		if _, err := b.Cut(t.Context(), signer(t), cut); err == nil {
			t.Errorf("%s: done", name)
		}
		unchanged(name, 0)
	}
	cut := checkpoint.Cut{First: 1, Last: headOf(all[2])}
	if err := b.Exec("ALTER TABLE checkpoints RENAME TO elsewhere"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Cut(t.Context(), signer(t), cut); err == nil {
		t.Error("cut without a checkpoint")
	}
	if err := b.Exec("ALTER TABLE elsewhere RENAME TO checkpoints"); err != nil {
		t.Fatal(err)
	}
	unchanged("no checkpoints", 0)
	if n := len(entries(t, b, query.Filter{})); n != len(all) {
		t.Errorf("%d events are left", n)
	}
	if err := b.Unlock(); err != nil {
		t.Fatal(err)
	}
	if err := b.Exec("DELETE FROM events WHERE seq = 2"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Cut(t.Context(), signer(t), cut); err == nil {
		t.Error("cut where an event is missing")
	}
	unchanged("an event is missing", 0)
	if n := len(entries(t, b, query.Filter{})); n != len(all)-1 {
		t.Errorf("%d events are left", n)
	}
}

func testRetentionOfRulings(t *testing.T, b Backend) {
	all := seal(t, daily(40)...)
	for i := range all {
		all[i].With.Remember = &call.Remembered{
			Upstream: "u", Response: "r", WireID: fmt.Sprint("w", i), Unit: "function_call",
			Ruling: call.Ruling{Code: "x"},
		}
	}
	appendAll(t, b, all)
	left := func(want int, first string) {
		t.Helper()
		kept, err := b.Refused(t.Context(), "u", "r")
		if err != nil || len(kept) != want || kept[0].WireID != first {
			t.Errorf("%d rulings are left, %v; want %d from %s on", len(kept), err, want, first)
		}
	}
	k := newCustodian(t, b, custodian.Config{})
	k.retain(t, b, aDay(10_000), 0)
	left(40, "w0")
	k = newCustodian(t, b, custodian.Config{Retention: 36 * day})
	k.retain(t, b, aDay(39), 3)
	left(37, "w3")
	k = newCustodian(t, b, custodian.Config{Retention: 2 * day})
	k.retain(t, b, aDay(40), 4)
	left(33, "w7")
}

// testRetentionOfNothing maintains an empty record.
func testRetentionOfNothing(t *testing.T, b Backend) {
	k := newCustodian(t, b, custodian.Config{Retention: day, MaxBytes: 1})
	k.retain(t, b, aDay(1), 0)
	if r := check(t, b, verify.Check{}); r.Checkpoints != 0 {
		t.Errorf("%d checkpoints of nothing", r.Checkpoints)
	}
}
