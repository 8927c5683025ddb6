package recorder

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recordtest"
)

// An outage is a store that fails while down, and never takes events of the tool "poison".
type outage struct {
	recordtest.Memory
	down   atomic.Bool
	stores bool // what fails is stored all the same
	lost   int
	sink   told
	errors []string
}

func (o *outage) recorder(c Config) *Recorder {
	o.Before = func(entries []record.Entry) (bool, error) {
		for _, e := range entries {
			if e.Tool == "poison" {
				return false, recordtest.ErrDisk
			}
		}
		if o.down.Load() {
			return o.stores, recordtest.ErrDisk
		}
		return true, nil
	}
	o.HeadError = func() error {
		if o.down.Load() {
			return recordtest.ErrDisk
		}
		return nil
	}
	c.Store, c.Sinks = &o.Memory, []Sink{&o.sink}
	c.OnLost = func(n int) { o.lost += n }
	c.OnError = func(err error) { o.errors = append(o.errors, err.Error()) }
	return New(c)
}

func (o *outage) sunk() string {
	var tools []string
	for _, e := range o.sink.events {
		tools = append(tools, e.Tool)
	}
	return strings.Join(tools, " ")
}

func TestWhatNobodyWaitsForIsStoredLate(t *testing.T) {
	for _, stores := range []bool{false, true} {
		t.Run(fmt.Sprintf("stored all the same: %v", stores), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := &outage{stores: stores}
				r := o.recorder(Config{MaxBatch: 2})
				var a results
				a.record(r, "a")
				synctest.Wait()
				o.down.Store(true)
				for _, tool := range []string{"b", "c", "d", "e"} {
					r.Record(record.Event{Tool: tool}, nil)
					synctest.Wait()
				}
				a.record(r, "f")
				synctest.Wait()
				if r.Trouble() == nil {
					t.Error("no trouble while the store is down")
				}
				time.Sleep(time.Minute) // the store is asked again and again
				synctest.Wait()
				if n := len(o.errors); n > 4 {
					t.Errorf("%d errors were told", n)
				}
				o.down.Store(false)
				time.Sleep(2 * pause)
				synctest.Wait()
				if err := r.Trouble(); err != nil {
					t.Errorf("trouble after the store is back: %v", err)
				}
				if n, bytes := r.Waiting(); n != 0 || bytes != 0 {
					t.Errorf("%d events of %d bytes wait", n, bytes)
				}
				if err := r.Close(t.Context()); err != nil {
					t.Fatal(err)
				}
				a.check(t, "a", map[string]error{"f": recordtest.ErrDisk})
				for _, list := range []string{toolsIn(&o.Memory), o.sunk()} {
					for _, tool := range []string{"a", "b", "c", "d", "e"} {
						if strings.Count(list, tool) != 1 {
							t.Errorf("%s is there %d times in %q", tool, strings.Count(list, tool), list)
						}
					}
				}
				if o.lost != 0 {
					t.Errorf("%d events lost", o.lost)
				}
				wantWhole(t, &o.Memory, 1)
			})
		})
	}
}

// An event that the store never takes holds up no other.
func TestPoisonIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &outage{}
		o.down.Store(true)
		r := o.recorder(Config{})
		for i := range 40 {
			tool := fmt.Sprint("t", i)
			if i == 17 {
				tool = "poison"
			}
			r.Record(record.Event{Tool: tool}, nil)
		}
		synctest.Wait()
		o.down.Store(false)
		var a results
		want := ""
		for i := range 60 {
			tool := fmt.Sprint("fresh", i)
			a.record(r, tool)
			want += " " + tool
			time.Sleep(2 * pause)
		}
		synctest.Wait()
		a.check(t, want, nil)
		if o.lost != 1 || len(o.Stored) != 39+60+1 {
			t.Errorf("%d events lost, %d stored", o.lost, len(o.Stored))
		}
		if n, _ := r.Waiting(); n != 0 {
			t.Errorf("%d events wait", n)
		}
		if err := r.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantWhole(t, &o.Memory, 1)
	})
}

func TestWhatWaitsIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &outage{}
		o.down.Store(true)
		r := o.recorder(Config{MaxBytes: 1 << 20})
		large := jsontext.Value(`"` + strings.Repeat("x", 100<<10) + `"`)
		for range 50 {
			r.Record(record.Event{Args: large}, nil)
			synctest.Wait()
		}
		var a results
		r.Record(record.Event{Args: large}, func(err error) { a.add("large", err) })
		a.record(r, "small")
		synctest.Wait()
		a.check(t, "", map[string]error{"large": errFull, "small": recordtest.ErrDisk})
		events, bytes := r.Waiting()
		if events == 0 || bytes > 1<<20 {
			t.Errorf("%d events of %d bytes wait", events, bytes)
		}
		if o.lost < 40 {
			t.Errorf("%d events lost, want most", o.lost)
		}
		// What is lost is on record when there is a record again.
		o.down.Store(false)
		time.Sleep(2 * pause)
		synctest.Wait()
		gap := o.sink.events[len(o.sink.events)-1]
		if gap.Type != record.Types.RecordGap || gap.Detail != record.Detail(record.RecordGap{Events: o.lost}) {
			t.Errorf("the last event is %+v", gap)
		}
		before := o.lost
		o.down.Store(true)
		for range 3 {
			r.Record(record.Event{}, nil)
		}
		synctest.Wait()
		// Closed while the store is down: what waits is lost, and that is told.
		if err := r.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if o.lost != before+3 {
			t.Errorf("%d events lost, want %d", o.lost, before+3)
		}
	})
}

// Those who wait are told before the sinks work.
func TestSinksComeLast(t *testing.T) {
	var order []string
	r := New(Config{Store: &recordtest.Memory{}, Sinks: []Sink{sinkFunc(func([]record.Event) { order = append(order, "sink") })}})
	r.Record(record.Event{}, func(error) { order = append(order, "done") })
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(order, " "); got != "done sink" {
		t.Errorf("told in the order %s", got)
	}
}

type sinkFunc func([]record.Event)

func (f sinkFunc) Stored(events []record.Event) { f(events) }

// Whatever fails and when, what nobody waits for is stored once.
func TestLateUnderFire(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 1))
			fate := rand.New(rand.NewPCG(seed, 2)) // used by the writer's goroutine alone
			m := &recordtest.Memory{
				Before: func([]record.Entry) (bool, error) {
					if fate.IntN(2) == 0 {
						return true, nil
					}
					return fate.IntN(2) == 0, recordtest.ErrDisk
				},
				HeadError: func() error { return []error{nil, recordtest.ErrDisk}[fate.IntN(2)] },
			}
			lost := 0
			r := New(Config{Store: m, MaxBatch: 5, OnLost: func(n int) { lost += n }})
			for i := range 200 {
				r.Record(record.Event{Tool: fmt.Sprint("late", i, ".")}, nil)
				if rnd.IntN(3) == 0 {
					r.Record(record.Event{Tool: "fresh"}, func(error) {})
				}
				if rnd.IntN(10) == 0 {
					time.Sleep(time.Duration(rnd.IntN(1500)) * time.Millisecond)
				}
			}
			time.Sleep(time.Hour)
			if err := r.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			count := map[string]int{}
			for _, e := range m.Stored {
				count[e.Tool]++
			}
			missing := 0
			for i := range 200 {
				switch n := count[fmt.Sprint("late", i, ".")]; n {
				case 1:
				case 0:
					missing++
				default:
					t.Errorf("seed %d: event %d is stored %d times", seed, i, n)
				}
			}
			if missing != lost {
				t.Errorf("seed %d: %d events are missing, and %d were called lost", seed, missing, lost)
			}
			wantWhole(t, m, 1)
		})
	}
}

// With nothing to store, the recorder finds out by itself that the store works again.
func TestTroubleEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &outage{}
		r := o.recorder(Config{})
		o.down.Store(true)
		var a results
		a.record(r, "refused")
		synctest.Wait()
		if r.Trouble() == nil {
			t.Error("no trouble while the store is down")
		}
		time.Sleep(10 * pause)
		o.down.Store(false)
		time.Sleep(2 * pause)
		synctest.Wait()
		if err := r.Trouble(); err != nil {
			t.Errorf("trouble after the store is back: %v", err)
		}
		if err := r.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		a.check(t, "", map[string]error{"refused": recordtest.ErrDisk})
	})
}

// A store that is back in a moment gets what is late though the recorder is closing, and is told of what is lost.
func TestCloseWaitsAMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &outage{}
		r := o.recorder(Config{Queue: 2})
		o.down.Store(true)
		for _, tool := range []string{"a", "b", "c", "d"} {
			r.Record(record.Event{Tool: tool}, nil)
			synctest.Wait()
		}
		if o.lost != 1 {
			t.Fatalf("%d events lost, want the last: one was tried, and two may wait", o.lost)
		}
		time.AfterFunc(time.Second, func() { o.down.Store(false) })
		if err := r.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(o.Stored) != 4 || strings.Contains(toolsIn(&o.Memory), "d") {
			t.Errorf("stored %q, want three events and one that tells of the fourth", toolsIn(&o.Memory))
		}
		if last := o.sink.events[len(o.sink.events)-1]; last.Detail != record.Detail(record.RecordGap{Events: 1}) {
			t.Errorf("the last event is %+v", last)
		}
		wantWhole(t, &o.Memory, 1)
	})
}
