// Package limit counts calls and money: rates and budgets.
package limit

import (
	"crypto/sha256"
	"math"
	"math/bits"
	"sync"
	"time"
)

// Never is the wait where no wait helps.
const Never = time.Duration(math.MaxInt64)

// A Rate is how many calls may pass.
type Rate struct {
	// PerMinute is how many calls may pass in the long run. Zero, a negative number or NaN: none.
	PerMinute float64
	// Burst is how many may pass at once, after a pause. Less than one counts as one.
	Burst int
}

// A Want is one call, counted by one bucket.
type Want struct {
	Key  string // names the bucket
	Rate Rate   // of the bucket
}

// Denied says which bucket refuses a call.
type Denied struct {
	Want
	// Retry is the time until all buckets have room, if nobody else uses it. If memory is short, it is the time until there may be
	// some. Never: no wait helps.
	Retry time.Duration
}

// RatesConfig sets up Rates.
type RatesConfig struct {
	// MaxKeys bounds the buckets that are not full, and with them the memory. Calls that need another bucket are refused. 0: 262,144.
	MaxKeys int
}

// Rates are token buckets: each holds as many calls as its burst, and fills up again at its rate. A bucket that nobody has used is
// full, and needs no memory. Rates is safe for concurrent use.
type Rates struct {
	maxKeys int

	mu      sync.Mutex
	clock   clock
	buckets map[string]bucket
	// sweepAt is the number of buckets at which the full ones are dropped.
	sweepAt int
	// swept is the time of the last sweep.
	swept int64
	next  []bucket // scratch space of plan: the buckets as they would be after the call
}

// A bucket is a queue of calls that drains at a steady pace. Each call makes it longer by one interval. When the clock has reached
// end, the queue is empty, which means that the bucket is full. Both fields are whole nanoseconds, so that no rounding errors add
// up.
type bucket struct {
	end      int64
	interval int64
}

const (
	defaultMaxKeys = 1 << 18
	// minSweep is the number of buckets below which a sweep is not worth its cost.
	minSweep = 1024
	// sweepPause is the least time between two searches for room when all buckets are in use.
	sweepPause = int64(time.Second)
	// horizon is the longest time that a bucket takes to fill, about ten years. It keeps sums of times from overflowing.
	horizon = int64(10 * 365 * 24 * time.Hour)
	// maxKey is how many bytes a stored key may have. Longer keys are stored as digests.
	maxKey = 64
)

// NewRates returns buckets that are all full.
func NewRates(c RatesConfig) *Rates {
	if c.MaxKeys <= 0 {
		c.MaxKeys = defaultMaxKeys
	}
	return &Rates{maxKeys: c.MaxKeys, buckets: map[string]bucket{}, sweepAt: min(minSweep, c.MaxKeys)}
}

// Check says whether Take would let a call pass now. It changes nothing.
func (r *Rates) Check(now time.Time, wants []Want) (Denied, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.plan(r.clock.read(now), wants)
}

// Take takes one call from each bucket in wants, or from none of them. It returns true if the call may pass. Otherwise it returns
// the bucket with the longest wait. A key that occurs twice is charged twice.
func (r *Rates) Take(now time.Time, wants []Want) (Denied, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.clock.read(now)
	if d, ok := r.plan(at, wants); !ok {
		return d, false
	}
	for i, w := range wants {
		r.buckets[short(w.Key)] = r.next[i]
	}
	return Denied{}, true
}

// plan fills r.next with the buckets as they would be after the call. It returns false if one of them has no room.
func (r *Rates) plan(at int64, wants []Want) (denied Denied, ok bool) {
	r.next = r.next[:0]
	added := 0
	ok = true
	for i, w := range wants {
		b, before := r.find(wants[:i], w.Key)
		if b.interval == 0 && before == 0 {
			added++
		}
		b, wait := b.take(at, w.Rate)
		if before >= max(w.Rate.Burst, 1) {
			wait = Never // more calls at once than the bucket ever holds
		}
		r.next = append(r.next, b)
		if wait > 0 && (ok || wait > denied.Retry) {
			denied, ok = Denied{w, wait}, false
		}
	}
	if !ok || added == 0 {
		return denied, ok
	}
	if wait := r.makeRoom(at, added); wait > 0 {
		return Denied{wants[0], wait}, false
	}
	return Denied{}, true
}

// find returns the bucket of a key as earlier wants leave it, and how many of them are for the same key.
func (r *Rates) find(earlier []Want, key string) (b bucket, same int) {
	for i, w := range earlier {
		if w.Key == key {
			b = r.next[i]
			same++
		}
	}
	if same == 0 {
		b = r.buckets[short(key)]
	}
	return b, same
}

// short returns the key under which a bucket is stored, so that long names cannot fill the memory.
func short(key string) string {
	if len(key) <= maxKey {
		return key
	}
	sum := sha256.Sum256([]byte(key))
	return "\x00" + string(sum[:])
}

// take returns the bucket after one more call, and how long that call has to wait.
func (b bucket) take(at int64, rate Rate) (after bucket, wait time.Duration) {
	interval, burst, ok := rate.pace()
	if !ok {
		return b, Never
	}
	queue := max(b.end-at, 0)
	if b.interval != interval && queue > 0 {
		// The rate was changed. Calls already taken still count, and refill at the new pace.
		queue = rescale(queue, interval, b.interval)
	}
	queue = min(queue, horizon) + interval
	return bucket{end: at + queue, interval: interval}, time.Duration(max(queue-burst*interval, 0))
}

// pace returns the time between two calls and how many calls may come at once. The pace is never faster than the rate.
func (r Rate) pace() (interval, burst int64, ok bool) {
	if !(r.PerMinute > 0) { // also true for NaN
		return 0, 0, false
	}
	burst = max(int64(r.Burst), 1)
	// The bucket must not take longer than the horizon to fill.
	burst = min(burst, horizon)
	longest := horizon / burst
	between := math.Ceil(float64(time.Minute) / r.PerMinute)
	if between >= float64(longest) {
		return longest, burst, true
	}
	return max(int64(between), 1), burst, true
}

// rescale is queue*interval/was, rounded up and no more than the horizon.
func rescale(queue, interval, was int64) int64 {
	hi, lo := bits.Mul64(uint64(queue), uint64(interval))
	if hi >= uint64(was) {
		return horizon
	}
	q, rest := bits.Div64(hi, lo, uint64(was))
	if rest > 0 {
		q++
	}
	return int64(min(q, uint64(horizon)))
}

// makeRoom makes room for more buckets. If there is none, it returns how long to wait.
func (r *Rates) makeRoom(at int64, more int) time.Duration {
	if len(r.buckets)+more <= r.sweepAt {
		return 0
	}
	if full := len(r.buckets)+more > r.maxKeys; full && r.swept > 0 && at < r.swept+sweepPause {
		return time.Duration(r.swept + sweepPause - at)
	}
	r.sweep(at)
	if len(r.buckets)+more > r.maxKeys {
		return time.Duration(sweepPause)
	}
	return 0
}

// sweep drops the buckets that are full. It builds a new map, because maps do not give back memory. The next sweep comes when there
// are twice as many buckets, so the cost for each call stays small.
func (r *Rates) sweep(at int64) {
	used := make(map[string]bucket, len(r.buckets)/2)
	for key, b := range r.buckets {
		if b.end > at {
			used[key] = b
		}
	}
	r.buckets, r.swept = used, at
	r.sweepAt = min(max(2*len(used), minSweep), r.maxKeys)
}
