package audit

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// An answers collects what the done functions of events were told, by tool.
type answers struct {
	mu  sync.Mutex
	all map[string][]error
}

func (a *answers) record(r *Recorder, tool string) {
	r.Record(Event{Type: TypeToolCall, Tool: tool}, func(err error) { a.answer(tool, err) })
}

func (a *answers) answer(tool string, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.all == nil {
		a.all = map[string][]error{}
	}
	a.all[tool] = append(a.all[tool], err)
}

// check demands that each event was answered once: the tools of durable with nil, those of failed with its error.
func (a *answers) check(t *testing.T, durable string, failed map[string]error) {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	want := map[string]error{}
	for tool := range strings.FieldsSeq(durable) {
		want[tool] = nil
	}
	for tool, err := range failed {
		want[tool] = err
	}
	for tool, err := range want {
		if got := a.all[tool]; len(got) != 1 || !errors.Is(got[0], err) {
			t.Errorf("%s: answers %v, want %v once", tool, got, err)
		}
	}
	if len(a.all) != len(want) {
		t.Errorf("%d events answered, want %d", len(a.all), len(want))
	}
}

func (m *memory) tools() string {
	var tools []string
	for _, e := range m.entries {
		tools = append(tools, e.Tool)
	}
	return strings.Join(tools, " ")
}

func wantWhole(t *testing.T, m *memory, chains int) {
	t.Helper()
	r, err := Verify(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	if r.Found != 0 || len(r.Heads) != chains {
		t.Errorf("%d chains, want %d; problems %v", len(r.Heads), chains, r.Problems)
	}
}

func TestEventsThatWaitTogetherShareACommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		m := &memory{before: func([]Entry) (bool, error) { <-release; return true, nil }}
		r := NewRecorder(Config{Store: m, MaxBatch: 10})
		var a answers
		a.record(r, "first")
		synctest.Wait() // the writer is in Append
		want := "first"
		for i := range 25 {
			tool := fmt.Sprint("t", i)
			want += " " + tool
			a.record(r, tool)
		}
		a.check(t, "", nil)
		close(release)
		if err := r.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		a.check(t, want, nil)
		if diff := cmp.Diff([]int{1, 10, 10, 5}, m.batches); diff != "" {
			t.Errorf("batches (-want +got):\n%s", diff)
		}
		if m.tools() != want {
			t.Errorf("stored %s", m.tools())
		}
		wantWhole(t, m, 1)
	})
}

func TestLargeEventsAreNotStoredTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		m := &memory{before: func([]Entry) (bool, error) { <-release; return true, nil }}
		r := NewRecorder(Config{Store: m})
		r.Record(Event{}, nil)
		synctest.Wait()
		for _, mebibytes := range []float64{1.7, 1.7, 1.7, 4.1, 0.1} {
			args := jsontext.Value(`"` + strings.Repeat("x", int(mebibytes*(1<<20))) + `"`)
			r.Record(Event{Args: args}, nil)
		}
		close(release)
		if err := r.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]int{1, 2, 1, 1, 1}, m.batches); diff != "" {
			t.Errorf("batches (-want +got):\n%s", diff)
		}
		wantWhole(t, m, 1)
	})
}

// TestEventsThatBelongTogether are stored at once, whatever the bounds of a batch, or not at all.
func TestEventsThatBelongTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var fail bool
		m := &memory{before: func([]Entry) (bool, error) {
			<-release
			if fail {
				return false, errDisk
			}
			return true, nil
		}}
		r := NewRecorder(Config{Store: m, Queue: 12, MaxBatch: 4})
		var a answers
		a.record(r, "first")
		synctest.Wait() // the writer is in Append
		together := func(tool string, n int) {
			events := make([]Event, n)
			for i := range events {
				events[i] = Event{Tool: fmt.Sprint(tool, i)}
			}
			r.RecordAll(events, func(err error) { a.answer(tool, err) })
		}
		a.record(r, "a")
		together("b", 3) // a and b fill a batch
		together("c", 2)
		together("d", 5) // more than a batch, and alone
		together("e", 2) // does not fit in the queue
		a.record(r, "f")
		a.check(t, "", map[string]error{"e": ErrFull})
		close(release)
		synctest.Wait()
		fail = true
		together("g", 3)
		synctest.Wait()
		fail = false
		together("i", 12) // fits, now that nothing else waits
		synctest.Wait()
		r.RecordAll([]Event{{Tool: "h0"}, {Tool: "h1", Args: jsontext.Value("{")}}, func(err error) {
			if err == nil {
				t.Error("broken arguments were recorded")
			}
		})
		if err := r.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		a.check(t, "first a b c d f i", map[string]error{"e": ErrFull, "g": errDisk})
		if diff := cmp.Diff([]int{1, 4, 2, 5, 1, 12}, m.batches); diff != "" {
			t.Errorf("batches (-want +got):\n%s", diff)
		}
		if want := "first a b0 b1 b2 c0 c1 d0 d1 d2 d3 d4 f i0"; !strings.HasPrefix(m.tools(), want) {
			t.Errorf("stored %s", m.tools())
		}
		wantWhole(t, m, 1)
	})
}

func TestAFullQueueRefusesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		m := &memory{before: func([]Entry) (bool, error) { <-release; return true, nil }}
		r := NewRecorder(Config{Store: m, Queue: 2})
		var a answers
		a.record(r, "stored")
		synctest.Wait()
		for _, tool := range []string{"a", "b", "c"} {
			a.record(r, tool)
		}
		a.check(t, "", map[string]error{"c": ErrFull})
		close(release)
		synctest.Wait()
		a.record(r, "d") // there is room again
		if err := r.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		a.record(r, "e")
		a.check(t, "stored a b d", map[string]error{"c": ErrFull, "e": ErrClosed})
		wantWhole(t, m, 1)
	})
}

func TestAFailedBatchFailsAlone(t *testing.T) {
	for _, test := range []struct {
		name   string
		stored bool // the failed append happened all the same
		want   string
	}{
		{"not stored", false, "a d e"},
		{"stored all the same", true, "a b d e"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var failing bool
				var asked int // for the head
				var told []error
				m := &memory{
					before: func([]Entry) (bool, error) {
						if failing {
							return test.stored, errDisk
						}
						return true, nil
					},
					headError: func() error {
						asked++
						if failing {
							return errDisk
						}
						return nil
					},
				}
				failures := 0
				r := NewRecorder(Config{
					Store: m, OnError: func(err error) { told = append(told, err) },
					OnCommit: func(_ time.Duration, err error) {
						if err != nil {
							failures++
						}
					},
				})
				var a answers
				step := func(fail bool, tool string) {
					failing = fail
					a.record(r, tool)
					synctest.Wait()
				}
				step(false, "a")
				step(true, "b")
				step(true, "c") // not tried while the store cannot say where the chain ends
				step(false, "d")
				step(false, "e")
				if err := r.Close(t.Context()); err != nil {
					t.Fatal(err)
				}
				a.check(t, "a d e", map[string]error{"b": errDisk, "c": errDisk})
				if m.tools() != test.want {
					t.Errorf("stored %q, want %q", m.tools(), test.want)
				}
				if len(told) != 1 || asked != 2 {
					t.Errorf("OnError was told %v, want one error, as the trouble is the same; the head was asked for %d times, want 2", told, asked)
				}
				if failures != 2 { // b, and c that was not even tried
					t.Errorf("%d batches were counted as failed, want 2", failures)
				}
				wantWhole(t, m, 1)
			})
		})
	}
}

func TestALostChainIsNotContinued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var fail bool
		var told []string
		m := &memory{before: func([]Entry) (bool, error) {
			if fail {
				return false, errDisk
			}
			return true, nil
		}}
		r := NewRecorder(Config{Store: m, OnError: func(err error) { told = append(told, err.Error()) }})
		var a answers
		a.record(r, "a")
		a.record(r, "b")
		synctest.Wait()
		fail = true
		a.record(r, "c")
		synctest.Wait()
		fail = false
		m.mu.Lock()
		m.entries = m.entries[:1] // as if restored from an older copy
		m.mu.Unlock()
		a.record(r, "d")
		if err := r.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		a.check(t, "a b d", map[string]error{"c": errDisk})
		if len(told) != 2 || !strings.Contains(told[1], "a new chain begins") {
			t.Errorf("OnError was told %q", told)
		}
		wantWhole(t, m, 2)
	})
}

func TestAnEventThatCannotBeWrittenFailsAlone(t *testing.T) {
	m := &memory{}
	r := NewRecorder(Config{Store: m})
	var bad error
	r.Record(Event{Args: jsontext.Value("{")}, func(err error) { bad = err })
	if bad == nil {
		t.Error("broken arguments were not refused at once")
	}
	var a answers
	a.record(r, "a")
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	a.check(t, "a", nil)
	wantWhole(t, m, 1)
}

func TestCloseGivesUpWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r *Recorder
		m := &memory{before: func([]Entry) (bool, error) {
			<-r.ctx.Done() // a store that hangs until it is cancelled
			return false, r.ctx.Err()
		}}
		r = NewRecorder(Config{Store: m, MaxBatch: 1})
		var a answers
		for _, tool := range []string{"a", "b", "c"} {
			a.record(r, tool)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := r.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Close: %v", err)
		}
		c := context.Canceled
		a.check(t, "", map[string]error{"a": c, "b": c, "c": c})
		if err := r.Close(t.Context()); err != nil {
			t.Errorf("closed again: %v", err)
		}
	})
}

func TestRecorderFillsIn(t *testing.T) {
	m := &memory{}
	r := NewRecorder(Config{Store: m, Now: func() time.Time { return noon.In(time.FixedZone("", 3600)) }})
	given := Event{ID: "mine", Time: noon.Add(-time.Hour)}
	r.Record(Event{}, nil)
	r.Record(Event{}, nil)
	r.Record(given, nil)
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for i, want := range []time.Time{noon, noon, given.Time} {
		e, err := m.entries[i].Event()
		if err != nil {
			t.Fatal(err)
		}
		if !e.Time.Equal(want.Truncate(time.Microsecond)) {
			t.Errorf("event %d: time %v, want %v", i, e.Time, want)
		}
		ids = append(ids, e.ID)
	}
	if !strings.HasPrefix(ids[0], "evt_") || ids[0] == ids[1] || ids[2] != "mine" {
		t.Errorf("ids %q", ids)
	}
}

// TestUnderFire records from many goroutines into a store that fails in every way it may, at random. Whatever happens,
// each event is answered once, what was called durable is stored, and the chain is whole.
func TestUnderFire(t *testing.T) {
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 0)) // used by the writer's goroutine alone
		m := &memory{
			before: func([]Entry) (bool, error) {
				if rnd.IntN(3) > 0 {
					return true, nil
				}
				return rnd.IntN(2) == 0, errDisk
			},
			headError: func() error {
				if rnd.IntN(3) > 0 {
					return nil
				}
				return errDisk
			},
		}
		r := NewRecorder(Config{Store: m, Queue: 20, MaxBatch: 7})
		var durable sync.Map
		var answered atomic.Int64
		var group sync.WaitGroup
		for g := range 8 {
			group.Go(func() {
				for i := range 50 {
					tool := fmt.Sprint(g, "-", i)
					r.Record(Event{Tool: tool}, func(err error) {
						answered.Add(1)
						if _, twice := durable.LoadOrStore(tool, err == nil); twice {
							t.Errorf("seed %d: %s was answered twice", seed, tool)
						}
					})
				}
			})
		}
		group.Wait()
		if err := r.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if answered.Load() != 8*50 {
			t.Errorf("seed %d: %d events answered", seed, answered.Load())
		}
		stored := map[string]bool{}
		for _, e := range m.entries {
			stored[e.Tool] = true
		}
		for tool, yes := range durable.Range {
			if yes.(bool) && !stored[tool.(string)] {
				t.Errorf("seed %d: %v was called durable and is not stored", seed, tool)
			}
		}
		wantWhole(t, m, 1)
	}
}

// told keeps what a sink is told.
type told struct{ events []Event }

func (s *told) Stored(events []Event) { s.events = append(s.events, events...) }

// Sinks are told of events when they are durable, as they can be read back, and of no others.
func TestSinks(t *testing.T) {
	store, sink := &memory{}, &told{}
	r := NewRecorder(Config{Store: store, Sinks: []Sink{sink}})
	args := []byte(`{"a":1}`)
	errs := make(chan error, 3)
	r.Record(Event{Type: TypeToolCall, Tool: "one", Args: args}, func(err error) { errs <- err })
	copy(args, `{"b":2}`)
	if err := <-errs; err != nil {
		t.Fatal(err)
	}
	r.Record(Event{Type: TypeToolCall, Tool: "bad", Args: []byte(`{`)}, func(err error) { errs <- err })
	if err := <-errs; err == nil {
		t.Fatal("recorded what is no JSON")
	}
	r.RecordAll([]Event{{Type: TypeToolCall, Tool: "two"}, {Type: TypeToolCall, Tool: "three"}}, func(err error) { errs <- err })
	if err := <-errs; err != nil {
		t.Fatal(err)
	}
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(sink.events) != 3 || string(sink.events[0].Args) != `{"a":1}` {
		t.Fatalf("told %+v", sink.events)
	}
	for i, e := range sink.events {
		stored, err := store.entries[i].Event()
		if err != nil {
			t.Fatal(err)
		}
		if e.Link != stored.Link || e.Tool != stored.Tool || e.ID != stored.ID {
			t.Errorf("told %+v, stored %+v", e, stored)
		}
	}
}
