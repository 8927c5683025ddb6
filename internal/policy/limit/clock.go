package limit

import "time"

// disorder is how far apart readings of the clock may come in when several goroutines take them at the same time.
const disorder = time.Second

// A clock turns times into nanoseconds that only ever go forward, from 1.
//
// A time a little before the last one is old news, and counts as the last. One that is further back says that somebody
// has set the clock: nothing is known about how much time has passed, so none has, and time goes on from there. So a
// step back brings nothing twice and stops nothing. Times with a monotonic reading never step back.
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
		// Over so long a time every bucket fills up.
		if d = min(d, time.Duration(horizon)); c.at < maxClock {
			c.at += int64(d)
		}
		c.last = now
	case d < -disorder:
		c.last = now
	}
	return c.at
}

// maxClock leaves room above it for the longest queue of a bucket, and one call more.
const maxClock = int64(1<<63-1) - 3*horizon
