package recordlog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/record/recordlog/packed"
)

const (
	segmentEnds = ".wlog"
	packedEnds  = ".wlog.zst"
	freshEnds   = ".wlog.zst.new" // a packed segment that is not complete
)

// segmentName is the name of the segment that begins at a position.
func segmentName(base Position) string { return fmt.Sprintf("%020d%s", base, segmentEnds) }

// packedName is the name of the segment that begins at a position, once it is packed.
func packedName(base Position) string { return fmt.Sprintf("%020d%s", base, packedEnds) }

// A storedSegment is one that can be read. While it is packed, it is there in two forms.
type storedSegment struct {
	folder      string
	base        Position
	raw, packed bool
}

func (s storedSegment) rawPath() string    { return filepath.Join(s.folder, segmentName(s.base)) }
func (s storedSegment) packedPath() string { return filepath.Join(s.folder, packedName(s.base)) }

// segments are those of a log, oldest first.
type segments []storedSegment

// segmentsIn lists the segments in a folder.
func segmentsIn(folder string) (segments, error) {
	names, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("record log: %w", err)
	}
	var all segments
	for _, e := range names { // sorted by name, which is by position
		base, isPacked, ok := parseName(e.Name())
		if !ok {
			continue
		}
		if len(all) == 0 || all[len(all)-1].base != base {
			all = append(all, storedSegment{folder: folder, base: base})
		}
		s := &all[len(all)-1]
		s.raw, s.packed = s.raw || !isPacked, s.packed || isPacked
	}
	return all, nil
}

// parseName is the inverse of segmentName and packedName.
func parseName(name string) (base Position, isPacked, ok bool) {
	digits, isPacked := strings.CutSuffix(name, packedEnds)
	if !isPacked {
		digits, _ = strings.CutSuffix(name, segmentEnds)
	}
	base, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || base < 0 {
		return 0, false, false
	}
	if isPacked {
		return base, true, packedName(base) == name
	}
	return base, false, segmentName(base) == name
}

// at returns the segment that has a position, or the first one if all are behind it, and where it ends; -1: it is the last.
func (all segments) at(p Position) (s storedSegment, ends Position, found bool) {
	if len(all) == 0 {
		return storedSegment{}, 0, false
	}
	i, exact := slices.BinarySearchFunc(all, p, func(s storedSegment, p Position) int { return int(min(max(s.base-p, -1), 1)) })
	if !exact {
		i = max(0, i-1)
	}
	return all[i], all.end(i), true
}

// end is where a segment ends: where the next begins; -1: it is the last.
func (all segments) end(i int) Position {
	if i+1 < len(all) {
		return all[i+1].base
	}
	return -1
}

// open opens a segment in the form that it has. Its trouble, if any, is damage that does not prevent it from being read.
func (s storedSegment) open() (c content, trouble *Damage, err error) {
	if s.packed {
		c, trouble, err := s.openPacked()
		if err == nil && (trouble == nil || !s.raw) || !s.raw && !errors.Is(err, fs.ErrNotExist) {
			return c, trouble, err
		}
		if err == nil {
			c.close()
		}
	}
	f, err := os.Open(s.rawPath())
	if errors.Is(err, fs.ErrNotExist) && !s.packed {
		return s.openPacked() // meanwhile it was packed
	}
	if err != nil {
		return nil, nil, fmt.Errorf("record log: %w", err)
	}
	return &rawContent{file: f}, nil, nil
}

func (s storedSegment) openPacked() (content, *Damage, error) {
	f, err := os.Open(s.packedPath())
	if err != nil {
		return nil, nil, fmt.Errorf("record log: %w", err)
	}
	table, trouble, err := s.table(f)
	if err != nil {
		f.Close() // the first error is the one to report
		return nil, nil, err
	}
	return &packedContent{file: f, table: table}, trouble, nil
}

// table reads where the blocks of a packed segment are. If the file does not say so any more, they are searched.
func (s storedSegment) table(f *os.File) (t packed.Table, trouble *Damage, err error) {
	info, err := f.Stat()
	if err == nil {
		t, err = packed.ReadTable(f, info.Size())
	}
	if errors.Is(err, packed.ErrNoTrailer) {
		trouble = &Damage{File: f.Name(), Offset: info.Size(), What: err.Error(), From: s.base, To: s.base}
		t, err = packed.Rebuild(f, info.Size())
	}
	if err != nil {
		return packed.Table{}, nil, fmt.Errorf("record log: read %s: %w", f.Name(), err)
	}
	return t, trouble, nil
}
