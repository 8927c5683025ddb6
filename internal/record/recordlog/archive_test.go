package recordlog

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/weir-gate/weir/internal/record"
)

// A writtenLog is what a log took so far, for readers that run beside it.
type writtenLog struct {
	mu    sync.Mutex
	texts []string
	at    []Position
}

func (w *writtenLog) add(entries []record.Entry, at Position) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range entries {
		w.texts, w.at = append(w.texts, string(e.Text)), append(w.at, at)
		at += Position(frameHead + len(e.Text))
	}
}

func (w *writtenLog) all() ([]string, []Position) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.texts, w.at
}

// TestReadWhilePacked: who reads a log that grows while its segments are packed, and its oldest are removed, sees all that was durable
// and is kept, in order, and no damage.
func TestReadWhilePacked(t *testing.T) {
	for _, trims := range []bool{false, true} {
		t.Run(fmt.Sprint("trim ", trims), func(t *testing.T) {
			l, c := create(t, Config{Segment: 3000, Largest: 6000}), newChain(t)
			var log writtenLog
			stop := make(chan struct{})
			var group sync.WaitGroup
			beside := func(work func()) {
				group.Go(func() {
					for {
						select {
						case <-stop:
							return
						default:
							work()
						}
					}
				})
			}
			var trimmed Position
			var mu sync.Mutex // of trimmed
			beside(func() {
				if err := compress(t.Context(), l.Folder(), job{files: Disk, block: smallBlock}); err != nil {
					t.Error(err)
				}
				if !trims {
					return
				}
				mu.Lock()
				trimmed = max(trimmed, l.End()-30_000)
				before := trimmed
				mu.Unlock()
				if err := Trim(t.Context(), l.Folder(), before); err != nil {
					t.Error(err)
				}
			})
			beside(func() { readBeside(t, l.Folder(), &log, trims) })
			archive := NewArchive(filepath.Dir(l.Folder()), 10_000)
			beside(func() {
				texts, at := log.all()
				if len(at) == 0 {
					return
				}
				i := rand.IntN(len(at))
				text, err := archive.Text(filepath.Base(l.Folder()), at[i])
				mu.Lock()
				gone := at[i] < trimmed
				mu.Unlock()
				if err != nil && !(gone && errors.Is(err, ErrNotKept)) || err == nil && string(text) != texts[i] {
					t.Errorf("at %d: %q, %v; want %q", at[i], text, err, texts[i])
				}
			})
			for range 200 {
				entries, at := c.next(1+rand.IntN(3), rand.IntN(200)), l.End()
				mustAppend(t, l, entries)
				log.add(entries, at)
			}
			close(stop)
			group.Wait()
		})
	}
}

// readBeside reads a log that changes, and compares.
func readBeside(t *testing.T, folder string, log *writtenLog, trims bool) {
	before, at := log.all()
	from := 0
	if trims {
		from = max(0, len(before)-10) // that is not trimmed so soon
	}
	if from == len(before) {
		return
	}
	got, damages, err := scanned(t, folder)
	after, _ := log.all()
	if err != nil || len(damages) > 0 {
		t.Errorf("%v, %v", damages, err)
		return
	}
	first := slices.Index(got, before[from])
	if first < 0 || len(got)-first < len(before)-from || !trims && first > 0 {
		t.Errorf("%d texts were read; the %d that were durable are not among them", len(got), len(before)-from)
		return
	}
	n := min(len(got)-first, len(after)-from) // what was appended meanwhile may not be noted yet
	if !slices.Equal(got[first:first+n], after[from:from+n]) {
		t.Error("other texts were read than were appended")
	}
	rest, err := texts(folder, at[from])
	if err != nil || len(rest) == 0 || rest[0] != before[from] {
		t.Errorf("from %d: %d texts, %v", at[from], len(rest), err)
	}
}

func TestArchiveRefuses(t *testing.T) {
	folder, _ := newKept(t, smallSegments)
	forms["packed"](t, folder)
	a := NewArchive(filepath.Dir(folder), 0)
	log := filepath.Base(folder)
	segments, err := Segments(folder)
	if err != nil {
		t.Fatal(err)
	}
	for name, at := range map[string]Position{
		log: 1, "": 0, "other": 0, "../" + log: 0, ".": 0, "..": 0, log + "/": 0,
	} {
		if text, err := a.Text(name, at); err == nil {
			t.Errorf("%q at %d: %q", name, at, text)
		}
	}
	for _, at := range []Position{-1, segments[0].End + 1, segments[len(segments)-1].End, 1 << 40} {
		if text, err := a.Text(log, at); err == nil {
			t.Errorf("at %d: %q", at, text)
		}
	}
	path := filepath.Join(folder, packedName(0))
	data := snapshot(t, folder)[packedName(0)]
	for i := range 600 {
		data[i] ^= 1
	}
	write(t, path, data)
	var damage *Damage
	if text, err := NewArchive(filepath.Dir(folder), 0).Text(log, 0); !errors.As(err, &damage) {
		t.Errorf("%q, %v", text, err)
	}
}

func TestLogs(t *testing.T) {
	logs := filepath.Join(t.TempDir(), "log")
	a := NewArchive(logs, 0)
	if all, err := a.Logs(); err != nil || len(all) > 0 {
		t.Errorf("without a folder: %v, %v", all, err)
	}
	config := smallSegments
	config.Folder = logs
	ended, _ := newKept(t, config)
	forms["packed"](t, ended)
	live, c := create(t, config), newChain(t)
	for range 5 {
		mustAppend(t, live, c.next(2, 0))
	}
	segments, err := Segments(live.Folder())
	if err != nil {
		t.Fatal(err)
	}
	if err := Trim(t.Context(), live.Folder(), segments[0].End); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(logs, DamagedBegins+"x"), 0o700); err != nil {
		t.Fatal(err)
	}
	all, err := a.Logs()
	if err != nil || len(all) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, x := range all {
		switch x.Log {
		case filepath.Base(live.Folder()):
			if x.Ended || x.First != segments[0].End || x.End != live.End() || x.Packed != 0 || x.Segments != len(segments) || x.Bytes == 0 {
				t.Errorf("live: %+v", x)
			}
		case filepath.Base(ended):
			if !x.Ended || x.First != 0 || x.Packed != x.Segments || x.Packed < 3 {
				t.Errorf("ended: %+v", x)
			}
		}
	}
}

// TestCache: what is remembered is bounded, what is used stays, and what fails is made again.
func TestCache(t *testing.T) {
	c := cache[int, string]{room: 10}
	made := map[int]int{}
	get := func(key int, size int64) string {
		v, err := c.get(key, func() (string, int64, error) {
			made[key]++
			return strings.Repeat("x", key), size, nil
		})
		if err != nil || len(v) != key {
			t.Errorf("%d: %q, %v", key, v, err)
		}
		return v
	}
	get(1, 4)
	get(2, 4)
	get(1, 4)
	get(3, 4) // 2 goes
	get(1, 4)
	get(2, 4)
	get(5, 100) // everything goes
	get(1, 4)
	if made[1] != 2 || made[2] != 2 || made[3] != 1 || c.taken != 4 || len(c.items) != 1 {
		t.Errorf("made %v, %d taken, %d items", made, c.taken, len(c.items))
	}
	for range 2 {
		if _, err := c.get(9, func() (string, int64, error) { made[9]++; return "", 4, os.ErrClosed }); !errors.Is(err, os.ErrClosed) {
			t.Error(err)
		}
	}
	if made[9] != 2 || c.taken != 4 {
		t.Errorf("made %v, %d taken", made, c.taken)
	}
}
