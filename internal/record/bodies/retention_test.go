package bodies

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func keys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// A pile is bodies by their times, in order. It lets go of them one by one.
type pile struct {
	sync.Mutex
	times  []time.Time
	newest time.Time // of an event
	limits []Limit
	freed  int
	err    error
}

func (p *pile) DropBodies(_ context.Context, beyond Limit) (int64, bool, error) {
	p.Lock()
	defer p.Unlock()
	p.limits = append(p.limits, beyond)
	if p.err != nil || len(p.times) == 0 || !p.times[0].Before(beyond.Since) && int64(len(p.times)) <= beyond.Size {
		return 0, false, p.err
	}
	p.times = p.times[1:]
	return 1, true, nil
}

func (p *pile) BodyStanding(context.Context) (count int64, newest time.Time, err error) {
	p.Lock()
	defer p.Unlock()
	newest = p.newest
	if n := len(p.times); n > 0 && p.times[n-1].After(newest) {
		newest = p.times[n-1]
	}
	return int64(len(p.times)), newest, nil
}

func (p *pile) FreeSpace(context.Context) error {
	p.Lock()
	defer p.Unlock()
	p.freed++
	return nil
}

// count waits until the retention has done what is due, and says how many are left.
func (p *pile) count() int {
	synctest.Wait()
	p.Lock()
	defer p.Unlock()
	return len(p.times)
}

// run has a retention look after the pile until the test ends.
func (p *pile) run(t *testing.T, k Retention) {
	ctx, stop := context.WithCancel(t.Context())
	k.Store = p
	var ended sync.WaitGroup
	ended.Go(func() { k.Run(ctx) })
	t.Cleanup(func() {
		stop()
		ended.Wait()
	})
}

// since are bodies from a time on, one every so often.
func since(start time.Time, every time.Duration, n int) (times []time.Time) {
	for i := range n {
		times = append(times, start.Add(time.Duration(i)*every))
	}
	return times
}

// Nothing is freed where nothing was let go, and trouble does not end it.
func TestRetention(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		p := &pile{times: since(began.Add(-time.Hour-time.Second), time.Hour, 2)}
		var told []error
		p.run(t, Retention{Age: time.Hour, Size: 2, OnError: func(err error) { told = append(told, err) }})
		if n := p.count(); n != 2 || p.freed != 0 {
			t.Errorf("%d are left, freed %d times", n, p.freed)
		}
		p.Lock()
		p.newest, p.err = began, errors.New("locked")
		p.Unlock()
		time.Sleep(3 * time.Minute) // the pace of an hour's age
		if n := p.count(); n != 2 || len(told) != 3 {
			t.Errorf("%d are left, told %v", n, told)
		}
		p.Lock()
		p.limits, p.err = nil, nil
		p.Unlock()
		time.Sleep(3 * time.Minute)
		if n := p.count(); n != 1 || p.freed != 1 {
			t.Errorf("%d are left, freed %d times", n, p.freed)
		}
		want := []Limit{{Size: 2}, {Size: 2}, {Since: began.Add(-time.Hour), Old: 1, Size: 2}, {Size: 2}}
		if diff := cmp.Diff(want, p.limits); diff != "" {
			t.Error(diff)
		}
	})
}

// A clock that jumps ahead costs nothing while nothing happens, and a tenth at a time when something does.
func TestRetentionDoubtsTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var ahead atomic.Int64
		p := &pile{times: since(began.Add(-100*time.Hour), time.Hour, 100)}
		p.run(t, Retention{Age: 30 * 24 * time.Hour, Size: 1000, Now: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }})
		ahead.Store(int64(10 * 365 * 24 * time.Hour))
		time.Sleep(24 * time.Hour)
		if n := p.count(); n != 100 {
			t.Fatalf("%d are left while nothing happens", n)
		}
		p.Lock()
		p.newest = began.Add(10 * 365 * 24 * time.Hour)
		p.Unlock()
		for _, want := range []int{90, 81, 72} {
			time.Sleep(30 * time.Minute)
			if n := p.count(); n != want {
				t.Fatalf("%d are left, want %d", n, want)
			}
		}
		// What is too much goes at once, whatever the clock says.
		p.Lock()
		p.times = append(p.times, since(began, 0, 1000)...)
		p.Unlock()
		time.Sleep(time.Minute)
		if n := p.count(); n != 1000 {
			t.Errorf("%d are left, want 1000", n)
		}
	})
}

// While bodies come and go, none stays for much longer than it may.
func TestRetentionKeepsPace(t *testing.T) {
	for _, age := range []time.Duration{time.Minute, 10 * time.Minute, time.Hour, 12 * time.Hour, 3 * 24 * time.Hour} {
		t.Run(age.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &pile{}
				p.run(t, Retention{Age: age, Size: 1 << 40})
				every := age / 100
				for range 400 {
					time.Sleep(every)
					p.Lock()
					p.times = append(p.times, time.Now())
					p.Unlock()
				}
				p.count()
				if oldest := time.Since(p.times[0]); oldest > age+age/10+2*time.Minute {
					t.Errorf("one is %v old", oldest)
				}
			})
		})
	}
}
