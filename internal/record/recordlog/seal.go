package recordlog

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// A segment is finished when another follows it: nothing is written to it any more, and all of it was durable, up to where the next one
// begins. A log has ended when its last segment is its end. So nothing that is missing at the end of a segment goes unnoticed, and an older
// weir that does not know packed segments finds a segment that it cannot read, rather than none.

// cut frees the room that a finished segment does not need. Readers need not know: the segment ends where the next one begins.
func (l *Log) cut(s segment) {
	_ = s.file.Truncate(headerSize + l.end - s.base) // whoever packs it later does without the rest
}

// seal ends the log. What fails is left to whoever finds the log: all that was appended is durable without it.
func (l *Log) seal() error {
	s := l.current
	if l.cut(s); !s.unfit {
		if err := s.file.Sync(); err != nil {
			return err
		}
	}
	return writeEnd(l.files, l.folder, l.id, l.end)
}

// writeEnd writes the segment that ends a log. It takes the place of an empty one.
func writeEnd(files Files, folder string, id instance, at Position) error {
	b := segmentHeader(id, at)
	b = appendFrame(b, len(b), &id, at, frame{kind: kindEnd, commit: true})
	f, err := files.Create(filepath.Join(folder, nextName), int64(len(b)))
	if err != nil {
		return err
	}
	defer f.Close() // what it has is durable
	if _, err := f.WriteAt(b, 0); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return files.Rename(f, filepath.Join(folder, segmentName(at)))
}

// Seal ends a log that this process has locked: its process did not. torn is the length of what was left of a batch that was never
// durable, and is now removed. A log that has ended already stays as it is.
func (f Found) Seal() (torn int64, err error) {
	all, err := segmentsIn(f.Folder)
	if err != nil {
		return 0, err
	}
	w := walk{folder: f.Folder, segments: all}
	w.identify()
	if w.id == nil { // nothing was ever written
		w.id = &instance{}
		_, _ = rand.Read(w.id[:]) // it never fails
	}
	end := Position(0)
	if len(all) > 0 {
		var ended bool
		if end, ended, err = all[len(all)-1].durableEnd(*w.id); err != nil || ended {
			return 0, err
		}
		if torn, err = all[len(all)-1].cutAt(end); err != nil {
			return 0, fmt.Errorf("record log: end what an earlier weir left: %w", err)
		}
	}
	if err := writeEnd(Disk, f.Folder, *w.id, end); err != nil {
		return torn, fmt.Errorf("record log: end what an earlier weir left: %w", err)
	}
	return torn, nil
}

// durableEnd returns where the last segment of a log ends, and whether it is the end of the log.
func (s storedSegment) durableEnd(id instance) (end Position, ended bool, err error) {
	if !s.raw { // only a segment that another follows is packed
		return 0, false, &Damage{File: s.packedPath(), What: missingNext, From: s.base, To: s.base}
	}
	f, err := os.Open(s.rawPath())
	if err != nil {
		return 0, false, fmt.Errorf("record log: %w", err)
	}
	raw := &rawContent{file: f}
	defer raw.close()
	r := &reader{frames: frames{content: raw, id: id, base: s.base}, raw: raw, at: s.base}
	if err := r.header(); errors.Is(err, io.EOF) {
		return s.base, false, nil
	} else if err != nil {
		return 0, false, err
	}
	if f, ok, err := r.frame(s.base, -1); err != nil || ok && f.kind == kindEnd {
		return s.base, true, err
	}
	end = s.base
	for {
		g, err := r.next()
		var damage *Damage
		switch {
		case errors.Is(err, io.EOF):
			return end, false, nil
		case err != nil && !errors.As(err, &damage):
			return 0, false, err
		case err == nil:
			end = g.After
		}
	}
}

// cutAt removes what is behind the end of the last segment of a log, and returns how much of that was written.
func (s storedSegment) cutAt(end Position) (torn int64, err error) {
	f, err := os.OpenFile(s.rawPath(), os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	defer f.Close() // what it has is synced
	if torn, err = written(f, headerSize+end-s.base); err != nil {
		return 0, err
	}
	if end == s.base {
		return torn, nil // the end of the log takes its place
	}
	if err := f.Truncate(headerSize + end - s.base); err != nil {
		return 0, err
	}
	return torn, f.Sync()
}

// written returns how many bytes from an offset on were written: up to the last that is not zero.
func written(f *os.File, from int64) (n int64, err error) {
	b := make([]byte, readAhead)
	for at := from; ; {
		got, err := f.ReadAt(b, at)
		for i := got - 1; i >= 0; i-- {
			if b[i] != 0 {
				n = at + int64(i) + 1 - from
				break
			}
		}
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return 0, err
		}
		at += int64(got)
	}
}
