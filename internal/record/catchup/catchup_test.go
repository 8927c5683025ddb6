package catchup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/follower"
	"github.com/weir-gate/weir/internal/record/home"
	"github.com/weir-gate/weir/internal/record/kept"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recordlog"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/record/store/storetest"
)

// A place is a record that nobody has open, and the folder of its logs.
type place struct {
	t           *testing.T
	url, folder string
	state       string
	kept        bool // the logs are the record
}

// places runs a test on each kind of database.
func places(t *testing.T, test func(p place)) {
	for name, database := range storetest.Databases {
		t.Run(name, func(t *testing.T) {
			p := place{t: t, url: database(t), state: t.TempDir()}
			var err error
			if p.folder, err = store.URL(p.url).LogFolder(p.state); err != nil {
				t.Fatal(err)
			}
			_, p.kept = store.URL(p.url).File()
			if err := p.open().Close(); err != nil {
				t.Fatal(err)
			}
			test(p)
		})
	}
}

// open opens the record, as a process that records does.
func (p place) open() *home.Home {
	p.t.Helper()
	h, err := home.Open(p.t.Context(), home.Config{URL: p.url, StateDir: p.state, OnError: func(err error) { p.t.Log(err) }})
	if err != nil {
		p.t.Fatal(err)
	}
	return h
}

func (p place) log() *recordlog.Log {
	p.t.Helper()
	l, err := recordlog.Create(recordlog.Config{Folder: p.folder})
	if err != nil {
		p.t.Fatal(err)
	}
	return l
}

func events(t *testing.T, n int) []record.Entry {
	t.Helper()
	head, all := record.NewChain(), make([]record.Entry, n)
	for i := range all {
		u, err := record.Event{ID: record.NewID(), Type: record.Types.ToolCall, Tool: fmt.Sprint("t", i)}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		all[i], head = head.Next(u)
	}
	return all
}

// read opens the record, and returns how many events it has and what was said.
func (p place) read(within time.Duration) (n int, said string) {
	p.t.Helper()
	var all []string
	r, err := Open(p.t.Context(), Config{URL: p.url, StateDir: p.state, Within: within, Say: func(text string) { all = append(all, text) }})
	if err != nil {
		p.t.Fatal(err)
	}
	defer r.Close() // nothing was written
	for _, err := range r.Entries(p.t.Context(), query.Filter{}) {
		if err != nil {
			p.t.Fatal(err)
		}
		n++
	}
	return n, strings.Join(all, "\n")
}

// TestOfTheDead: what a process that has ended left is stored by who reads, or indexed. Then it has its effects, too.
func TestOfTheDead(t *testing.T) {
	places(t, func(p place) {
		for i := range 2 {
			l := p.log()
			left := events(p.t, 3)
			left[1].With.Remember = &call.Remembered{
				Upstream: "u", Response: "r", WireID: fmt.Sprint("w", i), Unit: "function_call", Ruling: call.Ruling{Code: "x"},
			}
			if err := l.Append(p.t.Context(), left); err != nil {
				p.t.Fatal(err)
			}
			if err := l.Close(false); err != nil {
				p.t.Fatal(err)
			}
		}
		for range 2 {
			if n, said := p.read(0); n != 6 || said != "" {
				p.t.Errorf("%d events; it said: %s", n, said)
			}
		}
		want := 0
		if p.kept {
			want = 2
		}
		if left, err := os.ReadDir(p.folder); err != nil || len(left) != want {
			p.t.Errorf("left: %v, %v", left, err)
		}
		h := p.open()
		defer h.Close() // nothing was written
		if refused, err := h.Refused(p.t.Context(), "u", "r"); err != nil || len(refused) != 2 {
			p.t.Errorf("refused: %+v, %v", refused, err)
		}
		if n := p.counted(); n != 6 {
			p.t.Errorf("%d events are in statistics", n)
		}
	})
}

// counted is how many calls statistics count.
func (p place) counted() int64 {
	p.t.Helper()
	r, err := Open(p.t.Context(), Config{URL: p.url, StateDir: p.state})
	if err != nil {
		p.t.Fatal(err)
	}
	defer r.Close() // nothing was written
	st, err := r.Stats(p.t.Context(), query.StatsQuery{})
	if err != nil {
		p.t.Fatal(err)
	}
	if len(st.Groups) == 0 {
		return 0
	}
	return st.Groups[0].Calls
}

// TestOfTheLiving: a process that writes gets the time to store its events. If it does not, the reader says how many are missing; of a
// record that is kept, only statistics miss them.
func TestOfTheLiving(t *testing.T) {
	places(t, func(p place) {
		l := p.log()
		all := events(p.t, 3)
		if err := l.Append(p.t.Context(), all); err != nil {
			p.t.Fatal(err)
		}
		p.take(all[:1])
		wantN, wantSaid := 1, "recorded 2 that the store does not have yet"
		if p.kept {
			wantN, wantSaid = 3, "2 events are not in statistics yet"
		}
		if n, said := p.read(time.Millisecond); n != wantN || !strings.Contains(said, wantSaid) {
			p.t.Errorf("%d events; it said: %s", n, said)
		}
		taken := make(chan struct{})
		time.AfterFunc(30*time.Millisecond, func() {
			defer close(taken)
			p.take(all[1:])
		})
		if n, said := p.read(time.Minute); n != 3 || said != "" {
			p.t.Errorf("%d events; it said: %s", n, said)
		}
		<-taken
		if err := l.Close(!p.kept); err != nil {
			p.t.Error(err)
		}
	})
}

// take does what a process does with entries of its log, some time later.
func (p place) take(entries []record.Entry) {
	ctx := p.t.Context()
	var err error
	if p.kept {
		var r *kept.Record
		if r, err = kept.Open(ctx, kept.Config{URL: p.url}); err == nil {
			err = errors.Join(r.Take(ctx, entries), r.Close())
		}
	} else {
		var s *store.Store
		if s, err = store.Open(ctx, p.url); err == nil {
			err = errors.Join(s.Append(ctx, entries), s.Close())
		}
	}
	if err != nil {
		p.t.Error(err)
	}
}

// TestFollowed: every event that is durable is seen by who asks then.
func TestFollowed(t *testing.T) {
	places(t, func(p place) {
		h := p.open()
		f, err := h.Follow(follower.Config{})
		if err != nil {
			p.t.Fatal(err)
		}
		all := events(p.t, 20)
		for i := range all {
			if err := f.Append(p.t.Context(), all[i:i+1]); err != nil {
				p.t.Fatal(err)
			}
			if n, said := p.read(time.Minute); n != i+1 || said != "" {
				p.t.Fatalf("%d of %d events; it said: %s", n, i+1, said)
			}
		}
		if err := errors.Join(f.Close(p.t.Context()), h.Close()); err != nil {
			p.t.Error(err)
		}
		if n, said := p.read(0); n != 20 || said != "" {
			p.t.Errorf("in the end: %d events; it said: %s", n, said)
		}
	})
}

// TestDamaged: the reader says what cannot be read. Of a record that is kept, it shows what comes after it.
func TestDamaged(t *testing.T) {
	places(t, func(p place) {
		l := p.log()
		for _, e := range events(p.t, 3) {
			if err := l.Append(p.t.Context(), []record.Entry{e}); err != nil {
				p.t.Fatal(err)
			}
		}
		if err := l.Close(false); err != nil {
			p.t.Fatal(err)
		}
		// The segment with the events, and the end of the log.
		files, err := filepath.Glob(filepath.Join(l.Folder(), "*.wlog"))
		if err != nil || len(files) != 2 {
			p.t.Fatalf("%q, %v", files, err)
		}
		data, err := os.ReadFile(files[0])
		if err != nil {
			p.t.Fatal(err)
		}
		data[100] ^= 1
		if err := os.WriteFile(files[0], data, 0o600); err != nil {
			p.t.Fatal(err)
		}
		want := 0
		if p.kept {
			want = 2
		}
		if n, said := p.read(0); n != want || !strings.Contains(said, "damaged") {
			p.t.Errorf("%d events; it said: %s", n, said)
		}
	})
}
