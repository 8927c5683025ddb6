package recordlog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// A Segment is a finished part of a log: nothing is written to it any more.
type Segment struct {
	Base, End Position
	Packed    bool
	Bytes     int64 // on disk
	stored    storedSegment
}

// Segments lists the finished segments of the log in a folder, oldest first. None is the end of the log, or what is being written.
func Segments(folder string) ([]Segment, error) {
	all, err := segmentsIn(folder)
	if err != nil {
		return nil, err
	}
	var finished []Segment
	for i, s := range all {
		ends := all.end(i)
		if ends < 0 {
			break
		}
		size, err := s.size()
		if err != nil {
			return nil, fmt.Errorf("record log: %w", err)
		}
		finished = append(finished, Segment{Base: s.base, End: ends, Packed: s.packed, Bytes: size, stored: s})
	}
	return finished, nil
}

// size is how much room a segment takes. One that was just packed or removed takes none.
func (s storedSegment) size() (total int64, err error) {
	for _, path := range []string{s.rawPath(), s.packedPath()} {
		info, err := os.Stat(path)
		if err == nil {
			total += info.Size()
		} else if !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
	}
	return total, nil
}

// Facts returns the facts about a segment. Of a packed one they are read from its trailer; else all of it is read.
func (s Segment) Facts(ctx context.Context) (Facts, error) {
	c, trouble, err := s.stored.open()
	if err != nil {
		return Facts{}, err
	}
	defer c.close()
	if trouble != nil {
		return Facts{}, trouble
	}
	if p, isPacked := c.(*packedContent); isPacked {
		notes, err := readNotes(p.table.Notes)
		if err != nil {
			return Facts{}, fmt.Errorf("record log: %s: %w", c.path(), err)
		}
		return notes.facts(), nil
	}
	f := finished{frames: frames{content: c, base: s.Base}, at: s.Base, ends: s.End}
	if err := f.header(); err != nil {
		if errors.Is(err, io.EOF) {
			err = f.damaged(s.Base, s.Base, errNoHeader.Error(), 0)
		}
		return Facts{}, err
	}
	t, err := f.tally(ctx, func([]byte) error { return nil })
	if err != nil {
		return Facts{}, err
	}
	return t.facts(), nil
}

// tally finds out the facts about a segment. It hands on its bytes: the header, and then each frame.
func (s *finished) tally(ctx context.Context, each func(part []byte) error) (factNotes, error) {
	t := newTally(s.id, s.base)
	take := func(at, after int64) error {
		part, err := s.read(at, int(after-at))
		if err == nil {
			t.sum.Write(part)
			err = errors.Join(each(part), ctx.Err())
		}
		return err
	}
	if err := take(0, headerSize); err != nil {
		return factNotes{}, err
	}
	for {
		g, err := s.next()
		if errors.Is(err, io.EOF) {
			return t.result(), nil
		}
		if err != nil {
			return factNotes{}, err
		}
		t.add(g)
		if err := take(s.offset(g.At), s.offset(g.After)); err != nil {
			return factNotes{}, err
		}
	}
}
