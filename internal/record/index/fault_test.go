package index

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/record/query"
)

// filled is a world whose index has some partitions.
func filled(t *testing.T, seed uint64) *world {
	t.Helper()
	w := newWorld(t, seed)
	for w.rows < int64(4*w.config.PartitionRows) {
		l := w.logs[w.rng.IntN(len(w.logs))]
		for range 30 {
			w.happen(l)
		}
		w.apply(l, 40)
	}
	return w
}

func TestCursor(t *testing.T) {
	w := filled(t, 1)
	l := w.logs[0]
	for range 30 {
		w.happen(l)
	}
	for l.indexed == len(l.events) {
		w.happen(l)
	}
	stands := l.events[l.indexed].At
	for _, from := range []int64{0, stands - 1, stands + 1} {
		err := w.x.Apply(t.Context(), l.name, from, l.end, l.events[l.indexed:])
		wrong, ok := errors.AsType[*CursorError](err)
		if !ok || *wrong != (CursorError{l.name, from, stands}) {
			t.Errorf("from %d: %v, want that the index stands at %d", from, err, stands)
		}
	}
	if err := w.x.Apply(t.Context(), l.name, stands, stands, l.events[l.indexed:]); err == nil {
		t.Error("events beyond the end were applied")
	}
	if got, err := w.x.Cursor(t.Context(), l.name); got != stands || err != nil {
		t.Errorf("the cursor is at %d, %v; want %d", got, err, stands)
	}
	// Frames that are no events move the cursor, too.
	if err := w.x.Apply(t.Context(), "empty", 0, 100, nil); err != nil {
		t.Fatal(err)
	}
	if got, err := w.x.Cursor(t.Context(), "empty"); got != 100 || err != nil {
		t.Errorf("the cursor is at %d, %v; want 100", got, err)
	}
	w.apply(l, 1000)
	w.ask(w.x.View, 20)
}

func TestBusy(t *testing.T) {
	w := newWorld(t, 2)
	if _, err := Open(t.Context(), w.config); !errors.Is(err, ErrBusy) {
		t.Errorf("opened twice: %v", err)
	}
}

func TestCancelled(t *testing.T) {
	w := filled(t, 3)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l := w.logs[0]
	for l.indexed == len(l.events) {
		w.happen(l)
	}
	if err := w.x.Apply(ctx, l.name, l.events[l.indexed].At, l.end, l.events[l.indexed:]); !errors.Is(err, context.Canceled) {
		t.Errorf("Apply: %v", err)
	}
	if _, err := collect(ctx, w.x, query.Filter{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Entries: %v", err)
	}
	w.apply(l, 1000)
	w.ask(w.x.View, 20)
}

// TestNoIndex asks an index that does not exist yet.
func TestNoIndex(t *testing.T) {
	w := newWorld(t, 4)
	c := w.config
	c.Folder = filepath.Join(t.TempDir(), "later")
	v, err := openReadOnly(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if all, err := collect(t.Context(), v, query.Filter{}); len(all) > 0 || err != nil {
		t.Errorf("%d entries, %v", len(all), err)
	}
	if s, err := v.Stats(t.Context(), query.StatsQuery{}); len(s.Groups) > 0 || err != nil {
		t.Errorf("%+v, %v", s, err)
	}
	w.config = c
	w.restart()
	w.happen(w.logs[0])
	w.other(w.logs[0])
	w.apply(w.logs[0], 10)
	w.ask(v, 10)
}

// TestDamage damages the files of an index, each in several ways. Every question then gets the right answer, or says that the index is
// damaged.
func TestDamage(t *testing.T) {
	w := filled(t, 5)
	if err := w.x.Close(); err != nil {
		t.Fatal(err)
	}
	parts, err := partitionsIn(w.config.Folder)
	if err != nil || len(parts) < 4 {
		t.Fatalf("%d partitions, %v", len(parts), err)
	}
	damages := map[string]func(path string, content []byte) error{
		"missing": func(path string, _ []byte) error { return os.Remove(path) },
		"empty":   func(path string, _ []byte) error { return os.WriteFile(path, nil, 0o600) },
		"cut off": func(path string, b []byte) error { return os.WriteFile(path, b[:len(b)/2], 0o600) },
		"no database": func(path string, b []byte) error {
			return os.WriteFile(path, []byte(strings.Repeat("x", len(b))), 0o600)
		},
		"another": func(path string, _ []byte) error {
			return copyFile(filepath.Join(w.config.Folder, partitionName(parts[1])), path)
		},
		"bits flipped": nil,
	}
	for name, damage := range damages {
		for _, first := range []int64{parts[0], parts[2], parts[len(parts)-1]} {
			if name == "missing" && first == parts[len(parts)-1] {
				continue // see TestNewestLost
			}
			t.Run(fmt.Sprint(name, " ", first), func(t *testing.T) {
				path := filepath.Join(w.config.Folder, partitionName(first))
				content, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				defer func() {
					if err := errors.Join(removePartition(path), os.WriteFile(path, content, 0o600)); err != nil {
						t.Error(err)
					}
				}()
				if damage != nil {
					if err := damage(path, content); err != nil {
						t.Fatal(err)
					}
					w.askDamaged(t, true)
					return
				}
				for range 30 {
					flipped := slices.Clone(content)
					flipped[w.rng.IntN(len(flipped))] ^= 1 << w.rng.IntN(8)
					if err := errors.Join(removePartition(path), os.WriteFile(path, flipped, 0o600)); err != nil {
						t.Fatal(err)
					}
					w.askDamaged(t, false)
				}
			})
		}
	}
	w.open()
	w.ask(w.x.View, 50)
}

func copyFile(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o600)
}

// askDamaged asks an index that is damaged for everything.
func (w *world) askDamaged(t *testing.T, must bool) {
	t.Helper()
	v, err := openReadOnly(t.Context(), w.config)
	var got int
	var stats query.Stats
	if err == nil {
		defer v.Close()
		all, failed := collect(t.Context(), v, query.Filter{NoCanaries: true})
		stats, err = v.Stats(t.Context(), query.StatsQuery{By: query.By.Tool})
		got, err = len(all), errors.Join(failed, err)
	}
	switch {
	case err == nil && must:
		t.Error("nothing was noticed")
	case err != nil && !errors.Is(err, ErrDamaged):
		t.Errorf("%v, want that it is damaged", err)
	case err == nil && got != len(w.entries(query.Filter{NoCanaries: true})):
		t.Errorf("%d entries, want %d", got, len(w.entries(query.Filter{NoCanaries: true})))
	case err == nil && fmt.Sprint(stats) != fmt.Sprint(w.stats(query.StatsQuery{By: query.By.Tool})) && len(stats.Groups) == 0:
		t.Error("statistics of nothing")
	}
}

// TestNewestLost removes the newest partition. The index is then what it was when the one before was full, and goes on from there.
func TestNewestLost(t *testing.T) {
	w := filled(t, 7)
	parts, err := partitionsIn(w.config.Folder)
	if err != nil {
		t.Fatal(err)
	}
	last := parts[len(parts)-1]
	if err := errors.Join(w.x.Close(), removePartition(filepath.Join(w.config.Folder, partitionName(last)))); err != nil {
		t.Fatal(err)
	}
	w.open()
	w.rows = last - 1
	w.applied = slices.DeleteFunc(w.applied, func(a applied) bool { return a.Row >= last })
	for _, l := range w.logs {
		at, err := w.x.Cursor(t.Context(), l.name)
		if err != nil {
			t.Fatal(err)
		}
		l.indexed, _ = slices.BinarySearchFunc(l.events, at, func(p Placed, at int64) int { return int(p.At - at) })
	}
	w.ask(w.x.View, 20)
	for _, l := range w.logs {
		w.apply(l, 100)
	}
	w.ask(w.x.View, 20)
}

// TestRebuild deletes the index and applies everything again.
func TestRebuild(t *testing.T) {
	w := filled(t, 6)
	for range 10 {
		w.drop(w.logs[w.rng.IntN(len(w.logs))])
	}
	if err := errors.Join(w.x.Close(), os.RemoveAll(w.config.Folder)); err != nil {
		t.Fatal(err)
	}
	w.open()
	w.applied, w.rows = nil, 0
	for _, l := range w.logs {
		if l.gone {
			continue
		}
		if err := w.x.Drop(t.Context(), l.name, l.cut); err != nil {
			t.Fatal(err)
		}
		l.indexed, _ = slices.BinarySearchFunc(l.events, l.cut, func(p Placed, at int64) int { return int(p.At - at) })
		for l.indexed < len(l.events) {
			w.apply(l, 50)
		}
	}
	w.ask(w.x.View, 50)
}

// killed is where the child of TestKilled finds its folder.
const killed = "WEIR_INDEX_KILLED"

// TestKilled kills a process again and again while it applies, seals and drops. Then the cursors say which events are in the index, and
// exactly these are.
func TestKilled(t *testing.T) {
	if os.Getenv(killed) != "" {
		applyForever(t)
		return
	}
	folder := t.TempDir()
	for i := range 15 {
		child := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		child.Env = append(os.Environ(), killed+"="+folder)
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		// It writes a byte for each step. It is killed somewhere in the one after some of them.
		if _, err := io.ReadFull(out, make([]byte, 1+i*7%23)); err != nil {
			t.Fatal(err)
		}
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = child.Wait() // it was killed
		checkKilled(t, folder)
	}
}

// applyForever applies the events of a company.
func applyForever(t *testing.T) {
	c := newCompany(100_000)
	x, err := Open(t.Context(), Config{Folder: os.Getenv(killed), Texts: c, PartitionRows: 300, blockRows: 32, runBlocks: 3})
	if err != nil {
		t.Fatal(err)
	}
	for {
		at, err := x.Cursor(t.Context(), "made")
		if err != nil {
			t.Fatal(err)
		}
		all, next := c.batch(t, at/mostPerRequest, 70)
		if err := x.Apply(t.Context(), "made", at, next*mostPerRequest, all); err != nil {
			t.Fatal(err)
		}
		if next%3 == 0 {
			if err := x.Drop(t.Context(), "made", max(0, at-600*mostPerRequest)); err != nil {
				t.Fatal(err)
			}
		}
		fmt.Print(".")
	}
}

// checkKilled compares an index with its log.
func checkKilled(t *testing.T, folder string) {
	t.Helper()
	c := newCompany(100_000)
	x, err := Open(t.Context(), Config{Folder: folder, Texts: c, PartitionRows: 300, blockRows: 32, runBlocks: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	st, err := x.Standing(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want, _ := c.batch(t, 0, 1)
	for n := int64(1); n*mostPerRequest < st.Cursors["made"]; n++ {
		more, _ := c.batch(t, n, 1)
		want = append(want, more...)
	}
	if st.LastRow != int64(len(want)) {
		t.Fatalf("the last row is %d, and there are %d events up to the cursor", st.LastRow, len(want))
	}
	got, err := collect(t.Context(), x, query.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	want = want[len(want)-len(got):]
	for i, e := range got {
		if e.Hash != want[i].Hash || e.Row != st.LastRow-int64(len(got)-1-i) {
			t.Fatalf("row %d is another event than event %d", e.Row, i)
		}
	}
}
