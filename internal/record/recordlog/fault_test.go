package recordlog

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/weir-gate/weir/internal/record"
)

// faulty is a disk that fails as it is told.
type faulty struct {
	Files
	mu     sync.Mutex // of create: segments are prepared in the background
	create func() error
	write  func(b []byte) (n int, err error) // how much of b is written, and what is reported
	sync   func() error
	change func() error   // before a name is given or removed
	syncs  map[string]int // how often a file was synced after a sync of it had failed
}

type faultyFile struct {
	File
	of  *faulty
	bad bool // a sync failed
}

func (d *faulty) Create(path string, size int64) (File, error) {
	d.mu.Lock()
	create := d.create
	d.mu.Unlock()
	if create != nil {
		if err := create(); err != nil {
			return nil, err
		}
	}
	f, err := d.Files.Create(path, size)
	return &faultyFile{File: f, of: d}, err
}

func (d *faulty) Rename(f File, path string) error {
	file, ok := f.(*faultyFile)
	if !ok {
		return errors.New("not a file of this disk")
	}
	if d.change != nil {
		if err := d.change(); err != nil {
			return err
		}
	}
	return d.Files.Rename(file.File, path)
}

func (d *faulty) Remove(path string) error {
	if d.change != nil {
		if err := d.change(); err != nil {
			return err
		}
	}
	return d.Files.Remove(path)
}

func (f *faultyFile) WriteAt(b []byte, at int64) (int, error) {
	if f.of.write == nil {
		return f.File.WriteAt(b, at)
	}
	n, err := f.of.write(b)
	if n > 0 {
		if _, err := f.File.WriteAt(b[:n], at); err != nil {
			return 0, err
		}
	}
	return n, err
}

func (f *faultyFile) Sync() error {
	if f.bad {
		f.of.syncs["again"]++
	}
	if f.of.sync != nil {
		if err := f.of.sync(); err != nil {
			f.bad = true
			return err
		}
	}
	return f.File.Sync()
}

func (d *faulty) setCreate(create func() error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.create = create
}

func newFaulty() *faulty { return &faulty{Files: Disk, syncs: map[string]int{}} }

// TestFaults: whatever fails, and however much of a write arrives, the log has what it said it has, in order, and nothing else.
func TestFaults(t *testing.T) {
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		sizes := rand.New(rand.NewPCG(seed, 2))
		var mu sync.Mutex // of rnd
		sometimes := func(err error) error {
			mu.Lock()
			defer mu.Unlock()
			if rnd.IntN(5) == 0 {
				return err
			}
			return nil
		}
		disk := newFaulty()
		disk.write = func(b []byte) (int, error) {
			if err := sometimes(syscall.ENOSPC); err != nil {
				mu.Lock()
				defer mu.Unlock()
				return rnd.IntN(len(b) + 1), err
			}
			return len(b), nil
		}
		failed := 0 // syncs in a row
		disk.sync = func() error {
			err := sometimes(syscall.EIO)
			if failed++; err == nil || failed == maxFailedSyncs {
				failed, err = 0, nil
			}
			return err
		}
		l, c := create(t, Config{Files: disk, Segment: 3000, Largest: 12_000}), newChain(t)
		disk.setCreate(func() error { return sometimes(syscall.EDQUOT) })
		var durable []record.Entry
		for range 150 {
			before := c.head
			if sizes.IntN(6) == 0 {
				mark := fmt.Appendf(nil, "mark after %d", before.Seq)
				if err := l.AppendMark(t.Context(), [][]byte{mark}); err == nil {
					durable = append(durable, record.Entry{Text: mark})
				}
				continue
			}
			entries := c.next(1+sizes.IntN(4), sizes.IntN(300))
			if err := l.Append(t.Context(), entries); err != nil {
				c.head = before
				if h, err := l.Head(t.Context(), before.Chain); err == nil && h != before {
					t.Fatalf("seed %d: after a failure the head is %v, not %v", seed, h, before)
				}
				continue
			}
			durable = append(durable, entries...)
		}
		disk.setCreate(nil)
		disk.write, disk.sync = nil, nil
		last := c.next(1, 0) // a failed batch at the very end may be there or not
		mustAppend(t, l, last)
		durable = append(durable, last...)
		if h, err := l.Head(t.Context(), c.head.Chain); err != nil || h != c.head {
			t.Errorf("seed %d: head %v, %v; want %v", seed, h, err, c.head)
		}
		if disk.syncs["again"] > 0 {
			t.Errorf("seed %d: a file was synced after a sync of it had failed", seed)
		}
		wantTexts(t, l.Folder(), durable)
		if err := l.Close(false); err != nil {
			t.Fatal(err)
		}
		wantTexts(t, l.Folder(), durable)
		if err := compress(t.Context(), l.Folder(), job{files: Disk, block: smallBlock}); err != nil {
			t.Fatal(err)
		}
		wantTexts(t, l.Folder(), durable)
	}
}

// TestAFailedWriteLeavesNothing: what is left of a longer batch behind a shorter one in its place is not read.
func TestAFailedWriteLeavesNothing(t *testing.T) {
	disk := newFaulty()
	l, c := create(t, Config{Files: disk}), newChain(t)
	first := c.next(1, 0)
	mustAppend(t, l, first)
	before := c.head
	disk.write = func(b []byte) (int, error) { return len(b), syscall.EIO } // all of it arrives
	long := c.next(3, 0)
	if err := l.Append(t.Context(), long); err == nil {
		t.Fatal("a failed write was called durable")
	}
	disk.write = nil
	c.head = before
	short := c.next(1, 0) // as long as the first of the three
	mustAppend(t, l, short)
	wantTexts(t, l.Folder(), append(first, short...))
}

func TestThreeFailedSyncsEndIt(t *testing.T) {
	disk := newFaulty()
	l, c := create(t, Config{Files: disk}), newChain(t)
	first := c.next(2, 0)
	mustAppend(t, l, first)
	disk.sync = func() error { return syscall.EIO }
	for range maxFailedSyncs {
		if err := l.Append(t.Context(), c.next(1, 0)); err == nil {
			t.Fatal("a failed sync was called durable")
		}
	}
	disk.sync = nil
	if err := l.Append(t.Context(), c.next(1, 0)); err == nil || !strings.Contains(err.Error(), "until it is restarted") {
		t.Errorf("after that: %v", err)
	}
	// A failed batch at the very end may be there or not: nobody was told that it is.
	if got, err := texts(l.Folder(), 0); err != nil || len(got) < 2 || got[1] != string(first[1].Text) || len(got) > 3 {
		t.Errorf("the log has %q, %v", got, err)
	}
}

// TestMovedAway: a log whose file or folder is not where readers look takes nothing; when it is back, it goes on.
func TestMovedAway(t *testing.T) {
	for name, path := range map[string]func(l *Log) string{
		"file":   func(l *Log) string { return filepath.Join(l.Folder(), segmentName(0)) },
		"folder": func(l *Log) string { return l.Folder() },
	} {
		t.Run(name, func(t *testing.T) {
			l, c := create(t, Config{}), newChain(t)
			durable := c.next(2, 0)
			mustAppend(t, l, durable)
			at := path(l)
			if err := os.Rename(at, at+".away"); err != nil {
				t.Fatal(err)
			}
			before := c.head
			if err := l.Append(t.Context(), c.next(1, 0)); err == nil || !strings.Contains(err.Error(), "moved or deleted") {
				t.Errorf("%v", err)
			}
			if _, err := l.Head(t.Context(), before.Chain); err == nil || !strings.Contains(err.Error(), "moved or deleted") {
				t.Errorf("it says that it can be written: %v", err)
			}
			if err := os.Rename(at+".away", at); err != nil {
				t.Fatal(err)
			}
			if h, err := l.Head(t.Context(), before.Chain); err != nil || h != before {
				t.Errorf("it is back, and the head is %v, %v", h, err)
			}
			c.head = before
			again := c.next(3, 0)
			mustAppend(t, l, again)
			wantTexts(t, l.Folder(), append(durable, again...))
		})
	}
}

func TestReplaced(t *testing.T) {
	l, c := create(t, Config{}), newChain(t)
	mustAppend(t, l, c.next(2, 0))
	at := filepath.Join(l.Folder(), segmentName(0))
	data, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(at), os.WriteFile(at, data, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := l.Append(t.Context(), c.next(1, 0)); err == nil {
		t.Error("it wrote to a file that nobody can find")
	}
}

// TestFind: a log is live while its writer has it, and left behind after that. Who found it may remove it.
func TestFind(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "log")
	if found, err := Find(folder); err != nil || len(found) > 0 {
		t.Errorf("without a folder: %v, %v", found, err)
	}
	live, left := create(t, Config{Folder: folder}), create(t, Config{Folder: folder})
	entries := newChain(t).next(2, 0)
	mustAppend(t, left, entries)
	if err := left.Close(false); err != nil {
		t.Fatal(err)
	}
	found, err := Find(folder)
	if err != nil || len(found) != 2 {
		t.Fatalf("%v, %v", found, err)
	}
	for _, f := range found {
		if f.Live != (f.Folder == live.Folder()) {
			t.Errorf("%s is live: %t", f.Folder, f.Live)
		}
		if f.Live {
			continue
		}
		wantTexts(t, f.Folder, entries)
		if again, err := Find(folder); err != nil || len(again) != 2 || !again[0].Live || !again[1].Live {
			t.Errorf("found again while it is locked: %v, %v", again, err)
		}
		if err := f.Remove(); err != nil {
			t.Error(err)
		}
	}
	if found, err = Find(folder); err != nil || len(found) != 1 || !found[0].Live {
		t.Errorf("in the end: %v, %v", found, err)
	}
	if _, ok, err := Last(left.Folder()); ok || err != nil {
		t.Errorf("the last event of a log that is gone: %t, %v", ok, err)
	}
}

// TestReadWhileWritten: who reads a log that grows sees a beginning of it, and no damage.
func TestReadWhileWritten(t *testing.T) {
	l, c := create(t, Config{Segment: 4000, Largest: 16_000}), newChain(t)
	done := make(chan []string)
	go func() {
		var all []string
		for range 400 {
			entries := c.next(3, 5)
			if err := l.Append(t.Context(), entries); err != nil {
				t.Error(err)
				break
			}
			all = append(all, textsOf(entries)...)
		}
		done <- all
	}()
	var seen [][]string
	for {
		got, err := texts(l.Folder(), 0)
		if err != nil {
			t.Error(err)
		}
		seen = append(seen, got)
		select {
		case all := <-done:
			for _, got := range seen {
				if len(got) > len(all) || strings.Join(got, "\n") != strings.Join(all[:len(got)], "\n") {
					t.Fatalf("%d texts were read that are not the first of the log", len(got))
				}
			}
			return
		default:
		}
	}
}
