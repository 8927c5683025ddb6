package recorder

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

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recordtest"
	"github.com/weir-gate/weir/internal/record/verify"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 123456789, time.UTC)

// A results collects what the done functions of events were told, by tool.
type results struct {
	mu  sync.Mutex
	all map[string][]error
}

func (a *results) record(r *Recorder, tool string) {
	r.Record(record.Event{Type: record.Types.ToolCall, Tool: tool}, func(err error) { a.add(tool, err) })
}

func (a *results) add(tool string, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.all == nil {
		a.all = map[string][]error{}
	}
	a.all[tool] = append(a.all[tool], err)
}

// check demands that each event was answered once: the tools of durable with nil, those of failed with its error.
func (a *results) check(t *testing.T, durable string, failed map[string]error) {
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
			t.Errorf("%s: results %v, want %v once", tool, got, err)
		}
	}
	if len(a.all) != len(want) {
		t.Errorf("%d events answered, want %d", len(a.all), len(want))
	}
}

func toolsIn(m *recordtest.Memory) string {
	var tools []string
	for _, e := range m.Stored {
		tools = append(tools, e.Tool)
	}
	return strings.Join(tools, " ")
}

func wantWhole(t *testing.T, m *recordtest.Memory, chains int) {
	t.Helper()
	r, err := verify.Check{Record: m}.Run(t.Context())
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
		m := &recordtest.Memory{Before: func([]record.Entry) (bool, error) { <-release; return true, nil }}
		r := New(Config{Store: m, MaxBatch: 10})
		var a results
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
		if diff := cmp.Diff([]int{1, 10, 10, 5}, m.Batches); diff != "" {
			t.Errorf("batches (-want +got):\n%s", diff)
		}
		if toolsIn(m) != want {
			t.Errorf("stored %s", toolsIn(m))
		}
		wantWhole(t, m, 1)
	})
}

func TestLargeEventsAreNotStoredTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		m := &recordtest.Memory{Before: func([]record.Entry) (bool, error) { <-release; return true, nil }}
		r := New(Config{Store: m})
		r.Record(record.Event{}, nil)
		synctest.Wait()
		for _, mebibytes := range []float64{1.7, 1.7, 1.7, 4.1, 0.1} {
			args := jsontext.Value(`"` + strings.Repeat("x", int(mebibytes*(1<<20))) + `"`)
			r.Record(record.Event{Args: args}, nil)
		}
		close(release)
		if err := r.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]int{1, 2, 1, 1, 1}, m.Batches); diff != "" {
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
		m := &recordtest.Memory{Before: func([]record.Entry) (bool, error) {
			<-release
			if fail {
				return false, recordtest.ErrDisk
			}
			return true, nil
		}}
		r := New(Config{Store: m, Queue: 12, MaxBatch: 4})
		var a results
		a.record(r, "first")
		synctest.Wait() // the writer is in Append
		together := func(tool string, n int) {
			events := make([]record.Event, n)
			for i := range events {
				events[i] = record.Event{Tool: fmt.Sprint(tool, i)}
			}
			r.RecordAll(events, record.Effects{}, func(err error) { a.add(tool, err) })
		}
		a.record(r, "a")
		together("b", 3) // a and b fill a batch
		together("c", 2)
		together("d", 5) // more than a batch, and alone
		together("e", 2) // does not fit in the queue
		a.record(r, "f")
		a.check(t, "", map[string]error{"e": errFull})
		close(release)
		synctest.Wait()
		fail = true
		together("g", 3)
		synctest.Wait()
		fail = false
		together("i", 12) // fits, now that nothing else waits
		synctest.Wait()
		r.RecordAll([]record.Event{{Tool: "h0"}, {Tool: "h1", Args: jsontext.Value("{")}}, record.Effects{}, func(err error) {
			if err == nil {
				t.Error("broken arguments were recorded")
			}
		})
		if err := r.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		a.check(t, "first a b c d f i", map[string]error{"e": errFull, "g": recordtest.ErrDisk})
		if diff := cmp.Diff([]int{1, 4, 2, 5, 1, 12}, m.Batches); diff != "" {
			t.Errorf("batches (-want +got):\n%s", diff)
		}
		if want := "first a b0 b1 b2 c0 c1 d0 d1 d2 d3 d4 f i0"; !strings.HasPrefix(toolsIn(m), want) {
			t.Errorf("stored %s", toolsIn(m))
		}
		wantWhole(t, m, 1)
	})
}

func TestAFullQueueRefusesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		m := &recordtest.Memory{Before: func([]record.Entry) (bool, error) { <-release; return true, nil }}
		r := New(Config{Store: m, Queue: 2})
		var a results
		a.record(r, "stored")
		synctest.Wait()
		for _, tool := range []string{"a", "b", "c"} {
			a.record(r, tool)
		}
		a.check(t, "", map[string]error{"c": errFull})
		close(release)
		synctest.Wait()
		a.record(r, "d") // there is room again
		if err := r.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		a.record(r, "e")
		a.check(t, "stored a b d", map[string]error{"c": errFull, "e": errClosed})
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
				m := &recordtest.Memory{
					Before: func([]record.Entry) (bool, error) {
						if failing {
							return test.stored, recordtest.ErrDisk
						}
						return true, nil
					},
					HeadError: func() error {
						asked++
						if failing {
							return recordtest.ErrDisk
						}
						return nil
					},
				}
				failures := 0
				r := New(Config{
					Store: m, OnError: func(err error) { told = append(told, err) },
					OnCommit: func(_ time.Duration, err error) {
						if err != nil {
							failures++
						}
					},
				})
				var a results
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
				a.check(t, "a d e", map[string]error{"b": recordtest.ErrDisk, "c": recordtest.ErrDisk})
				if toolsIn(m) != test.want {
					t.Errorf("stored %q, want %q", toolsIn(m), test.want)
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
		m := &recordtest.Memory{Before: func([]record.Entry) (bool, error) {
			if fail {
				return false, recordtest.ErrDisk
			}
			return true, nil
		}}
		r := New(Config{Store: m, OnError: func(err error) { told = append(told, err.Error()) }})
		var a results
		a.record(r, "a")
		a.record(r, "b")
		synctest.Wait()
		fail = true
		a.record(r, "c")
		synctest.Wait()
		fail = false
		m.Restore(1)
		a.record(r, "d")
		if err := r.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		a.check(t, "a b d", map[string]error{"c": recordtest.ErrDisk})
		if len(told) != 2 || !strings.Contains(told[1], "a new chain begins") {
			t.Errorf("OnError was told %q", told)
		}
		wantWhole(t, m, 2)
	})
}

func TestAnEventThatCannotBeWrittenFailsAlone(t *testing.T) {
	m := &recordtest.Memory{}
	r := New(Config{Store: m})
	var bad error
	r.Record(record.Event{Args: jsontext.Value("{")}, func(err error) { bad = err })
	if bad == nil {
		t.Error("broken arguments were not refused at once")
	}
	var a results
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
		m := &recordtest.Memory{Before: func([]record.Entry) (bool, error) {
			<-r.ctx.Done() // a store that hangs until it is cancelled
			return false, r.ctx.Err()
		}}
		r = New(Config{Store: m, MaxBatch: 1})
		var a results
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
	m := &recordtest.Memory{}
	r := New(Config{Store: m, Now: func() time.Time { return noon.In(time.FixedZone("", 3600)) }})
	given := record.Event{ID: "mine", Time: noon.Add(-time.Hour)}
	r.Record(record.Event{}, nil)
	r.Record(record.Event{}, nil)
	r.Record(given, nil)
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for i, want := range []time.Time{noon, noon, given.Time} {
		e, err := m.Stored[i].Event()
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
		m := &recordtest.Memory{
			Before: func([]record.Entry) (bool, error) {
				if rnd.IntN(3) > 0 {
					return true, nil
				}
				return rnd.IntN(2) == 0, recordtest.ErrDisk
			},
			HeadError: func() error {
				if rnd.IntN(3) > 0 {
					return nil
				}
				return recordtest.ErrDisk
			},
		}
		r := New(Config{Store: m, Queue: 20, MaxBatch: 7})
		var durable sync.Map
		var answered atomic.Int64
		var group sync.WaitGroup
		for g := range 8 {
			group.Go(func() {
				for i := range 50 {
					tool := fmt.Sprint(g, "-", i)
					r.Record(record.Event{Tool: tool}, func(err error) {
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
		for _, e := range m.Stored {
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
type told struct{ events []record.Event }

func (s *told) Stored(events []record.Event) { s.events = append(s.events, events...) }

// Sinks are told of events when they are durable, as they can be read back, and of no others.
func TestSinks(t *testing.T) {
	store, sink := &recordtest.Memory{}, &told{}
	r := New(Config{Store: store, Sinks: []Sink{sink}})
	args := []byte(`{"a":1}`)
	errs := make(chan error, 3)
	r.Record(record.Event{Type: record.Types.ToolCall, Tool: "one", Args: args}, func(err error) { errs <- err })
	copy(args, `{"b":2}`)
	if err := <-errs; err != nil {
		t.Fatal(err)
	}
	r.Record(record.Event{Type: record.Types.ToolCall, Tool: "bad", Args: []byte(`{`)}, func(err error) { errs <- err })
	if err := <-errs; err == nil {
		t.Fatal("recorded what is no JSON")
	}
	r.RecordAll([]record.Event{{Type: record.Types.ToolCall, Tool: "two"}, {Type: record.Types.ToolCall, Tool: "three"}}, record.Effects{},
		func(err error) { errs <- err })
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
		stored, err := store.Stored[i].Event()
		if err != nil {
			t.Fatal(err)
		}
		if e.Head != stored.Head || e.PrevHash != stored.PrevHash || e.Tool != stored.Tool || e.ID != stored.ID {
			t.Errorf("told %+v, stored %+v", e, stored)
		}
	}
}
