package packed

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// file packs blocks.
func file(t testing.TB, notes string, blocks ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range blocks {
		if err := w.Block([]byte(block)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish([]byte(notes)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// noise is what cannot be packed.
func noise(n int) string {
	rnd, b := rand.New(rand.NewPCG(1, 2)), make([]byte, n)
	for i := range b {
		b[i] = byte(rnd.Uint32())
	}
	return string(b)
}

var samples = map[string][]string{
	"none":   nil,
	"small":  {"a", "bb", strings.Repeat("one of many ", 50)},
	"large":  {strings.Repeat("x", 3<<20), noise(1 << 20), "end"},
	"zeros":  {strings.Repeat("\x00", 300_000)},
	"random": {noise(100), noise(70_000), noise(5)},
}

func TestBlocks(t *testing.T) {
	for name, blocks := range samples {
		t.Run(name, func(t *testing.T) {
			whole := strings.Join(blocks, "")
			data := file(t, "notes", blocks...)
			decoder, err := zstd.NewReader(nil)
			if err != nil {
				t.Fatal(err)
			}
			defer decoder.Close()
			if out, err := decoder.DecodeAll(data, nil); err != nil || string(out) != whole {
				t.Errorf("zstd makes %d bytes of it, %v; want %d", len(out), err, len(whole))
			}
			f := bytes.NewReader(data)
			table, err := ReadTable(f, f.Size())
			if err != nil || len(table.Blocks) != len(blocks) || string(table.Notes) != "notes" || table.Size() != int64(len(whole)) {
				t.Fatalf("%+v, %v", table, err)
			}
			rebuilt, err := Rebuild(f, f.Size())
			if err != nil || !slices.Equal(rebuilt.Blocks, table.Blocks) {
				t.Errorf("rebuilt: %v, %v; want %v", rebuilt.Blocks, err, table.Blocks)
			}
			var buffer []byte
			for i, b := range table.Blocks {
				if buffer, err = b.Read(f, buffer); err != nil || string(buffer) != blocks[i] {
					t.Errorf("block %d: %d bytes, %v", i, len(buffer), err)
				}
				for _, at := range []int64{b.Begins, b.Ends() - 1} {
					if found, ok := table.Find(at); !ok || found != b {
						t.Errorf("offset %d is in %v, %t; want %v", at, found, ok, b)
					}
				}
			}
			for _, at := range []int64{-1, int64(len(whole))} {
				if b, ok := table.Find(at); ok {
					t.Errorf("offset %d is in %v", at, b)
				}
			}
		})
	}
}

// TestEveryByte: of a file that was changed anywhere, each block is what it was, or cannot be read.
func TestEveryByte(t *testing.T) {
	blocks := samples["small"]
	data := file(t, "notes", blocks...)
	check := func(changed []byte, what int) {
		t.Helper()
		f := bytes.NewReader(changed)
		table, err := ReadTable(f, f.Size())
		if err != nil {
			if !errors.Is(err, ErrNoTrailer) {
				t.Fatalf("byte %d: %v", what, err)
			}
			if table, err = Rebuild(f, f.Size()); err != nil {
				t.Fatalf("byte %d: %v", what, err)
			}
		} else if len(table.Blocks) != len(blocks) || string(table.Notes) != "notes" {
			t.Fatalf("byte %d: %+v", what, table)
		}
		for i, b := range table.Blocks {
			if got, err := b.Read(f, nil); err != nil && !errors.Is(err, ErrDamaged) || err == nil && string(got) != blocks[i] {
				t.Fatalf("byte %d: block %d is %q, %v", what, i, got, err)
			}
		}
	}
	for at := range data {
		for bit := range 8 {
			changed := slices.Clone(data)
			changed[at] ^= 1 << bit
			check(changed, at)
		}
		check(data[:at], at)
	}
}

// FuzzReadTable: whatever a file has, reading it ends, and takes no more memory than it may.
func FuzzReadTable(f *testing.F) {
	for _, blocks := range samples {
		if data := file(f, "notes", blocks...); len(data) < 10_000 {
			f.Add(data)
			f.Add(data[:len(data)/2])
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := bytes.NewReader(data)
		table, err := ReadTable(r, r.Size())
		if err != nil {
			if table, err = Rebuild(r, r.Size()); err != nil {
				t.Fatal(err)
			}
		}
		for _, b := range table.Blocks {
			if b.Size > 1<<20 {
				continue // the memory is there, but not for a test
			}
			if got, err := b.Read(r, nil); err == nil && int64(len(got)) != b.Size {
				t.Fatalf("%d bytes, not %d", len(got), b.Size)
			}
		}
	})
}
