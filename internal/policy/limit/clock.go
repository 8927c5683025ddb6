package limit

import "time"

// disorder is how far out of order times may arrive when several goroutines read the clock at once.
const disorder = time.Second

// A clock converts times to nanoseconds that never go back, from 1.
//
// A time slightly before the last one was only delayed, and counts as the last. A time further back means that the clock was set.
// How much time has passed is then unknown, so it counts as none, and time continues from there. So a step back neither repeats
// time nor stops it. Times with a monotonic reading never step back.
type clock struct {
	last time.Time
	at   int64
}

func (c *clock) read(now time.Time) int64 {
	if c.at == 0 {
		c.last, c.at = now, 1
	}
	switch d := now.Sub(c.last); {
	case d > 0:
		// Within the horizon every bucket fills up, so a longer time makes no difference.
		if d = min(d, time.Duration(horizon)); c.at < maxClock {
			c.at += int64(d)
		}
		c.last = now
	case d < -disorder:
		c.last = now
	}
	return c.at
}

// maxClock leaves room for the longest queue of a bucket and one more call.
const maxClock = int64(1<<63-1) - 3*horizon
