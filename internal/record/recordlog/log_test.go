package recordlog

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
)

// A chain makes entries that follow each other.
type chain struct {
	t    testing.TB
	head record.Head
}

func newChain(t testing.TB) *chain { return &chain{t, record.NewChain()} }

// next makes so many entries, with names of tools that say which they are.
func (c *chain) next(n, padding int) []record.Entry {
	c.t.Helper()
	entries := make([]record.Entry, n)
	for i := range entries {
		u, err := record.Event{
			ID: fmt.Sprint("evt_", c.head.Seq+1), Type: record.Types.ToolCall, Tool: fmt.Sprint("tool ", c.head.Seq+1, strings.Repeat("x", padding)),
		}.Encode()
		if err != nil {
			c.t.Fatal(err)
		}
		entries[i], c.head = c.head.Next(u)
	}
	return entries
}

func create(t testing.TB, c Config) *Log {
	t.Helper()
	if c.Folder == "" {
		c.Folder = filepath.Join(t.TempDir(), "log")
	}
	l, err := Create(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close(false) }) // it may be closed already
	return l
}

func mustAppend(t testing.TB, l *Log, entries []record.Entry) {
	t.Helper()
	if err := l.Append(t.Context(), entries); err != nil {
		t.Fatal(err)
	}
}

// texts reads a log.
func texts(folder string, from Position) (all []string, err error) {
	for g, err := range Read(folder, from) {
		if err != nil {
			return all, err
		}
		all = append(all, string(g.Text))
	}
	return all, nil
}

func textsOf(entries []record.Entry) (all []string) {
	for _, e := range entries {
		all = append(all, string(e.Text))
	}
	return all
}

// wantTexts checks that a log has just these entries.
func wantTexts(t testing.TB, folder string, want []record.Entry) {
	t.Helper()
	got, err := texts(folder, 0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(textsOf(want), got); diff != "" {
		t.Fatalf("the log (-want +got):\n%s", diff)
	}
}

func TestWhatIsAppendedIsRead(t *testing.T) {
	l, c := create(t, Config{Segment: 2000, Largest: 9000}), newChain(t)
	var all []record.Entry
	for n := range 60 {
		entries := c.next(1+n%7, n*20)
		mustAppend(t, l, entries)
		all = append(all, entries...)
	}
	wantTexts(t, l.Folder(), all)
	if segments, err := segmentsIn(l.Folder()); err != nil || len(segments) < 5 {
		t.Errorf("%d segments, %v; want several", len(segments), err)
	}
	if h, err := l.Head(t.Context(), c.head.Chain); err != nil || h != c.head {
		t.Errorf("head %v, %v; want %v", h, err, c.head)
	}
	if h, err := l.Head(t.Context(), "other"); err != nil || h != (record.Head{Chain: "other", Hash: record.Genesis}) {
		t.Errorf("head of a chain without events: %v, %v", h, err)
	}
	if last, found, err := Last(l.Folder()); err != nil || !found || last.Chain != c.head.Chain || last.Seq != c.head.Seq {
		t.Errorf("last %v, %t, %v", last, found, err)
	}
}

// TestEntriesComeBack with everything that a store uses of them.
func TestEntriesComeBack(t *testing.T) {
	l, c := create(t, Config{}), newChain(t)
	entries := c.next(3, 0)
	odd := "\xff\x00\"é"
	entries[1].With = record.Effects{
		Remember: &call.Remembered{
			Upstream: "u", Response: odd, Conversation: "c", WireID: odd, Unit: "unit", Notice: "n", Tool: odd,
			Ruling: call.Ruling{Released: true, Code: "code", Reason: odd, Rule: "rule", Policy: "p"},
		},
		Spend: []call.Spend{{Scope: odd, Micro: 7}, {Scope: "s", Micro: 8}},
	}
	mustAppend(t, l, entries)
	i := 0
	for g, err := range Read(l.Folder(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		e, err := g.Entry()
		if err != nil {
			t.Fatal(err)
		}
		e.Place.Log = l.Name() // whoever reads it knows that
		if diff := cmp.Diff(entries[i], e); diff != "" {
			t.Errorf("entry %d (-want +got):\n%s", i, diff)
		}
		i++
	}
	if i != len(entries) {
		t.Errorf("%d entries", i)
	}
}

func TestReadFrom(t *testing.T) {
	l, c := create(t, Config{Segment: 1500, Largest: 1500}), newChain(t)
	var ends []Position
	var all []record.Entry
	for range 12 {
		entries := c.next(3, 10)
		mustAppend(t, l, entries)
		all = append(all, entries...)
		ends = append(ends, l.End())
	}
	for i, end := range ends {
		got, err := texts(l.Folder(), end)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(textsOf(all[3*(i+1):]), got); diff != "" {
			t.Errorf("from %d (-want +got):\n%s", end, diff)
		}
	}
}

func TestForget(t *testing.T) {
	l, c := create(t, Config{Segment: 1500, Largest: 1500}), newChain(t)
	var all []record.Entry
	for range 12 {
		entries := c.next(3, 10)
		mustAppend(t, l, entries)
		all = append(all, entries...)
	}
	before, err := segmentsIn(l.Folder())
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Forget(before[2].base - 1); err != nil {
		t.Fatal(err)
	}
	left, err := segmentsIn(l.Folder())
	if err != nil || len(left) != len(before)-1 || left[0] != before[1] {
		t.Errorf("segments %v, %v; want all but the first of %v", left, err, before)
	}
	if err := l.Forget(l.End()); err != nil {
		t.Fatal(err)
	}
	if left, err = segmentsIn(l.Folder()); err != nil || len(left) != 1 {
		t.Errorf("segments %v, %v; want only the one that is written", left, err)
	}
	entries := c.next(5, 0)
	mustAppend(t, l, entries)
	got, err := texts(l.Folder(), 0)
	if err != nil || len(got) == 0 || !strings.HasSuffix(strings.Join(textsOf(append(all, entries...)), "\n"), strings.Join(got, "\n")) {
		t.Errorf("what is left are %d texts, %v", len(got), err)
	}
	if err := l.Close(true); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(l.Folder()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
	if err := l.Append(t.Context(), c.next(1, 0)); err == nil {
		t.Error("a closed log took an event")
	}
}

// A sample is a log of one segment, the entries of its batches, and where they end in the file.
type sample struct {
	folder, file string
	data         []byte
	batches      [][]record.Entry
	ends         []int64
}

func newSample(t *testing.T) sample {
	l, c := create(t, Config{Segment: 1 << 20}), newChain(t)
	s := sample{folder: l.Folder()}
	for n := range 4 {
		entries := c.next(1+n%3, n)
		mustAppend(t, l, entries)
		s.batches, s.ends = append(s.batches, entries), append(s.ends, headerSize+l.End())
	}
	s.file = filepath.Join(s.folder, segmentName(0))
	s.data = kill(t, l)
	return s
}

// kill leaves a log of one segment as a process does that is killed, and returns what is in its segment.
func kill(t *testing.T, l *Log) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(l.Folder(), segmentName(0)))
	if err != nil {
		t.Fatal(err)
	}
	end := segmentName(l.End())
	if err := l.Close(false); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(l.Folder(), end)); err != nil {
		t.Fatal(err)
	}
	return data
}

// upTo are the texts of the batches that end at or before a byte of the file.
func (s sample) upTo(offset int64) (all []string) {
	for i, end := range s.ends {
		if end <= offset {
			all = append(all, textsOf(s.batches[i])...)
		}
	}
	return all
}

func (s sample) write(t *testing.T, data []byte) {
	t.Helper()
	if err := os.WriteFile(s.file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestCutAtEveryByte: a log that ends anywhere has the complete batches up to there, and no error.
func TestCutAtEveryByte(t *testing.T) {
	s := newSample(t)
	for cut := range s.ends[len(s.ends)-1] + 1 {
		for _, zeros := range []int{0, 5000} { // a file that was not prepared, and one that was
			if cut < headerSize && (cut > 0 || zeros == 0) {
				continue // a header is written with its first batch; TestTornHeader
			}
			s.write(t, append(s.data[:cut:cut], make([]byte, zeros)...))
			got, err := texts(s.folder, 0)
			if err != nil {
				t.Fatalf("cut at %d: %v", cut, err)
			}
			if diff := cmp.Diff(s.upTo(cut), got); diff != "" {
				t.Fatalf("cut at %d (-want +got):\n%s", cut, diff)
			}
		}
	}
}

// TestEveryBit: a changed bit is noticed, whereever it is. Before the last batch it is damage; in the last batch it cannot be told from
// a write that was never complete. Nothing that is changed is ever yielded.
func TestEveryBit(t *testing.T) {
	s := newSample(t)
	end, lastBatch := s.ends[len(s.ends)-1], s.ends[len(s.ends)-2]
	for at := range end {
		changed := append([]byte(nil), s.data[:end+100]...)
		changed[at] ^= 1 << (at % 8)
		s.write(t, changed)
		got, err := texts(s.folder, 0)
		var damage *Damage
		switch {
		case at < headerSize && at >= 8 && at < 12: // the version
			if err == nil {
				t.Fatalf("byte %d: read as it is", at)
			}
		case at < lastBatch && (!errors.As(err, &damage) || damage.File != s.file || damage.Offset > at):
			t.Fatalf("byte %d: %v; want damage at it or before it", at, err)
		case at >= lastBatch && err != nil:
			t.Fatalf("byte %d: %v", at, err)
		}
		if diff := cmp.Diff(s.upTo(at), got); diff != "" {
			t.Fatalf("byte %d (-want +got):\n%s", at, diff)
		}
	}
}

// TestTornBatch: pages of the last batch may reach the disk in any order. Without all of them, the batch was never durable.
func TestTornBatch(t *testing.T) {
	l, c := create(t, Config{Segment: 1 << 20}), newChain(t)
	first, torn := c.next(2, 0), c.next(40, 100)
	mustAppend(t, l, first)
	from := headerSize + l.End()
	mustAppend(t, l, torn)
	end := headerSize + l.End()
	file := filepath.Join(l.Folder(), segmentName(0))
	data := kill(t, l)
	const page = 512
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		some := append([]byte(nil), data...)
		for at := from; at < end; at += page {
			if rnd.IntN(3) == 0 {
				clear(some[at:min(at+page, end)])
			}
		}
		clear(some[from : from+10]) // at least one page is missing
		if err := os.WriteFile(file, some, 0o600); err != nil {
			t.Fatal(err)
		}
		wantTexts(t, l.Folder(), first)
	}
}
