package index

import (
	"math/bits"
	"slices"

	"github.com/weir-gate/weir/internal/record/query"
)

// A tally has times of which percentiles are wanted. A few are kept as they are. Of many it is kept how many there are in each bucket,
// so that a percentile is off by at most 1/128 of itself.
type tally struct {
	few     []int64
	buckets []uint32 // nil: all are in few
	lowest  int      // the number of the first bucket
	n       int64
}

// exact is how many times are kept as they are.
const exact = 64

// subBuckets is how many buckets there are between a power of two and the next, as a power of two.
const subBuckets = 6

// bucketOf is the bucket of a time. Times below 64 have a bucket each.
func bucketOf(v int64) uint16 {
	if v < 0 {
		return 0
	}
	if v < 1<<subBuckets {
		return uint16(v)
	}
	shift := bits.Len64(uint64(v)) - subBuckets - 1
	return uint16((shift+1)<<subBuckets | int(v>>shift)&(1<<subBuckets-1))
}

// middle is the time in the middle of a bucket.
func middle(bucket uint16) int64 {
	shift := int(bucket>>subBuckets) - 1
	if shift < 0 {
		return int64(bucket)
	}
	low := int64(1<<subBuckets|int(bucket)&(1<<subBuckets-1)) << shift
	return low + 1<<shift/2
}

func (t *tally) add(v int64) {
	t.n++
	if t.buckets != nil {
		t.count(bucketOf(v), 1)
		return
	}
	if t.few = append(t.few, v); len(t.few) > exact {
		t.spread()
	}
}

// spread puts all times into buckets.
func (t *tally) spread() {
	t.buckets = []uint32{}
	for _, v := range t.few {
		t.count(bucketOf(v), 1)
	}
	t.few = nil
}

// step is how many buckets are added at once.
const step = 1 << subBuckets

// count counts times of a bucket. There are buckets only where they are needed: times of a kind are close together.
func (t *tally) count(bucket uint16, n uint32) {
	i := int(bucket) - t.lowest
	if uint(i) >= uint(len(t.buckets)) {
		first, last := int(bucket)/step*step, (int(bucket)/step+1)*step
		if len(t.buckets) > 0 {
			first, last = min(first, t.lowest), max(last, t.lowest+len(t.buckets))
		}
		wider := make([]uint32, last-first)
		copy(wider[max(0, t.lowest-first):], t.buckets)
		t.buckets, t.lowest = wider, first
		i = int(bucket) - first
	}
	t.buckets[i] += n
}

// unpack adds a packed tally.
func (t *tally) unpack(u *unpacking) {
	n := u.number()
	if n <= exact {
		v := int64(0)
		for range n {
			v += u.signed()
			t.add(v)
		}
		return
	}
	if t.buckets == nil {
		t.spread()
	}
	t.n += int64(n)
	b := uint16(0)
	for range u.count() {
		b += uint16(u.number())
		t.count(b, uint32(u.number()))
	}
}

func (t *tally) pack(p *packing) {
	p.number(uint64(t.n))
	if t.buckets == nil {
		slices.Sort(t.few)
		last := int64(0)
		for _, v := range t.few {
			p.signed(v - last)
			last = v
		}
		return
	}
	filled := 0
	for _, n := range t.buckets {
		if n > 0 {
			filled++
		}
	}
	p.number(uint64(filled))
	last := 0
	for i, n := range t.buckets {
		if n > 0 {
			p.number(uint64(t.lowest + i - last))
			p.number(uint64(n))
			last = t.lowest + i
		}
	}
}

// merge adds another tally.
func (t *tally) merge(more *tally) {
	for _, v := range more.few {
		t.add(v)
	}
	if more.buckets == nil {
		return
	}
	if t.buckets == nil {
		t.spread()
	}
	t.n += more.n
	for i, n := range more.buckets {
		if n > 0 {
			t.count(uint16(more.lowest+i), n)
		}
	}
}

// percentiles are the least times that so many hundredths do not exceed. Without times they are zero.
func (t *tally) percentiles() query.Percentiles {
	if t.n == 0 {
		return query.Percentiles{}
	}
	var found [3]int64
	slices.Sort(t.few)
	passed, bucket := int64(0), -1
	for i, hundredths := range []int64{50, 95, 99} {
		rank := (t.n*hundredths + 99) / 100
		if t.buckets == nil {
			found[i] = t.few[rank-1]
			continue
		}
		for passed < rank && bucket+1 < len(t.buckets) {
			bucket++
			passed += int64(t.buckets[bucket])
		}
		found[i] = middle(uint16(t.lowest + bucket))
	}
	return query.Percentiles{P50: found[0], P95: found[1], P99: found[2]}
}
