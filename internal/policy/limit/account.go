package limit

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// An account is what one scope has spent.
type account struct {
	minutes []minuteSpend // ordered by time; never empty once something was spent
	sums    []windowSum   // the latest sums, so that a busy scope is not added up for every call
}

// A minuteSpend is what was spent in one minute.
type minuteSpend struct {
	minute int64 // since 1970
	micro  int64
}

// A windowSum is what was spent since the minute first.
type windowSum struct {
	window time.Duration
	first  int64
	micro  int64
}

// maxSums is how many windows of one scope are remembered. Policies have only a few.
const maxSums = 8

func (a *account) add(minute, micro int64) {
	a.settle(minute)
	if n := len(a.minutes); n > 0 && a.minutes[n-1].minute == minute {
		a.minutes[n-1].micro = addUp(a.minutes[n-1].micro, micro)
	} else {
		a.minutes = append(a.minutes, minuteSpend{minute, micro})
	}
	a.sums = slices.DeleteFunc(a.sums, func(s windowSum) bool { return s.first > minute })
	for i := range a.sums {
		a.sums[i].micro = addUp(a.sums[i].micro, micro)
	}
}

// spent adds up what was spent since the minute first.
func (a *account) spent(minute, first int64, window time.Duration) int64 {
	a.settle(minute)
	known := slices.IndexFunc(a.sums, func(s windowSum) bool { return s.window == window })
	if known >= 0 && a.sums[known].first == first {
		return a.sums[known].micro
	}
	from, _ := slices.BinarySearchFunc(a.minutes, first, func(s minuteSpend, minute int64) int {
		return cmp.Compare(s.minute, minute)
	})
	sum := windowSum{window: window, first: first}
	for _, m := range a.minutes[from:] {
		sum.micro = addUp(sum.micro, m.micro)
	}
	switch {
	case known >= 0:
		a.sums[known] = sum
	case len(a.sums) < maxSums:
		a.sums = append(a.sums, sum)
	default:
		a.sums = append(a.sums[:0], sum)
	}
	return sum.micro
}

// settle updates the account to a minute.
//
// If the clock was set back, some spends are in future minutes. They count as spent now, so that the step neither reopens the
// budget nor blocks it until the clock has caught up. Minutes older than the longest window are dropped when they are half of all.
func (a *account) settle(minute int64) {
	n := len(a.minutes)
	if n == 0 {
		return
	}
	if a.minutes[n-1].minute > minute {
		now := minuteSpend{minute: minute}
		for n > 0 && a.minutes[n-1].minute >= minute {
			n--
			now.micro = addUp(now.micro, a.minutes[n].micro)
		}
		a.minutes, a.sums = append(a.minutes[:n], now), nil
	}
	if half := len(a.minutes) / 2; half > 0 && a.minutes[half-1].minute < oldestAt(minute) {
		a.minutes, a.sums = slices.Clone(a.minutes[half:]), nil
	}
}

// oldestAt is the first minute that can count.
func oldestAt(minute int64) int64 { return minute - int64(MaxWindow/time.Minute) }

// addUp adds two amounts that are not negative. If the sum overflows, it is the largest number.
func addUp(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
