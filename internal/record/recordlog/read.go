package recordlog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/record"
)

// A Logged event is one that a log has.
type Logged struct {
	At, After Position // where its frame begins and ends
	Text      []byte   // valid until the next one is read
	side      []byte
	log       string
}

// Entry returns the event with its effects. It copies the text.
func (g Logged) Entry() (record.Entry, error) {
	e, err := record.Sealed(slices.Clone(g.Text))
	if err == nil {
		e.Place = record.Place{Log: g.log, At: g.At, After: g.After}
		e.With, err = readEffects(g.side)
	}
	return e, err
}

// Damage is an error for a log that is not as it was written.
type Damage struct {
	File   string
	Offset int64
	What   string
}

func (d *Damage) Error() string {
	return fmt.Sprintf("record log: %s, byte %d: %s; keep a copy of the folder: what is after it cannot be read", d.File, d.Offset, d.What)
}

// Read yields the durable events of the log in a folder, from a position on. Its memory is bounded by the largest batch. A tail that is
// not complete was never durable, and is left out. After an error it yields nothing more; *Damage means that durable events cannot be
// read.
func Read(folder string, from Position) iter.Seq2[Logged, error] {
	return func(yield func(Logged, error) bool) {
		segments, err := segmentsIn(folder)
		if err != nil {
			yield(Logged{}, err)
			return
		}
		for i, s := range segments {
			ends := Position(-1)
			if i+1 < len(segments) {
				ends = segments[i+1].base
			}
			if ends >= 0 && ends <= from {
				continue
			}
			if !s.read(from, ends, yield) {
				return
			}
		}
	}
}

// A stored segment is one that can be read.
type storedSegment struct {
	path string
	base Position
}

// log is the name of the log that the segment is of.
func (s storedSegment) log() string { return filepath.Base(filepath.Dir(s.path)) }

// segmentsIn lists the segments in a folder, oldest first.
func segmentsIn(folder string) ([]storedSegment, error) {
	names, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("record log: %w", err)
	}
	var all []storedSegment
	for _, e := range names { // sorted by name, which is by position
		digits, ok := strings.CutSuffix(e.Name(), segmentEnds)
		if base, err := strconv.ParseInt(digits, 10, 64); ok && err == nil && base >= 0 && segmentName(base) == e.Name() {
			all = append(all, storedSegment{filepath.Join(folder, e.Name()), base})
		}
	}
	return all, nil
}

// read yields the events of a segment from a position on, up to the position where the next segment begins; -1: it is the last. It
// returns whether reading can go on.
func (s storedSegment) read(from, ends Position, yield func(Logged, error) bool) bool {
	f, err := os.Open(s.path)
	if errors.Is(err, fs.ErrNotExist) && ends >= 0 {
		return true // meanwhile a store had all of it, and the writer removed it
	}
	if err != nil {
		return yield(Logged{}, fmt.Errorf("record log: %w", err)) && false
	}
	defer f.Close() // nothing was written
	r := &reader{file: f, segment: s, at: s.base, ends: ends}
	err = r.header()
	for err == nil {
		var batch []Logged
		if batch, err = r.nextBatch(); len(batch) == 0 {
			break
		}
		for _, g := range batch {
			if g.At >= from && !yield(g, nil) {
				return false
			}
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return yield(Logged{}, err) && false
	}
	return true
}
