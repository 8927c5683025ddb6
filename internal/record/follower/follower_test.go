package follower

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/recordlog"
	"github.com/weir-gate/weir/internal/record/recordtest"
)

// A strict store takes only entries that continue their chain, as real ones do.
type strict struct {
	recordtest.Memory
	mu sync.Mutex
}

func (s *strict) Append(ctx context.Context, entries []record.Entry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	heads := map[string]record.Head{}
	for _, e := range entries {
		head, known := heads[e.Chain]
		if !known {
			head = s.newest(e.Chain)
		}
		if before, ok := e.Follows(); !ok || before != head {
			return fmt.Errorf("entry %d of %s does not continue its chain", e.Seq, e.Chain)
		}
		heads[e.Chain] = e.Head
	}
	return s.Memory.Append(ctx, entries)
}

func (s *strict) newest(chain string) record.Head {
	h := record.Head{Chain: chain, Hash: record.Genesis}
	for _, e := range s.Stored {
		if e.Chain == chain {
			h = e.Head
		}
	}
	return h
}

// Entries selects, as real stores do.
func (s *strict) Entries(_ context.Context, f query.Filter) iter.Seq2[record.Entry, error] {
	s.mu.Lock()
	all := slices.Clone(s.Stored)
	s.mu.Unlock()
	return func(yield func(record.Entry, error) bool) {
		for _, e := range selected(all, f) {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// selected are the entries that a filter selects.
func selected(all []record.Entry, f query.Filter) []record.Entry {
	matches := f.Matcher()
	found := slices.DeleteFunc(slices.Clone(all), func(e record.Entry) bool { return !matches(&e) })
	switch {
	case f.Limit == 0 || len(found) <= f.Limit:
	case f.Newest:
		found = found[len(found)-f.Limit:]
	default:
		found = found[:f.Limit]
	}
	return found
}

func newLog(t testing.TB, folder string) *recordlog.Log {
	t.Helper()
	l, err := recordlog.Create(recordlog.Config{Folder: folder, Segment: 8 << 10, Largest: 64 << 10})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// tools are the tools of entries.
func tools(entries []record.Entry) (all []string) {
	for _, e := range entries {
		all = append(all, e.Tool)
	}
	return all
}

// chained makes entries of one chain.
func chained(t testing.TB, head *record.Head, names ...string) []record.Entry {
	t.Helper()
	entries := make([]record.Entry, len(names))
	for i, name := range names {
		u, err := record.Event{ID: "evt_" + name, Type: record.Types.ToolCall, Tool: name, WireID: "wire_" + name}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		entries[i], *head = head.Next(u)
	}
	return entries
}

func names(prefix string, n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprint(prefix, i))
	}
	return all
}

// TestUnderFire records from many goroutines while the store fails in every way it may. What was called durable gets into the store,
// in order and once; while it is not there, it is found all the same.
func TestUnderFire(t *testing.T) {
	for seed := range uint64(12) {
		rnd := rand.New(rand.NewPCG(seed, 0))
		s := &strict{}
		s.Before = func([]record.Entry) (bool, error) {
			if rnd.IntN(3) > 0 {
				return true, nil
			}
			return rnd.IntN(2) == 0, recordtest.ErrDisk
		}
		s.HeadError = func() error {
			if rnd.IntN(4) == 0 {
				return recordtest.ErrDisk
			}
			return nil
		}
		var logged []record.Entry
		f := New(Config{
			Log: newLog(t, filepath.Join(t.TempDir(), "log")), Store: s, Source: s, Pause: time.Microsecond,
			Memory:   []int64{0, 1, 6000}[seed%3], // all in memory, nothing, or some
			OnLogged: func(e []record.Entry) { logged = append(logged, e...) },
		})
		r := recorder.New(recorder.Config{Store: f, MaxBatch: 7})
		var group sync.WaitGroup
		for g := range 8 {
			group.Go(func() {
				for i := range 25 {
					name := fmt.Sprint(g, "-", i)
					durable := make(chan error, 1)
					r.Record(record.Event{Type: record.Types.ToolCall, Tool: name}, func(err error) { durable <- err })
					if err := <-durable; err != nil {
						t.Errorf("seed %d: %s: %v", seed, name, err)
					}
					if _, found, err := query.First(t.Context(), f, query.Filter{Tool: name}); !found || err != nil {
						t.Errorf("seed %d: %s is durable and not found: %v", seed, name, err)
					}
				}
			})
		}
		group.Wait()
		if err := errors.Join(r.Close(t.Context()), f.Close(t.Context())); err != nil {
			t.Fatal(err)
		}
		if len(logged) != 200 {
			t.Errorf("seed %d: %d events were logged", seed, len(logged))
		}
		if diff := cmp.Diff(tools(logged), tools(s.Stored)); diff != "" {
			t.Errorf("seed %d: the store (-log +store):\n%s", seed, diff)
		}
		if b := f.Behind(); b.Events != 0 || b.Bytes != 0 || b.Err != nil {
			t.Errorf("seed %d: in the end it is behind: %+v", seed, b)
		}
		if _, err := os.Stat(f.config.Log.Folder()); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("seed %d: the log is still there: %v", seed, err)
		}
	}
}

// TestEntriesOfStoreAndTail: wherever the store ends, a question has the answer that it has when all is stored.
func TestEntriesOfStoreAndTail(t *testing.T) {
	head := record.NewChain()
	all := chained(t, &head, names("t", 30)...)
	for _, memory := range []int64{0, 1, 9 << 10} {
		for _, stored := range []int{0, 1, 13, 30} {
			s := &strict{}
			room := make(chan struct{}, 1)
			s.Before = func(e []record.Entry) (bool, error) {
				if len(s.Stored)+len(e) > stored {
					signal(room)
					return false, recordtest.ErrDisk
				}
				return true, nil
			}
			f := New(Config{
				Log: newLog(t, filepath.Join(t.TempDir(), "log")), Store: s, Source: s, Memory: memory, Pause: time.Nanosecond,
			})
			for i := range all {
				if err := f.Append(t.Context(), all[i:i+1]); err != nil {
					t.Fatal(err)
				}
				if i == stored-1 {
					shared(t, f)
				}
			}
			for _, q := range []query.Filter{
				{},
				{Limit: 5},
				{Limit: 5, Newest: true},
				{Limit: 20, Newest: true},
				{Limit: 20},
				{WireID: "wire_t3"},
				{WireID: "wire_t29"},
				{Tool: "t1*"},
				{Tool: "t1*", Limit: 3, Newest: true},
				{Tool: "t1*", Limit: 3},
				{WireID: "none"},
			} {
				var got []record.Entry
				for e, err := range f.Entries(t.Context(), q) {
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, e)
				}
				if diff := cmp.Diff(tools(selected(all, q)), tools(got)); diff != "" {
					t.Errorf("%d stored, %d bytes of memory, %+v (-want +got):\n%s", stored, memory, q, diff)
				}
			}
			s.mu.Lock()
			s.Before = nil
			s.mu.Unlock()
			if err := f.Close(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}
}

// shared waits until the store has all that is logged.
func shared(t *testing.T, f *Follower) {
	t.Helper()
	done := make(chan error, 1)
	f.Shared(func(err error) { done <- err })
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// TestShared: refusals that other processes must know are called recorded when the store has them. Others are when the log has them.
func TestShared(t *testing.T) {
	s := &strict{}
	var down sync.Mutex // held: the store is away
	s.Before = func([]record.Entry) (bool, error) {
		if !down.TryLock() {
			return false, recordtest.ErrDisk
		}
		down.Unlock()
		return true, nil
	}
	f := New(Config{Log: newLog(t, filepath.Join(t.TempDir(), "log")), Store: s, Source: s})
	r := recorder.New(recorder.Config{Store: f, Share: f.Shared})
	recorded := func(name string, remembered *call.Remembered) error {
		done := make(chan error, 1)
		r.RecordAll([]record.Event{{ID: "evt_" + name, Type: record.Types.ToolCall, Tool: name}}, record.Effects{Remember: remembered},
			func(err error) { done <- err })
		return <-done
	}
	refused, released := &call.Remembered{}, &call.Remembered{Ruling: call.Ruling{Released: true}}
	if err := recorded("a", refused); err != nil || len(s.Stored) != 1 {
		t.Errorf("a refusal: %v, and the store has %d", err, len(s.Stored))
	}
	down.Lock()
	if err := errors.Join(recorded("b", nil), recorded("c", released)); err != nil {
		t.Errorf("what needs only the log: %v", err)
	}
	if err := recorded("d", refused); !errors.Is(err, recordtest.ErrDisk) {
		t.Errorf("a refusal that the store does not have: %v", err)
	}
	down.Unlock()
	r.RecordAgain([]record.Event{{ID: "evt_d", Type: record.Types.ToolCall, Tool: "d"}}, nil, record.Effects{Remember: refused})
	if err := errors.Join(r.Close(t.Context()), f.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a", "b", "c", "d"}, tools(s.Stored)); diff != "" {
		t.Errorf("the store (-want +got):\n%s", diff)
	}
}

// TestTooFarBehind: beyond its bound, nothing is taken any more.
func TestTooFarBehind(t *testing.T) {
	s := &strict{}
	s.Before = func([]record.Entry) (bool, error) { return false, recordtest.ErrDisk }
	f := New(Config{Log: newLog(t, filepath.Join(t.TempDir(), "log")), Store: s, Source: s, MaxBehind: 2000})
	head := record.NewChain()
	var err error
	n := 0
	for ; err == nil && n < 100; n++ {
		err = f.Append(t.Context(), chained(t, &head, fmt.Sprint(n)))
	}
	if err == nil || n < 3 || !strings.Contains(err.Error(), "behind") {
		t.Errorf("after %d events: %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.Close(ctx); err == nil || !strings.Contains(err.Error(), "not in the store yet") {
		t.Errorf("Close: %v", err)
	}
}

// TestRestoredStore: a store that was restored from an older copy gets again what the log still has.
func TestRestoredStore(t *testing.T) {
	s := &strict{}
	f := New(Config{Log: newLog(t, filepath.Join(t.TempDir(), "log")), Store: s, Source: s})
	head := record.NewChain()
	want := names("t", 9)
	for i := range 6 {
		if err := f.Append(t.Context(), chained(t, &head, want[i])); err != nil {
			t.Fatal(err)
		}
		shared(t, f)
	}
	s.Restore(2)
	if err := f.Append(t.Context(), chained(t, &head, want[6:]...)); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, tools(s.Stored)); diff != "" {
		t.Errorf("the store (-want +got):\n%s", diff)
	}
}

// TestLostStore: if the log does not have what the store lost, the rest is set aside, and the recorder begins a new chain.
func TestLostStore(t *testing.T) {
	s, folder := &strict{}, filepath.Join(t.TempDir(), "log")
	var told []error
	f := New(Config{Log: newLog(t, folder), Store: s, Source: s, OnError: func(err error) { told = append(told, err) }})
	head := record.NewChain()
	for i := range 40 { // several segments, most of which are gone
		if err := f.Append(t.Context(), chained(t, &head, names(fmt.Sprint("t", i, "-"), 10)...)); err != nil {
			t.Fatal(err)
		}
		shared(t, f)
	}
	s.Restore(3)
	if err := f.Append(t.Context(), chained(t, &head, "x")); err != nil {
		t.Fatal(err)
	}
	for aside := (*SetAside)(nil); aside == nil; { // the first attempt fails, and the next one finds out why
		done := make(chan error, 1)
		f.Shared(func(err error) { done <- err })
		if err := <-done; err == nil {
			t.Fatal("an event that the store cannot take is called shared")
		} else if !errors.As(err, &aside) {
			continue
		}
	}
	if err := f.Append(t.Context(), chained(t, &head, "y")); err == nil {
		t.Error("a lost chain is continued")
	}
	if h, err := f.Head(t.Context(), head.Chain); err != nil || h.Seq != 3 {
		t.Errorf("the head of the lost chain is %v, %v", h, err)
	}
	fresh := record.NewChain()
	if err := errors.Join(f.Append(t.Context(), chained(t, &fresh, "z")), f.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
	if got := tools(s.Stored); len(got) != 4 || got[3] != "z" {
		t.Errorf("the store has %q", got)
	}
	aside, err := filepath.Glob(filepath.Join(folder, "unstored-*.jsonl"))
	if err != nil || len(aside) != 1 {
		t.Fatalf("set aside: %q, %v", aside, err)
	}
	text, err := os.ReadFile(aside[0])
	if err != nil || !strings.Contains(string(text), `"tool":"x"`) || len(told) == 0 || !strings.Contains(fmt.Sprint(told), aside[0]) {
		t.Errorf("set aside: %s, %v; told: %v", text, err, told)
	}
}
