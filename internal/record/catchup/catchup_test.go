package catchup

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/follower"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/recordlog"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/record/store/storetest"
)

// A place is a store and the folder of its logs.
type place struct {
	t           *testing.T
	url, folder string
	state       string
	store       *store.Store
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
			if p.store, err = store.Open(t.Context(), p.url); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { p.store.Close() }) // what was stored is durable
			test(p)
		})
	}
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

// TestOfTheDead: what a process that has ended left is stored by who reads.
func TestOfTheDead(t *testing.T) {
	places(t, func(p place) {
		for range 2 {
			l := p.log()
			if err := l.Append(p.t.Context(), events(p.t, 3)); err != nil {
				p.t.Fatal(err)
			}
			if err := l.Close(false); err != nil {
				p.t.Fatal(err)
			}
		}
		if n, said := p.read(0); n != 6 || said != "" {
			p.t.Errorf("%d events; it said: %s", n, said)
		}
		if left, err := os.ReadDir(p.folder); err != nil || len(left) > 0 {
			p.t.Errorf("left: %v, %v", left, err)
		}
	})
}

// TestOfTheLiving: a process that writes gets the time to store its events. If it does not, the reader says how many are missing.
func TestOfTheLiving(t *testing.T) {
	places(t, func(p place) {
		l := p.log()
		all := events(p.t, 5)
		if err := l.Append(p.t.Context(), all[:3]); err != nil {
			p.t.Fatal(err)
		}
		if err := p.store.Append(p.t.Context(), all[:1]); err != nil {
			p.t.Fatal(err)
		}
		if n, said := p.read(time.Millisecond); n != 1 || !strings.Contains(said, "recorded 2 that the store does not have yet") {
			p.t.Errorf("%d events; it said: %s", n, said)
		}
		stored := make(chan error, 1)
		time.AfterFunc(30*time.Millisecond, func() { stored <- p.store.Append(p.t.Context(), all[1:3]) })
		if n, said := p.read(time.Minute); n != 3 || said != "" {
			p.t.Errorf("%d events; it said: %s", n, said)
		}
		if err := <-stored; err != nil {
			p.t.Error(err)
		}
		if err := l.Close(true); err != nil {
			p.t.Error(err)
		}
	})
}

// TestFollowed: every event that is durable is seen by who asks then.
func TestFollowed(t *testing.T) {
	places(t, func(p place) {
		f := follower.New(follower.Config{Log: p.log(), Store: p.store, Source: p.store})
		all := events(p.t, 20)
		for i := range all {
			if err := f.Append(p.t.Context(), all[i:i+1]); err != nil {
				p.t.Fatal(err)
			}
			if n, said := p.read(time.Minute); n != i+1 || said != "" {
				p.t.Fatalf("%d of %d events; it said: %s", n, i+1, said)
			}
		}
		if err := f.Close(p.t.Context()); err != nil {
			p.t.Error(err)
		}
		if n, said := p.read(0); n != 20 || said != "" {
			p.t.Errorf("in the end: %d events; it said: %s", n, said)
		}
	})
}

// TestDamaged: the reader says what cannot be read.
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
		if n, said := p.read(0); n != 0 || !strings.Contains(said, "damaged") {
			p.t.Errorf("%d events; it said: %s", n, said)
		}
	})
}
