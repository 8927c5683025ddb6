// Package limit counts calls and money: rates and budgets.
package limit

import (
	"crypto/sha256"
	"math"
	"math/bits"
	"sync"
	"time"
)

// Never is the wait for something that no wait brings about.
const Never = time.Duration(math.MaxInt64)

// A Rate is how many calls may pass.
type Rate struct {
	// PerMinute is how many calls may pass in the long run. Zero, less, or no number: none.
	PerMinute float64
	// Burst is how many may pass at once, after a pause. Less than one counts as one.
	Burst int
}

// A Want is one call, counted by one bucket.
type Want struct {
	Key  string // names the bucket
	Rate Rate   // how it fills
}

// Denied says which bucket holds a call back.
type Denied struct {
	Want
	// Retry is how long it takes until all buckets have room, if nobody else takes it; when it is memory that is short,
	// how long until there may be some. Never: no wait helps.
	Retry time.Duration
}

// RatesConfig sets up Rates.
type RatesConfig struct {
	// MaxKeys bounds the buckets that are not full, and with them the memory. Calls that need one more are denied.
	// 0: 262,144.
	MaxKeys int
}

// Rates are token buckets: each holds as many calls as its burst, and fills up again with its rate. A bucket that
// nobody has used is full, and costs nothing. Rates is safe for concurrent use.
type Rates struct {
	maxKeys int

	mu      sync.Mutex
	clock   clock
	buckets map[string]bucket
	// sweepAt is how many buckets there may be before the full ones are dropped.
	sweepAt int
	// swept is when that was last done.
	swept int64
	next  []bucket // what Take works on: the buckets as they would be
}

// A bucket is a queue of calls that drains at a steady pace: each call makes it longer by one interval. It is an empty
// queue, and so a full bucket, when the clock has reached its end. Both are in nanoseconds and whole, so that no error
// adds up.
type bucket struct {
	end      int64
	interval int64
}

const (
	defaultMaxKeys = 1 << 18
	// minSweep is the number of buckets below which dropping them is not worth the trouble.
	minSweep = 1024
	// sweepPause is the least time between two searches for room when all buckets are in use.
	sweepPause = int64(time.Second)
	// horizon is the longest time that a bucket takes to fill, about ten years. It keeps sums of times from overflowing.
	horizon = int64(10 * 365 * 24 * time.Hour)
	// maxKey is how many bytes of memory a key may hold on to. Longer ones are kept as digests.
	maxKey = 64
)

// NewRates returns buckets that are all full.
func NewRates(c RatesConfig) *Rates {
	if c.MaxKeys <= 0 {
		c.MaxKeys = defaultMaxKeys
	}
	return &Rates{maxKeys: c.MaxKeys, buckets: map[string]bucket{}, sweepAt: min(minSweep, c.MaxKeys)}
}

// Check says whether Take would let a call pass now. It takes nothing.
func (r *Rates) Check(now time.Time, wants []Want) (Denied, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.plan(r.clock.read(now), wants)
}

// Take takes one call from every bucket that wants names, or none from any. It returns true if the call may pass, and
// else the bucket for which the wait is longest. A key that is named twice is taken from twice.
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
			wait = Never // more at once than it ever holds
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

// short returns what a bucket is kept under, so that nobody fills the memory with long names.
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
		// The rate was changed. What was taken stays taken, and fills up at the new pace.
		queue = rescale(queue, interval, b.interval)
	}
	queue = min(queue, horizon) + interval
	return bucket{end: at + queue, interval: interval}, time.Duration(max(queue-burst*interval, 0))
}

// pace returns the time between two calls and how many may come at once. It is never faster than the rate.
func (r Rate) pace() (interval, burst int64, ok bool) {
	if !(r.PerMinute > 0) { // also true for what is not a number
		return 0, 0, false
	}
	burst = max(int64(r.Burst), 1)
	// Neither more calls nor more time than the horizon has nanoseconds.
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

// makeRoom makes sure that there is a place for more buckets, and returns how long to wait if there is none.
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

// sweep drops the buckets that are full. It builds a new map, because maps do not give back memory. As the next sweep
// comes when there are twice as many, each call pays for a small and fixed part of it.
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
