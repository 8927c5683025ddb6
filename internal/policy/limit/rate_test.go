package limit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// start has no monotonic reading, so that tests can set the clock back.
var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func after(d time.Duration) time.Time { return start.Add(d) }

func want(keys string, perMinute float64, burst int) []Want {
	var all []Want
	for key := range strings.FieldsSeq(keys) {
		all = append(all, Want{key, Rate{perMinute, burst}})
	}
	return all
}

func TestTake(t *testing.T) {
	type step struct {
		at    time.Duration
		wants []Want
		deny  string // the key that denies; "": the call passes
		retry time.Duration
	}
	for _, test := range []struct {
		name  string
		steps []step
	}{
		{"a burst, and then the rate", []step{
			{0, want("a", 60, 3), "", 0},
			{0, want("a", 60, 3), "", 0},
			{0, want("a", 60, 3), "", 0},
			{0, want("a", 60, 3), "a", time.Second},
			{999 * time.Millisecond, want("a", 60, 3), "a", time.Millisecond},
			{time.Second, want("a", 60, 3), "", 0},
			{time.Second, want("a", 60, 3), "a", time.Second},
			{time.Hour, want("a", 60, 3), "", 0},
			{time.Hour, want("a", 60, 3), "", 0},
			{time.Hour, want("a", 60, 3), "", 0},
			{time.Hour, want("a", 60, 3), "a", time.Second},
		}},
		{"no burst counts as one", []step{
			{0, want("a", 6, 0), "", 0},
			{0, want("a", 6, -5), "a", 10 * time.Second},
		}},
		{"less than one a minute", []step{
			{0, want("a", 0.5, 1), "", 0},
			{time.Minute, want("a", 0.5, 1), "a", time.Minute},
			{2 * time.Minute, want("a", 0.5, 1), "", 0},
		}},
		{"a rate of nothing", []step{
			{0, want("a", 0, 9), "a", Never},
			{0, want("a", -1, 9), "a", Never},
			{0, want("a", math.NaN(), 9), "a", Never},
			{0, want("a", math.Inf(-1), 9), "a", Never},
			{0, want("a", math.Inf(1), 1), "", 0},
			{0, want("b", 1e-300, 1), "", 0},
			{0, want("b", 1e-300, 1), "b", time.Duration(horizon)},
		}},
		{"all or nothing", []step{
			{0, want("tool", 60, 1), "", 0},
			{0, want("server tool actor", 60, 1), "tool", time.Second},
			{0, want("server actor", 60, 1), "", 0},
		}},
		{"the longest wait", []step{
			{0, append(want("fast", 60, 1), want("slow", 6, 1)...), "", 0},
			{0, append(want("fast", 60, 1), want("slow", 6, 1)...), "slow", 10 * time.Second},
			{0, append(want("slow", 6, 1), want("fast", 60, 1)...), "slow", 10 * time.Second},
			{0, append(want("slow", 6, 1), want("none", 0, 1)...), "none", Never},
			{10 * time.Second, append(want("slow", 6, 1), want("fast", 60, 1)...), "", 0},
		}},
		{"a key twice", []step{
			{0, want("a a", 60, 2), "", 0},
			{0, want("a", 60, 2), "a", time.Second},
			{time.Second, want("a a", 60, 2), "a", time.Second},
			{time.Second, want("a", 60, 2), "", 0},
			{time.Hour, want("a a a", 60, 2), "a", Never},
		}},
		{"no wants", []step{{0, nil, "", 0}}},
		{"keys are told apart", []step{
			{0, want(strings.Repeat("x", 100)+"1", 1, 1), "", 0},
			{0, want(strings.Repeat("x", 100)+"2", 1, 1), "", 0},
			{0, want(strings.Repeat("x", 100)+"1", 1, 1), strings.Repeat("x", 100) + "1", time.Minute},
		}},
		{"a new rate keeps what was taken", []step{
			{0, want("a", 1, 4), "", 0},
			{0, want("a", 1, 4), "", 0},
			{0, want("a", 60, 4), "", 0}, // three of four
			{0, want("a", 60, 4), "", 0},
			{0, want("a", 60, 4), "a", time.Second},
			{0, want("a", 1, 4), "a", time.Minute},
		}},
		{"a smaller burst", []step{
			{0, want("a a a a a a a a", 60, 8), "", 0},
			{0, want("a", 60, 2), "a", 7 * time.Second},
			{6 * time.Second, want("a", 60, 2), "a", time.Second},
			{7 * time.Second, want("a", 60, 2), "", 0},
		}},
		{"a step back neither fills nor stops", []step{
			{time.Hour, want("a a", 60, 2), "", 0},
			{0, want("a", 60, 2), "a", time.Second},
			{time.Second, want("a", 60, 2), "", 0},
			{time.Second, want("a", 60, 2), "a", time.Second},
			{2 * time.Second, want("a", 60, 2), "", 0},
		}},
		{"readings in disorder fill nothing twice", []step{
			{900 * time.Millisecond, want("a", 60, 1), "", 0},
			{0, want("a", 60, 1), "a", time.Second},
			{900 * time.Millisecond, want("a", 60, 1), "a", time.Second},
			{0, want("a", 60, 1), "a", time.Second},
			{1899 * time.Millisecond, want("a", 60, 1), "a", time.Millisecond},
			{1900 * time.Millisecond, want("a", 60, 1), "", 0},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := NewRates(RatesConfig{})
			for i, s := range test.steps {
				for name, take := range map[string]func(time.Time, []Want) (Denied, bool){"check": r.Check, "check again": r.Check} {
					d, ok := take(after(s.at), s.wants)
					if ok != (s.deny == "") || d.Key != s.deny || d.Retry != s.retry {
						t.Errorf("step %d: %s: %v, %q in %v; want %q in %v", i, name, ok, d.Key, d.Retry, s.deny, s.retry)
					}
				}
				d, ok := r.Take(after(s.at), s.wants)
				if ok != (s.deny == "") || d.Key != s.deny || d.Retry != s.retry {
					t.Errorf("step %d: %v, %q in %v; want %q in %v", i, ok, d.Key, d.Retry, s.deny, s.retry)
				}
			}
		})
	}
}

// A model is a token bucket as a textbook has it, in thousandths of a call.
type model struct {
	tokens map[string]int64
	at     map[string]time.Duration
}

const thousand = 1000

func (m *model) take(at time.Duration, wants []Want) bool {
	left := map[string]int64{}
	for _, w := range wants {
		if _, again := left[w.Key]; !again {
			full := int64(w.Rate.Burst) * thousand
			tokens, used := m.tokens[w.Key]
			if !used {
				tokens = full
			}
			gained := int64(at-m.at[w.Key]) * int64(w.Rate.PerMinute) * thousand / int64(time.Minute)
			left[w.Key] = min(tokens+gained, full)
		}
		if left[w.Key] -= thousand; left[w.Key] < 0 {
			return false
		}
	}
	for key, tokens := range left {
		m.tokens[key], m.at[key] = tokens, at
	}
	return true
}

// TestModel plays long random runs against the model, with times at which both count exactly.
func TestModel(t *testing.T) {
	for seed := range uint64(100) {
		random := rand.New(rand.NewPCG(seed, 1))
		rates := map[string]Rate{}
		for _, key := range []string{"a", "b", "c", "d"} {
			rates[key] = Rate{float64([]int{6, 60, 600}[random.IntN(3)]), 1 + random.IntN(5)}
		}
		r := NewRates(RatesConfig{})
		m := model{map[string]int64{}, map[string]time.Duration{}}
		var at time.Duration
		for i := range 500 {
			// At 6, 60 and 600 a minute a tenth of a second is a whole number of thousandths.
			at += time.Duration(random.IntN(30)*random.IntN(3)) * 100 * time.Millisecond
			var wants []Want
			for range random.IntN(4) {
				key := string(rune('a' + random.IntN(4)))
				wants = append(wants, Want{key, rates[key]})
			}
			_, checked := r.Check(after(at), wants)
			d, got := r.Take(after(at), wants)
			if want := m.take(at, wants); got != want || checked != want {
				t.Fatalf("seed %d, step %d, %v: check %v, take %v, want %v: %+v", seed, i, at, checked, got, want, wants)
			}
			if got || d.Retry == Never {
				continue
			}
			if _, ok := r.Check(after(at+d.Retry-1), wants); ok {
				t.Fatalf("seed %d, step %d: passes before %v: %+v", seed, i, d.Retry, wants)
			}
			at += d.Retry
			if _, ok := r.Check(after(at), wants); !ok {
				t.Fatalf("seed %d, step %d: does not pass after %v: %+v", seed, i, d.Retry, wants)
			}
		}
	}
}

// FuzzRates says that whatever the clock and the rates do, no more pass than the burst and what the time that went
// forward brings, and that a call which waits as told passes.
func FuzzRates(f *testing.F) {
	f.Add(60.0, 3, []byte{0, 0, 0, 0, 10, 200, 0, 255, 3})
	f.Add(0.001, 1, []byte{255, 0, 1})
	f.Add(1e12, 1<<40, []byte{1, 2, 3})
	f.Add(1e-300, math.MaxInt, []byte{1, 128, 3})
	f.Add(math.Inf(1), -1, []byte{9})
	f.Fuzz(func(t *testing.T, perMinute float64, burst int, steps []byte) {
		r := NewRates(RatesConfig{})
		wants := []Want{{"k", Rate{perMinute, burst}}}
		var at, forward time.Duration
		passed := 0
		for _, s := range steps {
			d := time.Duration(int8(s)) * 100 * time.Millisecond
			at += d
			forward += max(d, 0)
			denied, ok := r.Take(after(at), wants)
			if ok {
				passed++
				continue
			}
			if denied.Retry <= 0 {
				t.Fatalf("denied with a wait of %v", denied.Retry)
			}
			if denied.Retry > time.Duration(horizon) {
				continue
			}
			// The clock may have been set back a little, and then it stands until it has caught up.
			at += denied.Retry + disorder
			forward += denied.Retry + disorder
			if denied, ok = r.Take(after(at), wants); !ok {
				t.Fatalf("denied again for %v", denied.Retry)
			}
			passed++
		}
		if !(perMinute > 0) && passed > 0 {
			t.Fatalf("%d passed at a rate of %v", passed, perMinute)
		}
		most := float64(max(burst, 1)) + perMinute*forward.Minutes() + float64(forward)/float64(horizon)*float64(max(burst, 1))
		if perMinute > 0 && float64(passed) > most*(1+1e-9)+1e-9 {
			t.Fatalf("%d passed in %v at %v a minute, burst %d", passed, forward, perMinute, burst)
		}
	})
}

func TestMemory(t *testing.T) {
	t.Run("full buckets are dropped", func(t *testing.T) {
		r := NewRates(RatesConfig{})
		for i := range 60_000 {
			if _, ok := r.Take(after(time.Duration(i)*time.Millisecond), want(fmt.Sprint("k", i), 60, 1)); !ok {
				t.Fatal("denied")
			}
		}
		if n := len(r.buckets); n > 3000 {
			t.Errorf("%d buckets, of which 1000 are in use", n)
		}
	})
	t.Run("100,000 in use", func(t *testing.T) {
		r := NewRates(RatesConfig{})
		for range 2 {
			for i := range 100_000 {
				if _, ok := r.Take(start, want(fmt.Sprint("k", i), 1, 2)); !ok {
					t.Fatal("denied")
				}
			}
		}
		if d, ok := r.Take(start, want("k0", 1, 2)); ok || d.Retry != time.Minute {
			t.Errorf("a bucket in use was forgotten: %v in %v", ok, d.Retry)
		}
	})
	t.Run("more than fit", func(t *testing.T) {
		r := NewRates(RatesConfig{MaxKeys: 10})
		for i := range 10 {
			if _, ok := r.Take(start, want(fmt.Sprint("k", i), 60, 2)); !ok {
				t.Fatal("denied")
			}
		}
		if d, ok := r.Take(start, want("k3 new", 60, 2)); ok || d.Retry != time.Second {
			t.Errorf("an eleventh bucket: %v in %v", ok, d.Retry)
		}
		if _, ok := r.Take(start, want("k3", 60, 2)); !ok {
			t.Error("a bucket that is there was denied, or the denied call took from it")
		}
		if _, ok := r.Take(after(time.Second), want("new", 60, 2)); !ok {
			t.Error("still no room when nine buckets are full")
		}
		if len(r.buckets) != 2 { // new, and k3, from which two were taken
			t.Errorf("%d buckets, want 2", len(r.buckets))
		}
	})
	t.Run("long keys", func(t *testing.T) {
		r := NewRates(RatesConfig{})
		r.Take(start, want(strings.Repeat("x", 1<<20), 60, 2))
		for key := range r.buckets {
			if len(key) > maxKey {
				t.Errorf("a key of %d bytes is kept", len(key))
			}
		}
	})
}

// TestConcurrent has many goroutines take from two buckets each: what passes is exactly what the buckets hold.
func TestConcurrent(t *testing.T) {
	r := NewRates(RatesConfig{})
	var passed, own [8]atomic.Int64
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			mine := append(want("shared", 1e-9, 1000), want(fmt.Sprint("own", g), 1e-9, 300)...)
			for i := range 1000 {
				r.Check(after(time.Duration(i)), mine)
				if _, ok := r.Take(after(time.Duration(i)), mine); ok {
					passed[0].Add(1)
					own[g].Add(1)
				}
			}
		})
	}
	group.Wait()
	if n := passed[0].Load(); n != 1000 {
		t.Errorf("%d passed, want 1000", n)
	}
	for g := range own {
		taken := own[g].Load()
		left := int64(0)
		for {
			if _, ok := r.Take(after(time.Hour), want(fmt.Sprint("own", g), 1e-9, 300)); !ok {
				break
			}
			left++
		}
		if diff := cmp.Diff(int64(300), taken+left); diff != "" {
			t.Errorf("bucket %d: a denied call took from it: %d passed, %d left", g, taken, left)
		}
	}
}

func BenchmarkTake(b *testing.B) {
	for _, keys := range []int{1, 100, 10_000} {
		b.Run(fmt.Sprint("keys=", keys), func(b *testing.B) {
			r := NewRates(RatesConfig{})
			wants := make([][]Want, keys)
			for i := range wants {
				wants[i] = want(fmt.Sprintf("tool:%d server:%d actor:%d", i, i, i), 1e9, 100)
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if _, ok := r.Take(after(time.Duration(i)*time.Microsecond), wants[i%keys]); !ok {
					b.Fatal("denied")
				}
				i++
			}
		})
	}
}
