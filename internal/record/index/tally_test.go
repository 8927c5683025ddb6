package index

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestBuckets makes sure that no time is far from the middle of its bucket, and that buckets are in order.
func TestBuckets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	last := uint16(0)
	times := []int64{0, 1, 63, 64, 65, 127, 128, 129, 1 << 40, math.MaxInt64}
	for range 10_000 {
		times = append(times, rng.Int64()>>rng.IntN(63))
	}
	slices.Sort(times)
	for _, v := range times {
		b := bucketOf(v)
		if m := middle(b); max(m-v, v-m) > v/128+1 || v < 64 && m != v {
			t.Errorf("%d is in bucket %d, whose middle is %d", v, b, m)
		}
		if b < last {
			t.Errorf("%d is in bucket %d, after %d", v, b, last)
		}
		last = b
	}
}

// TestTally packs tallies and adds them up in different orders.
func TestTally(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, exact, exact + 1, 10_000} {
		var all []int64
		var sum tally
		for len(all) < n {
			var part tally
			for range min(n-len(all), 1+rng.IntN(200)) {
				v := rng.Int64N(1 << rng.IntN(30))
				part.add(v)
				all = append(all, v)
			}
			var p packing
			part.pack(&p)
			u := unpack(p.sealed())
			sum.unpack(u)
			if err := u.end(); err != nil {
				t.Fatal(err)
			}
		}
		slices.Sort(all)
		if sum.n != int64(n) {
			t.Errorf("%d times, want %d", sum.n, n)
		}
		got := sum.percentiles()
		for hundredths, v := range map[int]int64{50: got.P50, 95: got.P95, 99: got.P99} {
			want := int64(0)
			if n > 0 {
				want = all[(n*hundredths+99)/100-1]
			}
			if n <= exact && v != want || max(v-want, want-v) > want/100+1 {
				t.Errorf("%d hundredths of %d: %d, want %d", hundredths, n, v, want)
			}
		}
	}
}
