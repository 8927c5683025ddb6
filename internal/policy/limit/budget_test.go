package limit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/store"
)

// noon is the beginning of a minute, and of an hour.
var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func newBudgets(t testing.TB, l Ledger, now time.Time) *Budgets {
	t.Helper()
	b, err := NewBudgets(t.Context(), BudgetsConfig{Ledger: l, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func spend(scope string, micro int64) []call.Spend { return []call.Spend{{Scope: scope, Micro: micro}} }

func TestSpent(t *testing.T) {
	type step struct {
		at  time.Duration // after noon
		add int64
	}
	day := 24 * time.Hour
	for _, test := range []struct {
		name   string
		steps  []step
		at     time.Duration
		window time.Duration
		want   int64
	}{
		{"nothing", nil, 0, time.Hour, 0},
		{"now", []step{{0, 5}}, 0, time.Hour, 5},
		{"a sum", []step{{0, 5}, {time.Second, 6}, {time.Minute, 7}}, time.Hour, time.Hour, 18},
		{"up to the window's length", []step{{0, 5}}, time.Hour, time.Hour, 5},
		{"the minute in which the window begins", []step{{59 * time.Second, 5}}, time.Hour + 59*time.Second, time.Hour, 5},
		{"past it", []step{{59 * time.Second, 5}}, time.Hour + time.Minute, time.Hour, 0},
		{"only the newer", []step{{0, 1}, {time.Minute, 2}, {2 * time.Minute, 4}}, time.Hour + 90*time.Second, time.Hour, 6},
		{"the longest window", []step{{0, 1}, {day, 2}}, 31 * day, MaxWindow, 3},
		{"no window", []step{{0, 1}, {time.Minute, 2}}, time.Minute, 0, 2},
		{"a window of less", []step{{0, 1}, {time.Minute, 2}}, time.Minute, -time.Hour, 2},
		{"amounts that are none", []step{{0, -5}, {0, 0}, {0, math.MinInt64}}, 0, time.Hour, 0},
		{"more than can be counted", []step{{0, math.MaxInt64}, {time.Minute, 5}, {time.Minute, math.MaxInt64}}, time.Minute, time.Hour, math.MaxInt64},
		{"and then not any more", []step{{0, math.MaxInt64}, {time.Minute, 5}}, time.Hour + 2*time.Minute - 1, time.Hour, 5},
		{"a clock set back, later", []step{{day, 5}}, 0, time.Hour, 5},
		{"a clock set back, and an hour", []step{{day, 5}, {0, 6}}, time.Hour, time.Hour, 11},
		{"a clock set back, and more than an hour", []step{{day, 5}, {0, 6}, {time.Hour, 7}}, time.Hour + time.Minute, time.Hour, 7},
		{"a clock set back in between", []step{{0, 1}, {time.Minute, 2}, {2 * time.Minute, 4}, {time.Minute, 8}}, time.Hour + 2*time.Minute, time.Hour, 0},
		{"readings in disorder", []step{{time.Minute, 1}, {59 * time.Second, 2}}, time.Hour + 59*time.Second, time.Hour, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBudgets(t, nil, noon)
			for _, s := range test.steps {
				b.Add(noon.Add(s.at), spend("a", s.add))
				b.Add(noon.Add(s.at), spend("b", 1000))
			}
			if got := b.Spent(noon.Add(test.at), "a", test.window); got != test.want {
				t.Errorf("spent %d, want %d", got, test.want)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	b := newBudgets(t, nil, noon)
	b.Add(noon, []call.Spend{{Scope: "session", Micro: 5}, {Scope: "org", Micro: 500}})
	for _, test := range []struct {
		name string
		caps []Cap
		want string
	}{
		{"none", nil, ""},
		{"under", []Cap{{"session", 6, time.Hour}}, ""},
		{"at", []Cap{{"session", 5, time.Hour}}, ""},
		{"past", []Cap{{"session", 4, time.Hour}}, "session"},
		{"the first", []Cap{{"session", 5, time.Hour}, {"org", 499, time.Hour}, {"session", 1, time.Hour}}, "org"},
		{"another scope", []Cap{{"team", 0, time.Hour}}, ""},
		{"a limit below nothing", []Cap{{"team", -1, time.Hour}}, "team"},
	} {
		t.Run(test.name, func(t *testing.T) {
			e, ok := b.Check(noon, test.caps)
			if ok != (test.want == "") || e.Scope != test.want {
				t.Errorf("%v, %+v; want %q", ok, e, test.want)
			}
			if !ok && e.Spent <= e.Limit {
				t.Errorf("spent %d of %d", e.Spent, e.Limit)
			}
		})
	}
}

// TestBudgetModel adds spends in order of time and compares with a plain list of them.
func TestBudgetModel(t *testing.T) {
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 2))
		b := newBudgets(t, nil, noon)
		type one struct {
			at    time.Time
			scope string
			micro int64
		}
		var all []one
		now := noon
		for range 300 {
			now = now.Add(time.Duration(random.Int64N(int64([]time.Duration{time.Second, time.Hour, 100 * time.Hour}[random.IntN(3)]))))
			o := one{now, fmt.Sprint(random.IntN(3)), random.Int64N(1000) + 1}
			all = append(all, o)
			b.Add(now, spend(o.scope, o.micro))
			window := []time.Duration{time.Minute, time.Hour, 24 * time.Hour, 30 * 24 * time.Hour}[random.IntN(4)]
			var want int64
			for _, a := range all {
				if a.scope == o.scope && !a.at.Before(now.Add(-window).Truncate(time.Minute)) {
					want += a.micro
				}
			}
			if got := b.Spent(now, o.scope, window); got != want {
				t.Fatalf("seed %d: spent %d in %v, want %d", seed, got, window, want)
			}
		}
	}
}

// TestRememberedSums asks again and again while the clock goes where it likes: what is remembered is what adding up finds.
func TestRememberedSums(t *testing.T) {
	windows := []time.Duration{0, time.Minute, time.Hour, 3 * time.Hour, 24 * time.Hour, 48 * time.Hour, 72 * time.Hour, 96 * time.Hour, MaxWindow, 7}
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 3))
		b := newBudgets(t, nil, noon)
		now := noon
		for i := range 300 {
			now = now.Add(time.Duration(random.Int64N(int64(8*time.Hour))-int64(2*time.Hour)) * time.Duration(random.IntN(2)))
			if random.IntN(2) == 0 {
				b.Add(now, spend("a", random.Int64N(100)))
			}
			window := windows[random.IntN(len(windows))]
			got := b.Spent(now, "a", window)
			if a := b.scopes["a"]; a != nil {
				forgetful := &account{minutes: slices.Clone(a.minutes)}
				if want := forgetful.spent(minuteOf(now), minuteOf(now.Add(-window)), window); got != want {
					t.Fatalf("seed %d, step %d: %d in %v, want %d", seed, i, got, window, want)
				}
			}
		}
	}
}

// TestSumsAfterStepsBack has the clock set back by more than a window and forward again: what was spent meanwhile is not
// of the window that was asked for before.
func TestSumsAfterStepsBack(t *testing.T) {
	b := newBudgets(t, nil, noon)
	b.Add(noon.Add(-48*time.Hour), spend("a", 1))
	for range 2 {
		if got := b.Spent(noon, "a", time.Hour); got != 0 {
			t.Errorf("spent %d, want 0", got)
		}
		b.Add(noon.Add(-3*time.Hour), spend("a", 5))
	}
}

// A ledger is what a store would return.
type ledger struct {
	spends []call.Spend
	since  time.Time
	err    error
}

func (l *ledger) Spends(_ context.Context, since time.Time) ([]call.Spend, error) {
	l.since = since
	return l.spends, l.err
}

func TestLedger(t *testing.T) {
	year := noon.Add(365 * 24 * time.Hour)
	l := &ledger{spends: []call.Spend{
		{Scope: "a", Micro: 1, Time: noon.Add(-time.Hour)},
		{Scope: "a", Micro: 2, Time: noon},
		{Scope: "b", Micro: 4, Time: noon},
		{Scope: "a", Micro: 8, Time: year},
		{Scope: "a", Micro: 16, Time: year.Add(time.Hour)},
	}}
	b := newBudgets(t, l, noon)
	if !l.since.Equal(noon.Add(-MaxWindow)) {
		t.Errorf("asked for spends since %v", l.since)
	}
	if got := b.Spent(noon, "a", time.Minute); got != 26 {
		t.Errorf("spent %d now or in the future, want 26", got)
	}
	if got := b.Spent(noon, "a", time.Hour); got != 27 {
		t.Errorf("spent %d in an hour, want 27", got)
	}
	if got := b.Spent(noon.Add(2*time.Hour), "a", time.Hour); got != 0 {
		t.Errorf("spent %d, two hours later, want 0", got)
	}
	broken := &ledger{err: errors.New("disk full")}
	if _, err := NewBudgets(t.Context(), BudgetsConfig{Ledger: broken, Now: noon}); !errors.Is(err, broken.err) {
		t.Errorf("a ledger that cannot be read: %v", err)
	}
}

// TestRestart has a store between two lives of the budgets: what was recorded is what is counted.
func TestRestart(t *testing.T) {
	open := func() *store.Store {
		s, err := store.Open(t.Context(), "sqlite://"+filepath.Join(t.TempDir(), "weir.db"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
		return s
	}
	s := open()
	before := newBudgets(t, s, noon)
	recorder := recorder.New(recorder.Config{Store: s})
	now := noon
	for i := range 50 {
		now = now.Add(time.Duration(i) * time.Minute)
		spends := []call.Spend{{Scope: "org", Micro: int64(i)}, {Scope: fmt.Sprint("session ", i%3), Micro: int64(i)}}
		before.Add(now, spends)
		recorder.RecordAll([]record.Event{{Type: record.Types.ResponseDone, Time: now}}, record.Effects{Spend: spends}, func(err error) {
			if err != nil {
				t.Error(err)
			}
		})
	}
	if err := recorder.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := newBudgets(t, s, now)
	for _, scope := range []string{"org", "session 0", "session 1", "session 2", "session 3"} {
		for _, window := range []time.Duration{0, time.Hour, 24 * time.Hour, MaxWindow} {
			want, got := before.Spent(now, scope, window), again.Spent(now, scope, window)
			if got != want {
				t.Errorf("%s in %v: %d after a restart, %d before", scope, window, got, want)
			}
		}
	}
	if got := again.Spent(now, "org", MaxWindow); got != 49*50/2 {
		t.Errorf("the organisation has spent %d", got)
	}
}

func TestBudgetMemory(t *testing.T) {
	b := newBudgets(t, nil, noon)
	now := noon
	drops, kept := 0, 0
	for i := range 150_000 {
		now = now.Add(time.Minute)
		b.Add(now, spend("org", 1))
		if n := len(b.scopes["org"].minutes); n < kept {
			drops++
			if got, want := b.Spent(now, "org", MaxWindow), int64(MaxWindow/time.Minute)+1; got != want {
				t.Fatalf("minute %d: some was dropped, and %d is left of %d", i, got, want)
			}
		}
		kept = len(b.scopes["org"].minutes)
	}
	if drops < 2 {
		t.Errorf("old minutes were dropped %d times", drops)
	}
	if n, most := len(b.scopes["org"].minutes), 2*int(MaxWindow/time.Minute)+2; n > most {
		t.Errorf("%d minutes are kept, want at most %d", n, most)
	}
	if got := b.Spent(now, "org", MaxWindow); got != int64(MaxWindow/time.Minute)+1 {
		t.Errorf("spent %d in the longest window", got)
	}
	for i := range 20_000 {
		now = now.Add(time.Hour)
		b.Add(now, spend(fmt.Sprint("session ", i), 1))
	}
	if n := len(b.scopes); n > 3000 {
		t.Errorf("%d scopes are kept, of which 745 have spent of late", n)
	}
}

func TestBudgetsConcurrent(t *testing.T) {
	b := newBudgets(t, nil, noon)
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			for i := range 500 {
				now := noon.Add(time.Duration(i+g) * time.Second)
				b.Add(now, []call.Spend{{Scope: "org", Micro: 1}, {Scope: fmt.Sprint(g), Micro: 1}})
				b.Check(now, []Cap{{"org", 100, time.Hour}, {fmt.Sprint(g), 100, time.Hour}})
			}
		})
	}
	group.Wait()
	if got := b.Spent(noon.Add(time.Hour), "org", 24*time.Hour); got != 4000 {
		t.Errorf("spent %d, want 4000", got)
	}
}

func BenchmarkBudgets(b *testing.B) {
	budgets := newBudgets(b, nil, noon)
	now := noon
	for range MaxWindow / time.Minute {
		now = now.Add(time.Minute)
		budgets.Add(now, spend("org", 1))
	}
	for _, window := range []time.Duration{time.Hour, 24 * time.Hour, 30 * 24 * time.Hour} {
		b.Run(fmt.Sprint("window=", window), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if budgets.Spent(now, "org", window) == 0 {
					b.Fatal("nothing")
				}
			}
		})
	}
}
