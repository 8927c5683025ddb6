package recordlog

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/weir-gate/weir/internal/record"
)

// TestPackedIsTheSame: what zstd makes of a packed segment is the segment, and its facts are those of both.
func TestPackedIsTheSame(t *testing.T) {
	folder, _ := newKept(t, smallSegments)
	before := snapshot(t, folder)
	raw := factsOf(t, folder)
	listed, err := Segments(folder)
	if err != nil {
		t.Fatal(err)
	}
	forms["packed"](t, folder)
	for i, s := range listed { // as they were before
		if f, err := s.Facts(t.Context()); err != nil || !cmp.Equal(f, raw[i]) {
			t.Errorf("segment %d: %+v, %v", i, f, err)
		}
	}
	if diff := cmp.Diff(raw, factsOf(t, folder)); diff != "" {
		t.Errorf("the facts of the segments and of the packed ones:\n%s", diff)
	}
	decoder, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer decoder.Close()
	all := snapshot(t, folder)
	for i, f := range raw {
		data, err := decoder.DecodeAll(all[packedName(f.Base)], nil)
		if err != nil || !bytes.Equal(data, before[segmentName(f.Base)]) {
			t.Errorf("segment %d: unpacked it is another, or %v", i, err)
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != f.SHA256 {
			t.Errorf("segment %d has another hash", i)
		}
		if _, there := all[segmentName(f.Base)]; there {
			t.Errorf("segment %d is still there", i)
		}
	}
}

func factsOf(t *testing.T, folder string) (all []Facts) {
	t.Helper()
	segments, err := Segments(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range segments {
		f, err := s.Facts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	return all
}

func TestFacts(t *testing.T) {
	l := create(t, Config{Segment: 1 << 20})
	one, other := record.NewChain(), record.NewChain()
	add := func(head *record.Head, at time.Time) record.Entry {
		u, err := record.Event{ID: `evt_1`, Type: record.Types.ToolCall, Time: at, Args: []byte(`{"time":"x"}`)}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		var e record.Entry
		e, *head = head.Next(u)
		return e
	}
	day := time.Date(2026, 3, 4, 5, 6, 7, 8000, time.UTC)
	add(&one, day) // recorded elsewhere
	before := one
	entries := []record.Entry{add(&one, day), add(&one, day.Add(-time.Hour)), add(&other, day.Add(time.Minute)), add(&one, day)}
	mustAppend(t, l, entries)
	if err := l.AppendMark(t.Context(), [][]byte{[]byte("mark")}); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(false); err != nil {
		t.Fatal(err)
	}
	size := int64(0)
	for _, e := range entries {
		size += int64(len(e.Text))
	}
	got := factsOf(t, l.Folder())
	if len(got) != 1 {
		t.Fatalf("%d segments", len(got))
	}
	got[0].SHA256 = ""
	want := Facts{
		End: l.End(), Events: 4, Marks: 1, TextBytes: size, First: day.Add(-time.Hour), Last: day.Add(time.Minute),
		Chains: []ChainFacts{{before, one}, {record.Head{Chain: other.Chain, Hash: record.Genesis}, other}},
	}
	if diff := cmp.Diff(want, got[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPackingIsInterrupted: whatever was done of it, the log has what it had, and the next attempt completes it.
func TestPackingIsInterrupted(t *testing.T) {
	folder, want := newKept(t, smallSegments)
	raw := snapshot(t, folder)
	forms["packed"](t, folder)
	done := snapshot(t, folder)
	name, fresh := packedName(0), strings.TrimSuffix(packedName(0), packedEnds)+freshEnds
	for what, left := range map[string]map[string][]byte{
		"begun":        {fresh: done[name][:50]},
		"written":      {fresh: done[name]},
		"named":        {name: done[name]},
		"torn":         {name: done[name][:len(done[name])-3]},
		"torn earlier": {name: done[name][:70]},
		"empty":        {name: nil},
		"damaged":      {name: append(slices.Clone(done[name][:40]), append([]byte{1, 2, 3}, done[name][43:]...)...)},
	} {
		t.Run(what, func(t *testing.T) {
			clearFolder(t, folder)
			for name, data := range raw {
				write(t, filepath.Join(folder, name), data)
			}
			for name, data := range left {
				write(t, filepath.Join(folder, name), data)
			}
			if what != "damaged" { // that is no interruption, but what was packed is still there
				if got, err := texts(folder, 0); err != nil || !slices.Equal(got, want) {
					t.Errorf("before: %d texts, %v", len(got), err)
				}
			}
			forms["packed"](t, folder)
			if diff := cmp.Diff(done, snapshot(t, folder)); diff != "" {
				t.Errorf("after (-want +got):\n%s", diff)
			}
			if _, err := os.Stat(filepath.Join(folder, fresh)); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s is left", fresh)
			}
		})
	}
}

func clearFolder(t *testing.T, folder string) {
	t.Helper()
	for name := range snapshot(t, folder) {
		if err := os.Remove(filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDamagedIsNotPacked: what cannot be read stays as it is, for whoever can make something of it.
func TestDamagedIsNotPacked(t *testing.T) {
	folder, _ := newKept(t, smallSegments)
	segments, err := Segments(folder)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, segmentName(segments[1].Base))
	data := snapshot(t, folder)[segmentName(segments[1].Base)]
	data[len(data)/2] ^= 1
	write(t, path, data)
	var damage *Damage
	if err := compress(t.Context(), folder, job{files: Disk, block: smallBlock}); !errors.As(err, &damage) || damage.File != path {
		t.Errorf("%v", err)
	}
	after, err := Segments(folder)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range after {
		if s.Packed != (i != 1) {
			t.Errorf("segment %d is packed: %t", i, s.Packed)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Compress(ctx, folder); !errors.Is(err, context.Canceled) {
		t.Errorf("a packing that nobody wants any more: %v", err)
	}
}

// TestSeal: a log that was killed anywhere is ended with what was durable.
func TestSeal(t *testing.T) {
	s := newSample(t)
	logs := filepath.Dir(s.folder)
	for cut := headerSize; cut <= s.ends[len(s.ends)-1]; cut += 3 {
		clearFolder(t, s.folder)
		s.write(t, append(s.data[:cut:cut], make([]byte, 300)...))
		end := headerSize
		for _, e := range s.ends {
			if e <= cut {
				end = e
			}
		}
		for round := range 2 {
			found, err := Find(logs)
			if err != nil || len(found) != 1 {
				t.Fatalf("%v, %v", found, err)
			}
			torn, err := found[0].Seal()
			found[0].Leave()
			// The torn part may end with zeros of its own.
			if err != nil || torn > cut-end || round == 0 && torn < cut-end-8 || round == 1 && torn != 0 {
				t.Fatalf("cut at %d: %d torn bytes, %v; want %d", cut, torn, err, cut-end)
			}
		}
		got, damages, err := scanned(t, s.folder)
		if diff := cmp.Diff(s.upTo(cut), got); diff != "" || len(damages) > 0 || err != nil {
			t.Fatalf("cut at %d: %v, %v (-want +got):\n%s", cut, damages, err, diff)
		}
		if info, err := os.Stat(s.file); err != nil || end > headerSize && info.Size() != end {
			t.Fatalf("cut at %d: the file has %v, %v; want %d", cut, info, err, end)
		}
		extents, err := NewArchive(logs, 0).Logs()
		if err != nil || len(extents) != 1 || !extents[0].Ended || extents[0].End != end-headerSize {
			t.Fatalf("cut at %d: %+v, %v", cut, extents, err)
		}
	}
}

// TestSealAfterDamage: damage before the end stays where it is.
func TestSealAfterDamage(t *testing.T) {
	s := newSample(t)
	data := slices.Clone(s.data)
	data[s.ends[0]+30] ^= 1
	s.write(t, data)
	found, err := Find(filepath.Dir(s.folder))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	if torn, err := found[0].Seal(); err != nil || torn != 0 {
		t.Fatalf("%d torn bytes, %v", torn, err)
	}
	found[0].Leave()
	got, damages, err := scanned(t, s.folder)
	if len(damages) != 1 || err != nil || len(got) != len(s.upTo(1<<20))-1 {
		t.Errorf("%d texts, %v, %v; want all but one", len(got), damages, err)
	}
}

// TestCloseOnABrokenDisk: a log that cannot be ended is ended by whoever finds it, with what was durable.
func TestCloseOnABrokenDisk(t *testing.T) {
	for name, breaks := range map[string]func(d *faulty){
		"create": func(d *faulty) { d.setCreate(func() error { return syscall.ENOSPC }) },
		"write":  func(d *faulty) { d.write = func([]byte) (int, error) { return 3, syscall.EIO } },
		"sync":   func(d *faulty) { d.sync = func() error { return syscall.EIO } },
	} {
		t.Run(name, func(t *testing.T) {
			disk := newFaulty()
			l, c := create(t, Config{Files: disk, Segment: 4000}), newChain(t)
			durable := c.next(3, 0)
			mustAppend(t, l, durable)
			breaks(disk)
			if err := l.Append(t.Context(), c.next(1, 0)); (err == nil) != (name == "create") {
				t.Fatalf("it took an event, or not: %v", err)
			}
			if err := l.Close(false); err != nil {
				t.Fatal(err)
			}
			found, err := Find(filepath.Dir(l.Folder()))
			if err != nil || len(found) != 1 {
				t.Fatalf("%v, %v", found, err)
			}
			if _, err := found[0].Seal(); err != nil {
				t.Fatal(err)
			}
			found[0].Leave()
			got, damages, err := scanned(t, l.Folder())
			// Nobody was told of the last event, but it may be there.
			if err != nil || len(damages) > 0 || len(got) < 3 || !slices.Equal(got[:3], textsOf(durable)) {
				t.Errorf("%d texts, %v, %v", len(got), damages, err)
			}
		})
	}
}

// TestTrim: what goes is the beginning, and with the end of a log its folder.
func TestTrim(t *testing.T) {
	inForms(t, func(t *testing.T, folder string, want []string) {
		segments, err := Segments(folder)
		if err != nil {
			t.Fatal(err)
		}
		end := segments[len(segments)-1].End
		held, _, err := lockFolder(folder)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range segments {
			for _, before := range []Position{s.Base, s.End - 1} {
				if err := Trim(t.Context(), folder, before); err != nil {
					t.Fatal(err)
				}
				left, err := Segments(folder)
				if err != nil || len(left) != len(segments)-i || left[0].Base != s.Base {
					t.Errorf("before %d: %d segments, %v", before, len(left), err)
				}
			}
			got, damages, err := scanned(t, folder)
			if err != nil || len(damages) > 0 || !slices.Equal(got, want[len(want)-len(got):]) {
				t.Errorf("%d texts are left, %v, %v", len(got), damages, err)
			}
		}
		archive := NewArchive(filepath.Dir(folder), 0)
		if _, err := archive.Text(filepath.Base(folder), 0); !errors.Is(err, ErrNotKept) {
			t.Errorf("the text of what is gone: %v", err)
		}
		if err := Trim(t.Context(), folder, end); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(folder); err != nil {
			t.Errorf("a log that is locked is gone: %v", err)
		}
		held.release()
		for range 2 {
			if err := Trim(t.Context(), folder, end); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the folder of a log that is gone: %v", err)
		}
		if _, err := archive.Text(filepath.Base(folder), segments[1].Base); !errors.Is(err, ErrNotKept) {
			t.Errorf("the text of a log that is gone: %v", err)
		}
	})
}

// TestTrimLive: what is being written stays.
func TestTrimLive(t *testing.T) {
	l, c := create(t, smallSegments), newChain(t)
	for range 8 {
		mustAppend(t, l, c.next(2, 0))
	}
	if err := Trim(t.Context(), l.Folder(), l.End()); err != nil {
		t.Fatal(err)
	}
	more := c.next(2, 0)
	mustAppend(t, l, more)
	got, err := texts(l.Folder(), 0)
	if err != nil || len(got) < 2 || !slices.Equal(got[len(got)-2:], textsOf(more)) {
		t.Errorf("%d texts, %v", len(got), err)
	}
	if err := l.Forget(l.End()); err != nil {
		t.Error(err)
	}
}

// TestVersions: logs of the version before are read, and packed. Those of a later version are not guessed at.
func TestVersions(t *testing.T) {
	folder, want := newKept(t, smallSegments)
	for name, data := range snapshot(t, folder) {
		setVersion(data, 1)
		write(t, filepath.Join(folder, name), data)
	}
	wantScanned := func() {
		t.Helper()
		if got, damages, err := scanned(t, folder); err != nil || len(damages) > 0 || !slices.Equal(got, want) {
			t.Errorf("%d texts, %v, %v", len(got), damages, err)
		}
	}
	wantScanned()
	forms["packed"](t, folder)
	wantScanned()
	other, _ := newKept(t, smallSegments)
	data := snapshot(t, other)[segmentName(0)]
	setVersion(data, version+1)
	write(t, filepath.Join(other, segmentName(0)), data)
	if got, err := texts(other, 0); len(got) > 0 || err == nil || !strings.Contains(err.Error(), "a newer version of weir wrote this") {
		t.Errorf("%d texts of a later version, %v", len(got), err)
	}
}

// setVersion writes another version into the header of a segment.
func setVersion(segment []byte, v uint32) {
	binary.LittleEndian.PutUint32(segment[8:], v)
	end := headerSize - 4
	binary.LittleEndian.PutUint32(segment[end:], crc32.Checksum(segment[:end], castagnoli))
}

// TestScanGoesOn: in a log that nobody ended, a changed bit before the last batch costs the batch that it is in, and is said.
func TestScanGoesOn(t *testing.T) {
	s := newSample(t)
	for at := headerSize; at < s.ends[len(s.ends)-2]; at++ {
		changed := slices.Clone(s.data[:s.ends[len(s.ends)-1]+100])
		changed[at] ^= 1 << (at % 8)
		s.write(t, changed)
		var want []string
		for i, end := range s.ends {
			if at >= end || i > 0 && at < s.ends[i-1] {
				want = append(want, textsOf(s.batches[i])...)
			}
		}
		got, damages, err := scanned(t, s.folder)
		if diff := cmp.Diff(want, got); diff != "" || len(damages) != 1 || err != nil {
			t.Fatalf("byte %d: %v, %v (-want +got):\n%s", at, damages, err, diff)
		}
	}
}

// diesAfter is a disk on which so many steps succeed, and then none.
func diesAfter(steps int) (d *faulty, died func() bool) {
	d = newFaulty()
	dead := false
	step := func() error {
		if steps--; steps < 0 {
			dead = true
			return syscall.EIO
		}
		return nil
	}
	d.create, d.sync, d.change = step, step, step
	d.write = func(b []byte) (int, error) {
		if err := step(); err != nil {
			return len(b) / 2, err
		}
		return len(b), nil
	}
	return d, func() bool { return dead }
}

// TestDiskDiesWhilePacking: at any step. The log has what it had, and the next attempt completes it.
func TestDiskDiesWhilePacking(t *testing.T) {
	folder, want := newKept(t, smallSegments)
	raw := snapshot(t, folder)
	forms["packed"](t, folder)
	done := snapshot(t, folder)
	for steps := 0; ; steps++ {
		clearFolder(t, folder)
		for name, data := range raw {
			write(t, filepath.Join(folder, name), data)
		}
		disk, died := diesAfter(steps)
		err := compress(t.Context(), folder, job{files: disk, block: smallBlock})
		if (err != nil) != died() {
			t.Fatalf("after %d steps: %v", steps, err)
		}
		if got, damages, err := scanned(t, folder); err != nil || len(damages) > 0 || !slices.Equal(got, want) {
			t.Fatalf("after %d steps: %d texts, %v, %v", steps, len(got), damages, err)
		}
		forms["packed"](t, folder)
		if diff := cmp.Diff(done, snapshot(t, folder)); diff != "" {
			t.Fatalf("after %d steps (-want +got):\n%s", steps, diff)
		}
		if !died() {
			if steps < 3*len(raw) {
				t.Errorf("it took %d steps", steps)
			}
			return
		}
	}
}

// TestDiskDiesWhileTrimming: at any step. What is left is the end of the log.
func TestDiskDiesWhileTrimming(t *testing.T) {
	inForms(t, func(t *testing.T, folder string, want []string) {
		for steps := 0; ; steps++ {
			before := snapshot(t, folder)
			disk, died := diesAfter(steps)
			if _, err := trim(t.Context(), disk, folder, 1<<40); (err != nil) != died() {
				t.Fatalf("after %d steps: %v", steps, err)
			}
			got, damages, err := scanned(t, folder)
			if err != nil || len(damages) > 0 || !slices.Equal(got, want[len(want)-len(got):]) {
				t.Fatalf("after %d steps: %d texts, %v, %v", steps, len(got), damages, err)
			}
			if !died() {
				if len(got) > 0 {
					t.Errorf("%d texts are left", len(got))
				}
				return
			}
			for name, data := range before {
				write(t, filepath.Join(folder, name), data)
			}
		}
	})
}

// TestDiskDiesWhileClosing: at any step. Whoever finds the log ends it.
func TestDiskDiesWhileClosing(t *testing.T) {
	for steps := range 8 {
		disk := newFaulty()
		l, c := create(t, Config{Files: disk, Segment: 4000}), newChain(t)
		durable := c.next(3, 0)
		mustAppend(t, l, durable)
		dying, died := diesAfter(steps)
		disk.setCreate(dying.create)
		disk.write, disk.sync, disk.change = dying.write, dying.sync, dying.change
		if err := l.Close(false); err != nil {
			t.Fatal(err)
		}
		wantTexts(t, l.Folder(), durable)
		found, err := Find(filepath.Dir(l.Folder()))
		if err != nil || len(found) != 1 {
			t.Fatalf("%v, %v", found, err)
		}
		if _, err := found[0].Seal(); err != nil {
			t.Fatal(err)
		}
		found[0].Leave()
		wantTexts(t, l.Folder(), durable)
		logs, err := NewArchive(filepath.Dir(l.Folder()), 0).Logs()
		if err != nil || len(logs) != 1 || !logs[0].Ended || logs[0].End != l.End() {
			t.Errorf("after %d steps: %+v, %v", steps, logs, err)
		}
		if !died() != (steps >= 5) {
			t.Errorf("after %d steps it died: %t", steps, died())
		}
	}
}
