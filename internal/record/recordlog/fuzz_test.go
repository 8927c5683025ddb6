package recordlog

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// FuzzRead: whatever is in a file, reading it ends, and yields only frames whose checksum is right, in order.
func FuzzRead(f *testing.F) {
	l, c := create(f, Config{Segment: 4096}), newChain(f)
	for range 3 {
		mustAppend(f, l, c.next(2, 5))
	}
	whole, err := os.ReadFile(filepath.Join(l.Folder(), segmentName(0)))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole, int64(-1))
	f.Add(whole[:300], int64(-1))
	f.Add(whole, int64(2000))
	f.Add(append(whole[:500:500], whole[100:]...), int64(-1))
	f.Add([]byte(magic), int64(0))
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte, next int64) {
		first := filepath.Join(folder, segmentName(0))
		if err := os.WriteFile(first, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if next > 0 {
			second := filepath.Join(folder, segmentName(next))
			if err := os.WriteFile(second, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			defer os.Remove(second)
		}
		at := Position(0)
		for g, err := range Read(folder, 0) {
			if err != nil {
				break
			}
			if g.At != at || g.After <= g.At || headerSize+g.After > int64(len(data)) {
				t.Fatalf("a frame from %d to %d, after %d", g.At, g.After, at)
			}
			at = g.After
		}
	})
}

// FuzzReadPacked: the same for a packed segment, whatever is in it.
func FuzzReadPacked(f *testing.F) {
	kept, want := newKept(f, smallSegments)
	all := snapshot(f, kept)
	forms["packed"](f, kept)
	for name, data := range snapshot(f, kept) {
		if name == packedName(0) {
			f.Add(data)
			f.Add(data[:len(data)/2])
			f.Add(append(data[:300:300], data[250:]...))
		}
		all[name] = data
	}
	folder := f.TempDir()
	for name, data := range all {
		if base, isPacked, _ := parseName(name); base > 0 && !isPacked {
			write(f, filepath.Join(folder, name), data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		write(t, filepath.Join(folder, packedName(0)), data)
		got, damages, err := scanned(t, folder)
		if err == nil && len(damages) == 0 && len(got) != len(want) {
			t.Fatalf("%d texts of %d, and no damage", len(got), len(want))
		}
		for _, text := range got {
			if !slices.Contains(want, text) {
				t.Fatalf("%q was never there", text)
			}
		}
	})
}
