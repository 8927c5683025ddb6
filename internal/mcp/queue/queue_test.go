package queue

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func texts(cfg Config[string]) *Queue[string] {
	cfg.Size = func(s string) int { return len(s) }
	return New(cfg)
}

// What is put is taken in order, also after the end.
func TestOrder(t *testing.T) {
	q := texts(Config[string]{})
	if _, ok, more := q.Take(); ok || !more {
		t.Error("an empty queue has an item, or an end")
	}
	for _, s := range []string{"a", "b", "c"} {
		if !q.Put(s) {
			t.Errorf("%s was not taken", s)
		}
	}
	q.Close()
	if q.Put("late") {
		t.Error("something was put after the end")
	}
	var got []string
	for {
		s, ok := q.Next()
		if !ok {
			break
		}
		got = append(got, s)
	}
	if !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("%q", got)
	}
}

// A reader waits for what is put later, and for the end.
func TestNextWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := texts(Config[string]{})
		var got []string
		done := make(chan struct{})
		go func() {
			defer close(done)
			for s, ok := q.Next(); ok; s, ok = q.Next() {
				got = append(got, s)
			}
		}()
		synctest.Wait()
		q.Put("a")
		synctest.Wait()
		q.Close()
		<-done
		if !slices.Equal(got, []string{"a"}) {
			t.Errorf("%q", got)
		}
	})
}

// A bound counts what waits in all of its queues, and what was taken no more.
func TestBound(t *testing.T) {
	bound := NewBound(5)
	a, b := texts(Config[string]{Bound: bound}), texts(Config[string]{Bound: bound})
	a.Put("123")
	b.Put("12")
	if bound.exceeded() {
		t.Error("five bytes are too many")
	}
	b.Put("1")
	if !bound.exceeded() {
		t.Error("six bytes are not too many")
	}
	a.Take()
	b.Drain()
	expect.Equal(t, bound.bytes.Load(), 0, "bytes are left")
	if (*Bound)(nil).exceeded() {
		t.Error("there is no bound, and it is exceeded")
	}
}

// An item for which the account has no room is lost, or something small waits in its place. All that was taken is given back.
func TestAccount(t *testing.T) {
	room := budget.New(budget.Config{Total: 1 << 20, Client: 1 << 20})
	account := func() *budget.Account { return room.Open("ann") }
	fits := func() bool {
		a := account()
		defer a.Close()
		return a.Take(budget.Messages, 1<<20) == nil
	}
	large := string(make([]byte, 800<<10))
	q := texts(Config[string]{Account: account, Unheld: func(s string) (string, bool) { return "instead", s == large }})
	if !q.Put(large) || q.Exceeded() {
		t.Fatal("there is room for one")
	}
	if !q.Put(large) || !q.Exceeded() || q.Put(large[1:]) {
		t.Error("there is room for two")
	}
	if fits() {
		t.Error("what waits is not counted")
	}
	q.Take()
	if s, _, _ := q.Take(); s != "instead" || !fits() {
		t.Errorf("%q waited, and all fits: %t", s, fits())
	}
	if plain := texts(Config[string]{Account: account}); plain.Put(large+large) || !plain.Exceeded() {
		t.Error("something waits in place of what does not fit")
	}
}

// Minor items go first, the oldest of them; then the youngest of the others.
func TestShed(t *testing.T) {
	q := texts(Config[string]{})
	for _, s := range []string{"A", "b", "c", "D", "E"} {
		q.Put(s)
	}
	var lost []string
	q.Shed(5, 2, func(s string) bool { return s > "Z" }, func(s string) { lost = append(lost, s) })
	if !slices.Equal(lost, []string{"b", "c", "E"}) {
		t.Errorf("%q", lost)
	}
	q.Shed(1, 100, func(string) bool { return false }, func(s string) { lost = append(lost, s) })
	if s, _, _ := q.Take(); s != "A" || lost[3] != "D" {
		t.Errorf("%q is left of %q", s, lost)
	}
}

// A source waits while its reader is slow, and several do.
func TestWaitRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := texts(Config[string]{})
		for range roomItems {
			q.Put("")
		}
		var waiting sync.WaitGroup
		for range 3 {
			waiting.Go(func() { q.WaitRoom(t.Context()) })
		}
		ctx, cancel := context.WithCancel(t.Context())
		waiting.Go(func() { q.WaitRoom(ctx) })
		synctest.Wait()
		cancel()
		q.Take()
		waiting.Wait()
	})
}
